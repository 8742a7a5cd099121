/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_values.c - writes value data exactly as runtime/values_serialize.c does. Each record with
 * value sites has a block. A block begins with its size and the number of value kinds that follow.
 * For each kind, the block has the id of the kind and the number of sites of that kind. Then follow
 * the number of values of each site, and the values with their counts.
 */
#include "rebuild_values.h"

#include <assert.h>
#include <bareprof/layout.h>
#include <inttypes.h>

/* The value data from the capture, without the bytes that were already written to the profile. */
struct left {
	struct bytes counts;
	struct bytes pairs;
};

static size_t sum_of(struct bytes counts)
{
	size_t sum = 0;
	size_t i;

	for (i = 0; i < counts.size; i++)
		sum += counts.data[i];
	return sum;
}

enum status rebuild_values_check(const struct value_source *parts, struct error *error)
{
	size_t told = sum_of(parts->counts);
	size_t came = parts->pairs.size / BAREPROF_VALUE_PAIR;

	if (told == came)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"contradicts itself: its value sites announce %zu values, but %zu arrived, because the value lists "
		"changed while they were sent; on the target, call bareprof_values_hold() before "
		"bareprof_capture_values(), call bareprof_values_release() after the last block, and dump again",
		told, came);
}

static struct bytes take_front(struct bytes *from, size_t size)
{
	struct bytes taken = {from->data, size};

	if (size)
		from->data += size;
	from->size -= size;
	return taken;
}

static void add_two(struct buffer *out, uint32_t first, uint32_t second, bool big)
{
	uint8_t numbers[BAREPROF_VALUE_HEAD];

	store_uint(numbers, first, 4, big);
	store_uint(numbers + 4, second, 4, big);
	buffer_add(out, numbers, sizeof(numbers));
}

static void add_zeros(struct buffer *out, size_t size)
{
	buffer_reserve(out, size);
	memset(out->data + out->size, 0, size);
	out->size += size;
}

static void add_kind(struct buffer *out, unsigned int kind, uint32_t sites, struct left *left, bool big)
{
	struct bytes counts = {NULL, 0};
	struct bytes pairs = {NULL, 0};

	if (left->counts.size) {
		counts = take_front(&left->counts, sites);
		pairs = take_front(&left->pairs, sum_of(counts) * BAREPROF_VALUE_PAIR);
	}
	add_two(out, kind, sites, big);
	buffer_add(out, counts.data, counts.size);
	add_zeros(out, sites - counts.size + BAREPROF_PAD8(sites));
	buffer_add(out, pairs.data, pairs.size);
}

static void add_block(struct buffer *out, const struct value_source *parts, const uint8_t *sites, struct left *left)
{
	size_t start = out->size;
	uint32_t kinds = 0;
	unsigned int kind;

	add_two(out, 0, 0, parts->big);
	for (kind = 0; kind < BAREPROF_VALUE_KINDS_OF(parts->version); kind++) {
		uint32_t count = (uint32_t)load_uint(sites + 2 * kind, 2, parts->big);

		if (!count)
			continue;
		add_kind(out, kind, count, left, parts->big);
		kinds++;
	}
	if (!kinds) {
		out->size = start;
		return;
	}
	/* The size cannot overflow, because a record has at most 3 * 65535 sites, and a site at most 255 values. */
	store_uint(out->data + start, out->size - start, 4, parts->big);
	store_uint(out->data + start + 4, kinds, 4, parts->big);
}

void rebuild_values(struct buffer *out, const struct value_source *parts)
{
	size_t size = BAREPROF_RECORD_SIZE(parts->version, parts->width);
	size_t at = BAREPROF_RECORD_VALUE_SITES(parts->version, parts->width);
	struct left left = {parts->counts, parts->pairs};
	size_t i;

	for (i = 0; i < parts->record_count; i++)
		add_block(out, parts, parts->records.data + i * size + at, &left);
	/*
	 * rebuild_values_check() and rebuild_check() have checked the number of sites and the
	 * number of values, so no data is left.
	 */
	assert(!left.counts.size && !left.pairs.size);
}
