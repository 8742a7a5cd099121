/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * name_sort.h - functions in the order of their names' bytes, then of their
 * hashes: the order in which profiles are written.
 */
#ifndef BAREPROF_HOST_NAME_SORT_H
#define BAREPROF_HOST_NAME_SORT_H

#include "model.h"

/* name_sort - @functions, from allocate(), in order: the same array or a new one in its place. */
struct function *name_sort(struct function *functions, size_t count);

#endif
