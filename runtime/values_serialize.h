/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values_serialize.h - within the runtime: what values are to the rest of it. Without
 * BAREPROF_VALUES the rest knows only that it cannot write them.
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

/* Non-zero if no list of @image can change. */
static inline BAREPROF_UNUSED int bareprof_lists_are_held(const struct bareprof_image *image)
{
	return BAREPROF_SERVES_VALUES && image->values && bareprof_load_relaxed(&image->values->held);
}

/* What an open dump or capture has to find unchanged. Both numbers only grow. */
static inline BAREPROF_UNUSED size_t bareprof_epoch(const struct bareprof_image *image)
{
	return image->generation + (BAREPROF_SERVES_VALUES ? image->live->releases : 0);
}

/*
 * Put @n bytes at @offset of the value data of @image at @to; or of them only how many
 * values each site has, or only the values. Returns how many bytes that were. With NULL
 * for @to they are only counted.
 */
#define BAREPROF_PART_HEADERS 1u
#define BAREPROF_PART_COUNTS  2u
#define BAREPROF_PART_NODES   4u
#define BAREPROF_PART_ALL     7u
BAREPROF_API size_t bareprof_read_values(
	const struct bareprof_image *image, unsigned int parts, size_t offset, uint8_t *to, size_t n);

/* Loads from memory that has other types. */
typedef uint16_t __attribute__((may_alias)) bareprof_sites;
typedef struct bareprof_node **__attribute__((may_alias)) bareprof_heads;

/* How many sites of each kind of value a record has. */
static inline BAREPROF_UNUSED const bareprof_sites *bareprof_sites_of(
	const struct bareprof_values *values, const uint8_t *record)
{
	/* Behind the last pointer and the number of counters. */
	return (const bareprof_sites *)(record + values->heads_at + sizeof(uintptr_t) + 4);
}

/* Where a record says its list heads are. */
static inline BAREPROF_UNUSED bareprof_heads *bareprof_heads_of(
	const struct bareprof_values *values, const uint8_t *record)
{
	return (bareprof_heads *)(uintptr_t)(record + values->heads_at);
}

#endif
