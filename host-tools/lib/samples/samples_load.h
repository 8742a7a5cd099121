/* SPDX-License-Identifier: BSD-2-Clause */
/* samples_load.h - reads samples from files of all kinds. */
#ifndef BAREPROF_HOST_SAMPLES_LOAD_H
#define BAREPROF_HOST_SAMPLES_LOAD_H

#include "sample_program.h"

/*
 * samples_load_bytes - adds all samples in @bytes, which are a whole file, to @samples and sorts them. The file is a
 * .samples file, or a capture or log with dumps of samples. @program is the ELF file of the samples, or NULL. Then the
 * build id of the samples that are read first decides, and dumps of an image that a loader may have moved are refused.
 *
 * A dump that was sent twice counts once. A dump of a histogram has all counts of the earlier dumps of the same boot,
 * so these are left out. If at least one dump of the file has the build id of @program or @samples, dumps with other
 * build ids are left out. If samples->partial is true, dumps that did not arrive completely are left out too. Dumps
 * without BEGIN are always left out, because their kind is not known. Appends a sentence to @note for each of these decisions.
 *
 * Errors: INVALID_INPUT. Then @samples may have some of the samples.
 */
enum status samples_load_bytes(struct samples *samples, struct bytes bytes, const struct sample_program *program,
	struct buffer *note, struct error *error);

/*
 * samples_load - does the same for the file at @path. If @program is not NULL, also removes the samples that are not in
 * its code, and appends a sentence with their number to @note. Errors: SYSTEM, INVALID_INPUT.
 */
enum status samples_load(struct samples *samples, const char *path, const struct sample_program *program,
	struct buffer *note, struct error *error);

#endif
