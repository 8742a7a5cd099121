/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * name_sort.h - sorts functions by the bytes of their names, then by structural hash. This is the
 * order in which profiles are written.
 */
#ifndef BAREPROF_HOST_NAME_SORT_H
#define BAREPROF_HOST_NAME_SORT_H

#include "model.h"

/*
 * name_sort - sorts @functions, which must come from allocate(). Returns the sorted array, which is either @functions
 * or a new array. If it is a new array, @functions has been freed.
 */
struct function *name_sort(struct function *functions, size_t count);

#endif
