/* SPDX-License-Identifier: BSD-2-Clause */
/* hash_warning.h - warns if clang would find no function in a profile. clang itself does not report that. */
#ifndef BAREPROF_HOST_HASH_WARNING_H
#define BAREPROF_HOST_HASH_WARNING_H

#include <bareprof/profile.h>

/* The index version in which clang 22 looks for its front-end hashes. */
#define HASH_V4_VERSION 13u

/* hash_warning - prints a warning if @hashes do not fit index @version, the version of the file written to @path. */
void hash_warning(const char *path, enum bareprof_hashes hashes, unsigned int version);

#endif
