/* SPDX-License-Identifier: BSD-2-Clause */
/* samples_text.h - the text file of samples, .samples (docs/SPEC.md, 5.3). */
#ifndef BAREPROF_HOST_SAMPLES_TEXT_H
#define BAREPROF_HOST_SAMPLES_TEXT_H

#include "samples.h"

/* The first word of the first line of a .samples file. */
#define SAMPLES_TEXT_MAGIC "bareprof samples "

/* samples_text_is - returns whether @bytes begin like a .samples file. */
bool samples_text_is(struct bytes bytes);

/*
 * samples_text_read - reads the file @text into @samples, which must be empty, and sorts them. Errors: INVALID_INPUT.
 * samples_text_write - appends the file for the sorted @samples to @text.
 */
enum status samples_text_read(struct samples *samples, struct bytes text, struct error *error);
void samples_text_write(struct buffer *text, const struct samples *samples);

#endif
