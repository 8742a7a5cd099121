/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.h - value profiling: which functions an indirect call went to, how large a
 * memcpy() was, which vtable an object had.
 */
#ifndef BAREPROF_VALUES_H
#define BAREPROF_VALUES_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value that was seen at a site, as the compiler lays it out in __llvm_prf_vnds. */
struct bareprof_node {
	uint64_t value;
	uint64_t count;
	struct bareprof_node *next; /* at the same site */
};

/*
 * bareprof_with_values - have dumps of @image contain its value data. Call it after
 * bareprof_image_init(), which forgets it.
 */
BAREPROF_API void bareprof_with_values(struct bareprof_image *image);

#ifdef __cplusplus
}
#endif

#endif
