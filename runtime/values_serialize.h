/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_serialize.h - internal: functions and macros that the rest of the runtime needs for
 * value profiles. A build without BAREPROF_VALUES cannot write values, and refuses images that
 * have value sites.
 */
#ifndef BAREPROF_VALUES_SERIALIZE_H
#define BAREPROF_VALUES_SERIALIZE_H

#include <bareprof/values.h>

#include "atomic.h"

#if defined(CONFIG_BAREPROF_VALUES) || defined(BAREPROF_VALUES)
#define BAREPROF_SERVES_VALUES 1
#else
#define BAREPROF_SERVES_VALUES 0
#endif

/* Returns non-zero if the lists of @image are held, so that none of them changes. */
static inline BAREPROF_UNUSED int bareprof_lists_are_held(const struct bareprof_image *image)
{
	return BAREPROF_SERVES_VALUES && image->values && bareprof_load_relaxed(&image->values->held);
}

/*
 * Returns the epoch of @image. A dump or capture that was opened in another epoch is stale.
 * An epoch never occurs twice.
 */
static inline BAREPROF_UNUSED size_t bareprof_epoch(const struct bareprof_image *image)
{
	return image->generation + (BAREPROF_SERVES_VALUES ? image->live->releases : 0);
}

/*
 * Returns the start value of all bytes in section[BAREPROF_CNTS]: 0, or -1 for 0xff. A byte
 * counter is 0xff until its block of code has run.
 */
static inline BAREPROF_UNUSED int bareprof_counter_start(const struct bareprof_image *image)
{
	return image->shift ? 0 : -1;
}

/*
 * Returns the number of sections, from section[BAREPROF_CNTS] on, that a run of the image changes: 2,
 * or 4 in a machine profile with blocks.
 */
static inline BAREPROF_UNUSED unsigned int bareprof_live_sections(const struct bareprof_image *image)
{
	return BAREPROF_SERVES_BLOCKS && image->machine ? 4 : 2;
}

/*
 * Splits the third and the fourth of these sections into three parts. All bytes of one part have the same start
 * value. part[0] has the block bytes of `bareprof mip cc`, which start as image->machine. part[1] has the block bytes
 * of clang and part[2] the samples, which start as 0. @blocks is the third section of @image or of its snapshot.
 */
static inline BAREPROF_UNUSED void bareprof_split_blocks(
	struct bareprof_slice part[3], const struct bareprof_slice *blocks, const struct bareprof_image *image)
{
	part[0].start = blocks->start;
	part[1].size = image->section[BAREPROF_VALS].size;
	part[0].size = blocks->size - part[1].size;
	part[1].start = (const uint8_t *)blocks->start + part[0].size;
	part[2] = blocks[1];
}

/*
 * Copies @n bytes of the image's value data, from @offset on, to @to. @parts selects the
 * bytes that are counted and copied: headers with padding, the numbers of values of the
 * sites, or nodes. Returns the number of bytes copied, which is less than @n only at the
 * end. If @to is NULL, copies nothing and only returns the number.
 */
enum bareprof_part {
	BAREPROF_PART_HEADERS = 1,
	BAREPROF_PART_COUNTS = 2,
	BAREPROF_PART_NODES = 4,
	BAREPROF_PART_ALL = 7
};
BAREPROF_API size_t bareprof_read_values(
	const struct bareprof_image *image, unsigned int parts, size_t offset, uint8_t *to, size_t n);

/* Types for loads from memory that other code accesses as other types. */
typedef uint16_t __attribute__((may_alias)) bareprof_sites;
typedef struct bareprof_node **__attribute__((may_alias)) bareprof_heads;

/* Returns an array with the number of sites that the record has for each kind of value. */
static inline BAREPROF_UNUSED const bareprof_sites *bareprof_sites_of(
	const struct bareprof_values *values, const uint8_t *record)
{
	/*
	 * The last pointer of a record points to the list heads. After this pointer come the
	 * number of counters (4 bytes), and then the array that this function returns.
	 */
	return (const bareprof_sites *)(record + values->heads_at + sizeof(uintptr_t) + 4);
}

/* Returns the address of the record's pointer to its list heads. */
static inline BAREPROF_UNUSED bareprof_heads *bareprof_heads_of(
	const struct bareprof_values *values, const uint8_t *record)
{
	return (bareprof_heads *)(uintptr_t)(record + values->heads_at);
}

#endif
