/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value_block.c - reads a value block. A block begins with its total size and the number of value
 * kinds that follow. The block has the same fields for each kind: the id of the kind, the number of
 * sites, one byte for each site, padding, and pairs. The byte of a site is the number of values at
 * that site. A pair consists of a value and its count.
 */
#include "value_block.h"

#include <bareprof/layout.h>

/*
 * Reads the pairs of one kind, but not more pairs than @pairs contains. The numbers
 * in @counts were checked before, but the bytes of a mapped file can change after the check.
 */
static void read_pairs(struct site *site, uint32_t sites, const uint8_t *counts, struct bytes pairs, bool big)
{
	const uint8_t *at = pairs.data;
	size_t left = pairs.size / BAREPROF_VALUE_PAIR;
	uint32_t i;
	size_t j;

	for (i = 0; i < sites; i++) {
		size_t count = counts[i] < left ? counts[i] : left;

		if (!count)
			continue;
		left -= count;
		site[i] = (struct site){allocate(count, sizeof(struct value)), count};
		for (j = 0; j < count; j++, at += BAREPROF_VALUE_PAIR)
			site[i].values[j] = (struct value){load_uint(at, 8, big), load_uint(at + 8, 8, big)};
	}
}

static bool take_kind(struct bytes *rest, bool big, unsigned int kinds, uint32_t *counts, struct sites *sites)
{
	struct bytes site_counts;
	struct bytes pairs;
	uint64_t pair_count = 0;
	uint64_t head;
	uint64_t kind;
	uint64_t count;
	size_t i;

	if (rest->size < BAREPROF_VALUE_HEAD)
		return false;
	kind = load_uint(rest->data, 4, big);
	count = load_uint(rest->data + 4, 4, big);
	if (kind >= kinds || counts[kind] || !bytes_slice(*rest, BAREPROF_VALUE_HEAD, count, &site_counts))
		return false;
	for (i = 0; i < site_counts.size; i++)
		pair_count += site_counts.data[i];
	/* These sizes cannot overflow, because there are at most 2^32 sites with 255 pairs each. */
	head = BAREPROF_VALUE_HEAD + count + BAREPROF_PAD8(count);
	if (!bytes_slice(*rest, head, pair_count * BAREPROF_VALUE_PAIR, &pairs))
		return false;
	counts[kind] = (uint32_t)count;
	if (sites && count) {
		sites->count[kind] = (uint32_t)count;
		sites->site[kind] = allocate(count, sizeof(struct site));
		read_pairs(sites->site[kind], (uint32_t)count, site_counts.data, pairs, big);
	}
	rest->data += head + pairs.size;
	rest->size -= (size_t)head + pairs.size;
	return true;
}

bool value_block_take(struct bytes *rest, bool big, unsigned int kinds, uint32_t *counts, struct sites *sites)
{
	struct bytes block;
	uint64_t count;
	unsigned int i;

	for (i = 0; i < PROFILE_KINDS; i++)
		counts[i] = 0;
	if (rest->size < BAREPROF_VALUE_HEAD || !bytes_slice(*rest, 0, load_uint(rest->data, 4, big), &block) ||
		block.size < BAREPROF_VALUE_HEAD || block.size % 8)
		return false;
	count = load_uint(block.data + 4, 4, big);
	rest->data += block.size;
	rest->size -= block.size;
	block.data += BAREPROF_VALUE_HEAD;
	block.size -= BAREPROF_VALUE_HEAD;
	while (count--)
		if (!take_kind(&block, big, kinds, counts, sites))
			return false;
	return !block.size;
}
