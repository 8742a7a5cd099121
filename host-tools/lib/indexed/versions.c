/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * versions.c - finds the index version that the contents of a profile need, and the kind of structural hashes that its
 * functions have.
 */
#include "versions.h"
#include "indexed.h"
#include "sites.h"

#include <ctype.h>

/* The index version that all LLVM releases from 12 on read. */
#define INDEX_COMMON 7u

/* The bits that are always 0 in a front-end hash of clang 22. */
#define V4_MISSING (UINT64_C(15) << 60)
/*
 * The hash of a small function is a list of its statements. In the hash, each statement is a number of LIST_DIGIT bits,
 * and the number is at most LIST_MAX. All clang releases compute the same hash for a small function. The hash of a
 * larger function is a part of an MD5. With clang before 22, 15 of 16 larger functions have a hash in which at least
 * one of the upper 4 bits is set.
 */
#define LIST_DIGIT 6u
#define LIST_MAX   32u

unsigned int index_version_of_release(unsigned int release)
{
	static const uint8_t version[] = {7, 7, 8, 9, 10, 11, 12, 12, 12, 13};

	if (release < RELEASE_OLDEST)
		release = RELEASE_OLDEST;
	if (release > RELEASE_NEWEST)
		release = RELEASE_NEWEST;
	return version[release - RELEASE_OLDEST];
}

unsigned int release_of_index_version(unsigned int version)
{
	unsigned int release = RELEASE_OLDEST;

	while (release < RELEASE_NEWEST && index_version_of_release(release) < version)
		release++;
	return release;
}

struct contents contents_of(const struct model *model)
{
	struct contents contents = {
		.traces = model->variants & BAREPROF_VARIANT_TEMPORAL,
		.loops = model->variants & BAREPROF_VARIANT_LOOP_ENTRIES,
		.build_ids = model->build_ids.size > 0,
	};
	size_t i;

	for (i = 0; i < model->count; i++) {
		const struct function *function = &model->functions[i];

		contents.bitmaps = contents.bitmaps || function->bitmap_size;
		contents.vtables = contents.vtables || (function->sites && function->sites->count[2]);
	}
	return contents;
}

unsigned int index_min_version(const struct model *model)
{
	struct contents contents = contents_of(model);
	unsigned int version = INDEX_COMMON;

	if (contents.build_ids)
		version = INDEXED_BUILD_IDS;
	if (contents.traces)
		version = INDEXED_TRACES;
	if (contents.bitmaps)
		version = INDEXED_BITMAPS;
	if (contents.loops && version < INDEXED_LOOPS)
		version = INDEXED_LOOPS;
	if (contents.vtables)
		version = INDEXED_VTABLES;
	if (hashes_of(model) == HASHES_V4)
		version = INDEXED_HASH_V4;
	if (model->memprof.inputs == 1 && version < model->memprof.version)
		version = model->memprof.version;
	return version;
}

static bool is_list(uint64_t hash)
{
	for (; hash; hash >>= LIST_DIGIT) {
		uint64_t digit = hash & ((1u << LIST_DIGIT) - 1);

		if (!digit || digit > LIST_MAX)
			return false;
	}
	return true;
}

/*
 * Returns whether @name is the mangled name of a Rust function. Coverage profiles of rustc are
 * front-end profiles too, but clang never looks for the hashes of their functions.
 */
static bool is_rust(struct bytes name)
{
	return name.size > 2 && name.data[0] == '_' && name.data[1] == 'R' &&
	       (isupper(name.data[2]) || isdigit(name.data[2]));
}

void hashes_clue(struct hash_clues *clues, struct bytes name, uint64_t hash)
{
	if (is_rust(name))
		return;
	clues->upper = clues->upper || (hash & V4_MISSING);
	clues->without = clues->without || (!(hash & V4_MISSING) && !is_list(hash));
}

enum hashes hashes_tell(const struct hash_clues *clues, uint64_t variants)
{
	if (variants & BAREPROF_VARIANT_IR)
		return HASHES_ANY;
	if (clues->upper)
		return HASHES_V3;
	return clues->without ? HASHES_V4 : HASHES_ANY;
}

/*
 * Returns whether the model has a function with @hash from index @low to @high - 1. These functions
 * have the same name and are sorted by hash.
 */
static bool has_hash(const struct model *model, size_t low, size_t high, uint64_t hash)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (model->functions[middle].hash == hash)
			return true;
		if (model->functions[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

enum hashes hashes_of(const struct model *model)
{
	struct hash_clues clues = {0};
	bool front_end = !(model->variants & BAREPROF_VARIANT_IR);
	size_t first = 0; /* index of the first function with the current name */
	size_t i;

	for (i = 0; i < model->count && front_end; i++) {
		const struct function *function = &model->functions[i];

		if (function->reference != model->functions[first].reference)
			first = i;
		hashes_clue(&clues, function->name, function->hash);
		/* A profile that has a function with its old and its new hash is a merge of old and new profiles. */
		if ((function->hash & V4_MISSING) && !is_rust(function->name) &&
			has_hash(model, first, i, function->hash & ~V4_MISSING))
			return HASHES_BOTH;
	}
	return hashes_tell(&clues, model->variants);
}

uint64_t hash_v4(uint64_t hash)
{
	return hash & ~V4_MISSING;
}

void hashes_to_v4(struct model *model)
{
	size_t i;

	for (i = 0; i < model->count; i++)
		if (!is_rust(model->functions[i].name))
			model->functions[i].hash = hash_v4(model->functions[i].hash);
}
