/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hash_warning.h - say when clang would find no function in a profile, and be
 * silent about it.
 */
#ifndef BAREPROF_HOST_HASH_WARNING_H
#define BAREPROF_HOST_HASH_WARNING_H

#include <bareprof/profile.h>

/* The index version of the front-end hashes of clang 22. */
#define HASH_V4_VERSION 13u

/* hash_warning - for a profile with such @hashes that goes to @path in index @version. */
void hash_warning(const char *path, enum bareprof_hashes hashes, unsigned int version);

#endif
