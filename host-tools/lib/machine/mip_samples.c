/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_samples.c - makes edges of the call graph from the samples of return addresses in a raw profile. */
#include "mip_samples.h"
#include "mip_header.h"

#include <inttypes.h>
#include <stdlib.h>

/* A function by the offset of its call entry. */
struct entry {
	uint64_t raw;
	uint32_t index;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;

	return compare_uint(a->raw, b->raw);
}

static struct entry *list_entries(const struct mip_profile *profile, size_t *count)
{
	struct entry *entries = allocate(profile->count + 1, sizeof(*entries));
	size_t i;

	*count = 0;
	for (i = 0; i < profile->count; i++)
		if (profile->functions[i].kinds & BAREPROF_MIP_KIND_RETURNS)
			entries[(*count)++] = (struct entry){profile->functions[i].raw, (uint32_t)i};
	qsort(entries, *count, sizeof(*entries), compare_entries);
	return entries;
}

static int compare_edges(const void *left, const void *right)
{
	const struct mip_edge *a = left;
	const struct mip_edge *b = right;

	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	return compare_uint(a->site, b->site);
}

void mip_samples_join(struct mip_profile *profile)
{
	struct mip_edge *edges = profile->edges;
	size_t count = 0;
	size_t i;

	if (!profile->edge_count)
		return;
	qsort(edges, profile->edge_count, sizeof(*edges), compare_edges);
	for (i = 0; i < profile->edge_count; i++) {
		if (count && !compare_edges(&edges[count - 1], &edges[i]))
			edges[count - 1].samples = add_saturating(edges[count - 1].samples, edges[i].samples);
		else
			edges[count++] = edges[i];
	}
	profile->edge_count = count;
}

/*
 * Returns the address of a call site, or 0. The section of call entries and the code move together when a loader moves
 * them.
 */
static uint64_t site_address(const struct mip_profile *profile, uint32_t distance)
{
	uint64_t start = profile->section[MIP_CALLS].address;
	uint64_t address = start + (uint64_t)(int64_t)(int32_t)distance;

	if (!distance || !start || profile->relative)
		return 0;
	return profile->width == 4 ? (uint32_t)address : address;
}

static void tell(struct buffer *note, uint64_t foreign, uint64_t lost)
{
	if (foreign)
		buffer_add_clause(
			note, "%" PRIu64 " samples are not of functions of this image, and are left out", foreign);
	if (lost)
		buffer_add_clause(
			note, "%" PRIu64 " samples were replaced by later ones, because the ring was full", lost);
}

enum status mip_samples_add(
	struct mip_profile *profile, const struct mip_raw *raw, struct buffer *note, struct error *error)
{
	struct bytes ring = raw->section[MIP_SAMPLES];
	enum status status = STATUS_OK;
	uint64_t foreign = 0, slots, taken, i;
	struct entry *entries;
	size_t count;

	if (!ring.size)
		return STATUS_OK;
	slots = (ring.size - BAREPROF_MIP_SAMPLES_HEADER) / BAREPROF_MIP_SAMPLE_SIZE;
	if (ring.size < BAREPROF_MIP_SAMPLES_HEADER + BAREPROF_MIP_SAMPLE_SIZE ||
		ring.size % BAREPROF_MIP_SAMPLE_SIZE || (slots & (slots - 1)))
		return error_set(error, STATUS_INVALID_INPUT,
			"has a ring of samples with %zu bytes, but a ring has %u bytes and then a power of two of "
			"slots of %u bytes; define the ring with BAREPROF_MIP_RING()",
			ring.size, BAREPROF_MIP_SAMPLES_HEADER, BAREPROF_MIP_SAMPLE_SIZE);
	entries = list_entries(profile, &count);
	taken = load_uint(ring.data + BAREPROF_MIP_SAMPLES_TAKEN, 4, raw->big);
	for (i = 0; i < slots && status == STATUS_OK; i++) {
		const uint8_t *slot = ring.data + BAREPROF_MIP_SAMPLES_HEADER + i * BAREPROF_MIP_SAMPLE_SIZE;
		uint32_t callee = (uint32_t)load_uint(slot + BAREPROF_MIP_SAMPLE_CALLEE, 4, raw->big);
		uint32_t site = (uint32_t)load_uint(slot + BAREPROF_MIP_SAMPLE_SITE, 4, raw->big);
		struct entry key = {.raw = (uint64_t)callee - 1};
		const struct entry *entry;

		if (!callee)
			continue;
		entry = bsearch(&key, entries, count, sizeof(*entries), compare_entries);
		if (entry)
			mip_profile_add_edge(profile, &(struct mip_edge){entry->index, site_address(profile, site), 1});
		else if (key.raw >= profile->section[MIP_CALLS].size)
			foreign++;
		else
			status = error_set(error, STATUS_INVALID_INPUT,
				"has a damaged sample in slot %" PRIu64
				": no function with samples has its call entry at "
				"offset %" PRIu64 HINT_FETCH_AGAIN,
				i, key.raw);
	}
	free(entries);
	mip_samples_join(profile);
	if (status == STATUS_OK)
		tell(note, foreign, taken > slots ? taken - slots : 0);
	return status;
}
