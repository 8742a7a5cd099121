/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof_limits.h - what the releases of LLVM can read.
 */
#ifndef BAREPROF_HOST_SAMPLEPROF_LIMITS_H
#define BAREPROF_HOST_SAMPLEPROF_LIMITS_H

#include "error.h"
#include "sampleprof.h"

/*
 * From this release of LLVM on, an inlinee has a hash and attributes of its own. Older releases refuse them in
 * text, and would misread them in an ext-binary file.
 */
#define SAMPLEPROF_NESTED_METADATA 14u

/*
 * sampleprof_check - returns INVALID_INPUT if no file can hold @profile: it has no functions, or an offset is above
 * SAMPLEPROF_OFFSET_LAST, or a function of a probe profile has no hash, or one of a line profile has one. LLVM would
 * refuse such a file, read a part of it, or read the whole file as a profile of the other kind.
 */
enum status sampleprof_check(const struct sampleprof *profile, struct error *error);

#endif
