/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.h - value profiling: records which functions an indirect call went to, how large
 * a memcpy() was, which vtable an object had. In a few lines:
 *
 *	BAREPROF_STATE;
 *	static struct bareprof_values values;
 *	static struct bareprof_node nodes[1000];
 *
 *	bareprof_image_self(&image);
 *	bareprof_values_start(&values, &image, nodes, 1000);
 *	...
 *	bareprof_values_hold(&values, 0);              from here on no list changes
 *	n = bareprof_write(&dump, &image, buf, size);  as without values
 *	bareprof_values_release(&values);
 *
 * A site is a location in the code. It has a list of the values that were seen there, one
 * node for each value:
 *
 *	record ---> list head of site 0 ---> node: value, count ---> node ---> NULL
 *	            list head of site 1 ---> NULL
 *
 * Nodes come from __llvm_prf_vnds, where the compiler made room (for bare metal: clang 18
 * and later), then from the caller's memory. No function waits: a new value is dropped, and
 * counted as dropped, if the lists are held or being changed at that moment. Lists never
 * shrink.
 *
 * The runtime must be compiled with BAREPROF_VALUES defined (Kconfig does this).
 */
#ifndef BAREPROF_VALUES_H
#define BAREPROF_VALUES_H

#include <bareprof/capture.h>
#include <bareprof/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value that was seen at a site. The nodes that the compiler reserves in __llvm_prf_vnds have this layout. */
struct bareprof_node {
	uint64_t value;
	uint64_t count;
	struct bareprof_node *next; /* next value of the same site */
};

/* Memory for nodes. Nodes are taken from it, and never returned. */
struct bareprof_pool {
	char *start;
	char *next;
	char *end;
};

/*
 * The values of one image. The caller owns this struct and the memory for nodes, and keeps
 * both in place until bareprof_values_remove(). All fields may be read.
 */
struct bareprof_values {
	struct bareprof_values *next; /* the values of the next image in the list of BAREPROF_STATE */
	struct bareprof_image *image;
	struct bareprof_pool pool[2]; /* __llvm_prf_vnds, and the caller's memory */
	size_t max_per_site; /* the most values that a site keeps */
	size_t dropped; /* values not recorded, because there was no room or the lists were held */
	uintptr_t held; /* non-zero: a list is being changed, or no list may change */
	size_t record_size; /* size of a record of the image, bytes */
	size_t heads_at; /* offset in a record of the pointer to its list heads, bytes */
};

/*
 * bareprof_values_start - starts to record the values of @image, which
 * bareprof_image_init() has accepted. Values seen before this call are dropped.
 *
 * Nodes are in image->section[BAREPROF_VNDS], where the compiler made room for them, and
 * in the array @nodes of @n nodes, which the caller gives. Together there should be about
 * two nodes for each site.
 *
 * For bare metal, clang up to 17 makes no list heads: image->section[BAREPROF_VALS] is
 * empty. Then this call takes a pointer for each site from the end of @nodes, and writes
 * the address of these list heads into the records, which must be in RAM.
 * (linker/bareprof-rom-values.ld puts them there.)
 *
 * All values recorded before are forgotten, so a second call starts with empty lists. Then
 * also call bareprof_reset(), because the host expects that lists only grow between resets
 * (docs/SPEC.md, 1.9). During the call no instrumented code may run on any CPU, and no dump
 * may be open. Errors: NO_SPACE if @nodes has no room for the list heads; READ_ONLY if the
 * records are in ROM and have to be written.
 */
BAREPROF_API int bareprof_values_start(
	struct bareprof_values *values, struct bareprof_image *image, struct bareprof_node *nodes, size_t n);

/*
 * bareprof_values_remove - stops recording the values of this image. Its open dumps become
 * stale. Only one CPU at a time may be in this function or in bareprof_values_start(). A
 * CPU that is recording a value at this moment may still use *values and its nodes, so
 * before you reuse that memory, wait until every CPU has left the code that it was in.
 */
BAREPROF_API void bareprof_values_remove(struct bareprof_values *values);

/*
 * bareprof_values_hold - keeps all lists as they are until bareprof_values_release(), so
 * that the image can be dumped. Counts of known values still grow; new values are dropped.
 * While the lists are not held, bareprof_open() and bareprof_capture_values() return
 * VALUE_SITES.
 *
 * Errors: BUSY if the lists are already held, or if a list is being changed at this moment,
 * by another CPU or by the code that this call interrupted; try again later. With @force
 * non-zero it never returns BUSY. That is for a panic, when all other CPUs have stopped for
 * good.
 *
 * bareprof_values_release - lets the lists change again. Open dumps of the image become
 * stale. Both functions: any context and CPU.
 */
BAREPROF_API int bareprof_values_hold(struct bareprof_values *values, int force);
BAREPROF_API void bareprof_values_release(struct bareprof_values *values);

/*
 * bareprof_values_reset - sets the counts of all values to zero. bareprof_reset() does this
 * too; after a bareprof_drain() the caller has to do it (snapshot.h). Open dumps stay valid
 * until bareprof_values_release().
 */
BAREPROF_API void bareprof_values_reset(struct bareprof_values *values);

/*
 * bareprof_capture_values - prepares a capture of counters, bitmaps and values. It works
 * like bareprof_capture_open(), with these differences: each value adds 7 to 12 bytes to
 * the capture; a block of the same span needs a buffer twice as large; the time to build a
 * block of values grows with the number of values in the blocks before it. Errors: NO_SPACE
 * if @size is less than 320 plus twice the bytes of the build id; VALUE_SITES if the lists
 * are not held.
 */
BAREPROF_API int bareprof_capture_values(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * Clang's instrumentation calls these two functions: @value was seen at site @index, counted
 * over all sites of @record. As in compiler-rt, __llvm_profile_instrument_memop() records a
 * size above 8 that is not a power of two as the power of two below it plus 1, and all sizes
 * above 512 as 513.
 *
 * A known value is counted. A new value gets a node. If its site already has max_per_site
 * values, the new value gets no node of its own. It then replaces the rarest of these
 * values, if that one was counted at most once; otherwise the count of the rarest value is
 * reduced by one.
 *
 * Any context and CPU, also when one call interrupts another: of two new values at the same
 * moment, one is dropped. The counts are not atomic, so two CPUs that count the same value
 * at the same moment may lose a count.
 */
void __llvm_profile_instrument_target(uint64_t value, void *record, uint32_t index);
void __llvm_profile_instrument_memop(uint64_t value, void *record, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
