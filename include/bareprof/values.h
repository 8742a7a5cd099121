/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.h - value profiling: which functions an indirect call went to, how large a
 * memcpy() was, which vtable an object had. In a few lines:
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
 * A site is a place in the code, and has a list of the values that were seen there.
 * Every value takes a node, out of what the compiler made room for (clang 18 and up
 * for bare metal) and of memory of the caller's. Nothing waits: what finds the lists
 * held or being changed is dropped, and counted as that. Lists only grow.
 *
 * The runtime has to be compiled with BAREPROF_VALUES defined (Kconfig sets it).
 */
#ifndef BAREPROF_VALUES_H
#define BAREPROF_VALUES_H

#include <bareprof/capture.h>
#include <bareprof/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value that was seen at a site, as the compiler lays it out in __llvm_prf_vnds. */
struct bareprof_node {
	uint64_t value;
	uint64_t count;
	struct bareprof_node *next; /* at the same site */
};

/* Memory for nodes, handed out and never taken back. */
struct bareprof_pool {
	char *start;
	char *next;
	char *end;
};

/*
 * The values of one image. The caller owns it, and keeps it and the memory given with
 * it until bareprof_values_remove(). All fields may be read.
 */
struct bareprof_values {
	struct bareprof_values *next; /* of another image */
	struct bareprof_image *image;
	struct bareprof_pool pool[2]; /* __llvm_prf_vnds, and the caller's */
	size_t max_per_site; /* values kept of a site */
	size_t dropped; /* values that were not noted, for want of room or because the lists were held */
	uintptr_t held; /* non-zero: a list is being changed, or none may change */
	size_t record_size; /* of the image, bytes */
	size_t heads_at; /* where a record says where its list heads are */
};

/*
 * bareprof_values_start - note the values of @image, whose layout is known, from now on;
 * until then they are dropped. They are kept in image->section[BAREPROF_VNDS], where the
 * compiler made room for them, and in the caller's @nodes, of which there are @n: all in
 * all there should be some two for each site.
 *
 * Where image->section[BAREPROF_VALS] is empty, as clang up to 17 leaves it for bare metal,
 * a part of @nodes is used for a pointer of each site, and the image's records must lie
 * in RAM: they are told where that is. (linker/bareprof-rom-values.ld puts them there.)
 *
 * What was noted before is forgotten, so call it again to start from nothing, and
 * bareprof_reset() with it: to the host lists only grow between resets (docs/SPEC.md, 1.9).
 * Nothing instrumented may run meanwhile on any CPU, and no dump be open. Errors: NO_SPACE; READ_ONLY if
 * the records are in ROM.
 */
BAREPROF_API int bareprof_values_start(
	struct bareprof_values *values, struct bareprof_image *image, struct bareprof_node *nodes, size_t n);

/*
 * bareprof_values_remove - note no more values of this image. Its open dumps become stale.
 * Not while another CPU is in here or in bareprof_values_start(). Another CPU that notes a
 * value just now may still look at *values: before that memory is used for anything else,
 * each CPU must have left the code that it was in.
 */
BAREPROF_API void bareprof_values_remove(struct bareprof_values *values);

/*
 * bareprof_values_hold - let no list change until bareprof_values_release(), so that the
 * image can be dumped: counts of known values go on, new values are dropped. Without it
 * bareprof_open() and bareprof_capture_values() say VALUE_SITES; what is still open at the
 * release becomes stale.
 *
 * Any context and CPU. BUSY if another holds them, or if a list is being changed right now,
 * by another CPU or by the code that this call interrupted: try again later. With @force it
 * never is; that is for panics, where all other CPUs have stopped and stay so.
 */
BAREPROF_API int bareprof_values_hold(struct bareprof_values *values, int force);
BAREPROF_API void bareprof_values_release(struct bareprof_values *values);

/*
 * bareprof_values_reset - set the counts of all values to zero, as bareprof_reset() does
 * among other things; after a bareprof_drain() it is the caller's to do (snapshot.h).
 * What is open does not become stale by it, but by the bareprof_values_release() later.
 */
BAREPROF_API void bareprof_values_reset(struct bareprof_values *values);

/*
 * bareprof_capture_values - as bareprof_capture_open(), with values: they take some 7 to
 * 12 bytes each. @buf must be twice as large for blocks as large. The time that a block of
 * values takes grows with what is before it. Errors: NO_SPACE if @size is less than 320 and
 * twice the bytes of the build id; VALUE_SITES.
 */
BAREPROF_API int bareprof_capture_values(
	struct bareprof_capture *capture, const struct bareprof_image *image, size_t nonce, void *buf, size_t size);

/*
 * What clang's instrumentation calls: @value was seen at site @index of all sites of
 * @record. Known values are counted; a new one gets a node, or if its site has as many
 * as are kept takes the place of the rarest when that has been outnumbered. Any
 * context and CPU, also in each other's midst: of two new values at once, one is dropped.
 * Counts are not atomic.
 */
void __llvm_profile_instrument_target(uint64_t value, void *record, uint32_t index);
void __llvm_profile_instrument_memop(uint64_t value, void *record, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
