/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_walk.h - within the runtime: the layouts of records, and the walk that tries
 * one of them on an image. image.c chooses by it, diagnose.c explains.
 */
#ifndef BAREPROF_IMAGE_WALK_H
#define BAREPROF_IMAGE_WALK_H

#include <bareprof/bareprof.h>

/* Aligned loads from memory that has other types (records are 8-aligned). */
typedef uint16_t __attribute__((may_alias)) any_u16;
typedef uint32_t __attribute__((may_alias)) any_u32;
typedef uint64_t __attribute__((may_alias)) any_u64;
typedef uintptr_t __attribute__((may_alias)) any_ptr;

/* What the check needs of a layout: offsets within a record. */
struct bareprof_record_layout {
	uint8_t version;
	uint8_t end; /* of the last field; records follow each other in steps of 8 */
	uint8_t num_counters; /* u32; the value sites' u16s follow it */
	uint8_t bitmap_ptr; /* 0: version has no bitmaps */
	uint8_t bitmap_bytes;
};

/* Every layout, or only that of BAREPROF_RAW_VERSION: Kconfig says what that saves. */
#if defined(CONFIG_BAREPROF_ONE_LAYOUT) || defined(BAREPROF_ONE_LAYOUT)
#define BAREPROF_LAYOUTS 1
#else
#define BAREPROF_ONE_MORE(version, oldest, newest, words) +1
#define BAREPROF_LAYOUTS                                  (0 BAREPROF_RAW_RELEASES(BAREPROF_ONE_MORE))
#endif
BAREPROF_API extern const struct bareprof_record_layout bareprof_layouts[BAREPROF_LAYOUTS];

/*
 * Walk the records from @at on, as far as they fit the layout. Returns where
 * they stop to fit; the end of the section if all of them fit, but do not add
 * up to the sizes of the other sections; NULL if everything fits, and then
 * notes in @image what was learnt.
 */
BAREPROF_API const uint8_t *bareprof_walk(
	struct bareprof_image *image, const struct bareprof_record_layout *layout, const uint8_t *at);

#endif
