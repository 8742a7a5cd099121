/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * versions.c - from the contents of a profile to the version that holds them.
 */
#include "versions.h"
#include "indexed.h"
#include "sites.h"

/* Read by every release from 12 on. */
#define INDEX_COMMON 7u

/* A hash of clang 22 leaves these bits out. */
#define V4_MISSING (UINT64_C(15) << 60)
/*
 * Functions with few branches have a small number in place of a hash. Those
 * above this are hashes, of which one in sixteen has none of the upper bits set.
 */
#define HASH_LEAST (UINT64_C(1) << 48)
/* So many hashes without upper bits are no accident: one in 65,000. */
#define V4_CERTAIN 4u

unsigned int index_of_release(unsigned int release)
{
	static const uint8_t version[] = {7, 7, 8, 9, 10, 11, 12, 12, 12, 13};

	if (release < RELEASE_OLDEST)
		release = RELEASE_OLDEST;
	if (release > RELEASE_NEWEST)
		release = RELEASE_NEWEST;
	return version[release - RELEASE_OLDEST];
}

struct contents {
	bool bitmaps;
	bool vtables;
	bool traces;
	bool build_ids;
};

static struct contents contents_of(const struct model *model)
{
	struct contents contents = {
		.traces = model->variants & BAREPROF_VARIANT_TEMPORAL, .build_ids = model->build_ids.size > 0};
	size_t i;

	for (i = 0; i < model->count; i++) {
		const struct function *function = &model->functions[i];

		contents.bitmaps = contents.bitmaps || function->bitmap_size;
		contents.vtables = contents.vtables || (function->sites && function->sites->count[2]);
	}
	return contents;
}

unsigned int index_least(const struct model *model)
{
	struct contents contents = contents_of(model);
	unsigned int version = INDEX_COMMON;

	if (contents.build_ids)
		version = INDEXED_BUILD_IDS;
	if (contents.traces)
		version = INDEXED_TRACES;
	if (contents.bitmaps)
		version = INDEXED_BITMAPS;
	if (contents.vtables)
		version = INDEXED_VTABLES;
	if (hashes_of(model) == HASHES_V4)
		version = INDEXED_HASH_V4;
	return version;
}

void index_losses(const struct model *model, unsigned int version, struct buffer *text)
{
	struct contents contents = contents_of(model);
	const struct {
		bool lost;
		const char *what;
	} part[] = {
		{contents.bitmaps && version < INDEXED_BITMAPS, "MC/DC bitmaps"},
		{contents.vtables && version < INDEXED_VTABLES, "vtable values"},
		{contents.traces && version < INDEXED_TRACES, "temporal traces"},
		{contents.build_ids && version < INDEXED_BUILD_IDS, "build ids"},
	};
	size_t i;

	for (i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		if (part[i].lost)
			buffer_printf(text, "%s%s", text->size ? ", " : "", part[i].what);
}

void hashes_clue(struct hash_clues *clues, uint64_t hash)
{
	clues->upper = clues->upper || (hash & V4_MISSING);
	clues->without += hash >= HASH_LEAST;
}

enum hashes hashes_tell(const struct hash_clues *clues, uint64_t variants)
{
	if (variants & BAREPROF_VARIANT_IR)
		return HASHES_ANY;
	if (clues->upper)
		return HASHES_V3;
	return clues->without >= V4_CERTAIN ? HASHES_V4 : HASHES_ANY;
}

enum hashes hashes_of(const struct model *model)
{
	struct hash_clues clues = {0};
	size_t i;

	for (i = 0; i < model->count && !clues.upper; i++)
		hashes_clue(&clues, model->functions[i].hash);
	return hashes_tell(&clues, model->variants);
}

void hashes_to_v4(struct model *model)
{
	size_t i;

	for (i = 0; i < model->count; i++)
		model->functions[i].hash &= ~V4_MISSING;
}
