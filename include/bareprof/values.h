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

/* Memory that is handed out and never taken back. */
struct bareprof_pool {
	char *next;
	char *end;
};

/*
 * What the functions that clang calls keep between calls. The integrator owns it, as
 * nothing of bareprof's is static: BAREPROF_STATE(nodes); in one file, with room for
 * so many values beyond those that the compiler made room for.
 */
struct bareprof_state {
	struct bareprof_pool section; /* __llvm_prf_vnds */
	struct bareprof_pool own;
	size_t values; /* offset of the list heads' address in a record; 0: not started */
	size_t sites; /* offset of the numbers of sites */
	size_t kinds; /* how many of these */
	size_t most; /* values kept of a site */
	size_t dropped; /* values that were not noted, for want of room or because a dump was open */
	size_t busy; /* calls that are changing lists right now */
	size_t closed; /* dumps with values that are open: no list may change */
};
BAREPROF_API extern struct bareprof_state bareprof_state_is_missing_write_BAREPROF_STATE;

#define BAREPROF_STATE(nodes)                                                                                          \
	static struct bareprof_node bareprof_own_nodes[nodes];                                                         \
	struct bareprof_state bareprof_state_is_missing_write_BAREPROF_STATE = {                                       \
		.own = {(char *)bareprof_own_nodes, (char *)(bareprof_own_nodes + (nodes))}}

/*
 * bareprof_values_start - note values of @image, whose layout is known, from now on;
 * before that they are dropped. Call it once, before other CPUs run instrumented code.
 */
BAREPROF_API void bareprof_values_start(const struct bareprof_image *image);

/*
 * What clang's instrumentation calls: @value was seen at site @index of all sites of
 * @record. Known values are counted; a new one gets a node, or if its site has as many
 * as are kept takes the place of the rarest when that has been outnumbered. Any
 * context and CPU, also in each other's midst; counts are not atomic.
 */
void __llvm_profile_instrument_target(uint64_t value, void *record, uint32_t index);
void __llvm_profile_instrument_memop(uint64_t value, void *record, uint32_t index);

/*
 * bareprof_with_values - have dumps of @image contain its value data. Call it after
 * bareprof_image_init(), which forgets it.
 */
BAREPROF_API void bareprof_with_values(struct bareprof_image *image);

#ifdef __cplusplus
}
#endif

#endif
