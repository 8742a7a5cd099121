/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.h - value profiling. Records the functions that an indirect call went to, the
 * sizes that memcpy() copied, and the vtables of objects. An example of its use:
 *
 *	BAREPROF_STATE;
 *	static struct bareprof_values values;
 *	static struct bareprof_node nodes[1000];
 *
 *	bareprof_image_self(&image);
 *	bareprof_values_start(&values, &image, nodes, 1000);
 *	...
 *	bareprof_values_hold(&values, 0);              no list changes until the release
 *	n = bareprof_write(&dump, &image, buf, size);  the same call as without values
 *	bareprof_values_release(&values);
 *
 * A site is a location in the code. It has a list of the values that were seen there, one
 * node for each value:
 *
 *	record ---> list head of site 0 ---> node: value, count ---> node ---> NULL
 *	            list head of site 1 ---> NULL
 *
 * Nodes are first taken from __llvm_prf_vnds, where the compiler reserved memory, and then
 * from the caller's memory. For bare metal, only clang 18 and later reserve this memory. No
 * function waits. If the lists are held or being changed when a new value is seen, the
 * value is dropped, and counted as dropped. Lists never become shorter.
 *
 * The runtime must be compiled with BAREPROF_VALUES defined (the Kconfig option
 * BAREPROF_VALUES does this).
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

/* Memory for nodes. A node that was taken from this memory is never given back. */
struct bareprof_pool {
	char *start;
	char *next;
	char *end;
};

/*
 * The values of one image. The caller owns this struct and the memory for nodes, and keeps
 * both in place until bareprof_values_remove(). The caller may read all fields.
 */
struct bareprof_values {
	struct bareprof_values *next; /* the values of the next image in the list of BAREPROF_STATE */
	struct bareprof_image *image;
	struct bareprof_pool pool[2]; /* [0]: __llvm_prf_vnds, [1]: the caller's memory */
	size_t max_per_site; /* maximum number of values that a site keeps */
	size_t dropped; /* number of values that were not recorded, because nodes were used up or the lists were held */
	uintptr_t held; /* non-zero: the lists are held, or a CPU is changing a list */
	size_t record_size; /* size of a record of the image, bytes */
	size_t heads_at; /* offset of the pointer to the list heads in a record, bytes */
};

/*
 * bareprof_values_start - starts to record the values of @image, which
 * bareprof_image_init() has accepted. Values seen before this call are dropped.
 *
 * Nodes are in image->section[BAREPROF_VNDS], where the compiler reserved memory for them,
 * and in the caller's array @nodes of @n nodes. Both together should have about two nodes
 * for each site.
 *
 * For bare metal, clang up to 17 makes no list heads, so image->section[BAREPROF_VALS] is
 * empty. In this case the call uses the end of @nodes for list heads, one pointer for each
 * site, and writes their address into the records. The records must then be in RAM.
 * (linker/bareprof-rom-values.ld puts records into RAM.)
 *
 * A second call for an image starts with empty lists: all values recorded before are lost.
 * After a second call, also call bareprof_reset(), because the host expects that lists only
 * grow between two resets (docs/SPEC.md, 1.9). During the call no instrumented code may run
 * on any CPU, and no dump may be open. Errors: NO_SPACE if @nodes is too small for the list
 * heads; READ_ONLY if the call has to write to the records and the records are in ROM.
 */
BAREPROF_API int bareprof_values_start(
	struct bareprof_values *values, struct bareprof_image *image, struct bareprof_node *nodes, size_t n);

/*
 * bareprof_values_remove - stops recording the values of the image to which @values
 * belongs. Open dumps of the image become stale. Only one CPU at a time may be in this
 * function or in bareprof_values_start(). A CPU that is recording a value during the call
 * may still use *values and its nodes after the call. So before you reuse this memory, wait
 * until every CPU has left the instrumented code in which it was during the call.
 */
BAREPROF_API void bareprof_values_remove(struct bareprof_values *values);

/*
 * bareprof_values_hold - keeps all lists as they are until bareprof_values_release(), so
 * that the image can be dumped. Counts of known values still grow; new values are dropped.
 * While the lists are not held, bareprof_open() and bareprof_capture_values() return
 * VALUE_SITES.
 *
 * Errors: BUSY if the lists are already held, or if another CPU or the code that this call
 * interrupted is changing a list. After BUSY try again later. If @force is not 0, the
 * function never returns BUSY. Use @force only in a panic, when all other CPUs have stopped
 * for good.
 *
 * bareprof_values_release - lets the lists change again. Open dumps of the image become
 * stale. Both functions may be called in any context and on any CPU.
 */
BAREPROF_API int bareprof_values_hold(struct bareprof_values *values, int force);
BAREPROF_API void bareprof_values_release(struct bareprof_values *values);

/*
 * bareprof_values_reset - sets the counts of all values to zero. bareprof_reset() sets
 * these counts to zero too. bareprof_drain() does not, so the caller has to call
 * bareprof_values_reset() after it (snapshot.h). Open dumps stay valid until
 * bareprof_values_release().
 */
BAREPROF_API void bareprof_values_reset(struct bareprof_values *values);

/*
 * bareprof_capture_values - prepares a capture of counters, bitmaps and values. It works
 * like bareprof_capture_open(), with three differences. Each value adds 7 to 12 bytes to
 * the capture. For the same span, the buffer must be twice as large. The time to build a
 * block of values grows with the number of values in earlier blocks. Errors: NO_SPACE
 * if @size is less than 320 plus twice the bytes of the build id; VALUE_SITES if the lists
 * are not held.
 */
BAREPROF_API int bareprof_capture_values(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * These two functions record that @value was seen at a site of @record. Clang's
 * instrumentation calls them. @index is the number of the site among all sites of the
 * record. As in compiler-rt, __llvm_profile_instrument_memop() records a size above 8 that
 * is not a power of two as the next lower power of two plus 1. It records all sizes above
 * 512 as 513.
 *
 * The count of a known value grows by one. A new value gets a node if its site has fewer
 * than max_per_site values. If the site is full, the value with the smallest count decides.
 * If this count is at most 1, the new value replaces that value. Otherwise this count is
 * reduced by one.
 *
 * Both functions may be called in any context and on any CPU, also while another call is in
 * progress or interrupted. If two new values are seen at the same moment, one of them is
 * dropped. Increments of the counts are not atomic. If two CPUs count the same value at the
 * same moment, one increment may be lost.
 */
void __llvm_profile_instrument_target(uint64_t value, void *record, uint32_t index);
void __llvm_profile_instrument_memop(uint64_t value, void *record, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
