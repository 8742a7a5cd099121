/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counts_warning.h - warns of profiles whose counts are impossible in the coverage mapping of their program. So the user
 * knows it as soon as the profile arrives, when the target can still be asked again.
 */
#ifndef BAREPROF_HOST_COUNTS_WARNING_H
#define BAREPROF_HOST_COUNTS_WARNING_H

#include "bytes.h"

/*
 * counts_warning - appends a sentence to @warning if the profiles @profile, of any file format, have impossible counts in
 * the program at @elf_path. A program without a coverage mapping is not checked. This is the function for @check in
 * completion.h.
 * counts_warning_file - prints this sentence about the profile at @path.
 */
void counts_warning(const char *elf_path, struct bytes profile, struct buffer *warning);
void counts_warning_file(const char *elf_path, const char *path);

#endif
