/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_input.h - opens the inputs of the commands of samples. All functions print their errors and notes. */
#ifndef BAREPROF_HOST_SAMPLE_INPUT_H
#define BAREPROF_HOST_SAMPLE_INPUT_H

#include "sample_program.h"

/* sample_open - reads the ELF file at @path. The caller frees @program, also after an error. Errors: as
 * sample_program_open(). */
enum status sample_open(struct sample_program *program, const char *path);

/*
 * sample_load_all - adds the samples in the files at @paths, a list that ends with NULL, to @samples. @program may be
 * NULL. The caller frees @samples, also after an error. Errors: as samples_load().
 */
enum status sample_load_all(struct samples *samples, char *const *paths, const struct sample_program *program);

#endif
