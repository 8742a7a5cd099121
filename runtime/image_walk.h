/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_walk.h - internal: the record layouts, and the walk, which checks an image against
 * one record layout. image.c uses the walk to find the layout of an image; image_diagnose.c
 * and image_weak_duplicates.c use it to find out why no layout fits.
 */
#ifndef BAREPROF_IMAGE_WALK_H
#define BAREPROF_IMAGE_WALK_H

#include <bareprof/bareprof.h>

/* Types for aligned loads from memory that other code accesses as other types. Records are aligned to 8 bytes. */
typedef uint16_t __attribute__((may_alias)) any_u16;
typedef uint32_t __attribute__((may_alias)) any_u32;
typedef uint64_t __attribute__((may_alias)) any_u64;
typedef uintptr_t __attribute__((may_alias)) any_ptr;

/* The part of a record layout that the check needs: offsets within a record, in bytes. */
struct bareprof_record_layout {
	uint8_t version;
	uint8_t end; /* the end of the last field; rounded up to a multiple of 8, it is the size of a record */
	uint8_t num_counters; /* a u32, which is followed by the numbers of value sites, each a u16 */
	uint8_t bitmap_ptr; /* 0: this version has no bitmaps */
	uint8_t bitmap_bytes;
};

/*
 * The number of layouts: all, or only the layout of BAREPROF_RAW_VERSION. The help text in
 * Kconfig shows how much memory one layout saves.
 */
#if defined(CONFIG_BAREPROF_ONE_LAYOUT) || defined(BAREPROF_ONE_LAYOUT)
#define BAREPROF_LAYOUTS 1
#else
#define BAREPROF_ONE_MORE(version, oldest, newest, words) +1
#define BAREPROF_LAYOUTS                                  (0 BAREPROF_RAW_RELEASES(BAREPROF_ONE_MORE))
#endif
BAREPROF_API extern const struct bareprof_record_layout bareprof_layouts[BAREPROF_LAYOUTS];

/*
 * Checks the records from @at on against @layout. Returns
 *
 *	NULL          all records fit, and their sizes add up to the sizes of the other
 *	              sections; only then image->records and image->value_sites are set
 *	the end       all records fit, but overlap or leave gaps
 *	else          the first record that does not fit
 */
BAREPROF_API const uint8_t *bareprof_walk(
	struct bareprof_image *image, const struct bareprof_record_layout *layout, const uint8_t *at);

#endif
