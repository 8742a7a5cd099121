/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * versions.h - facts about index versions: the data that each version can hold, the version that
 * each LLVM release uses, and the hashes of functions that clang expects in each version.
 */
#ifndef BAREPROF_HOST_VERSIONS_H
#define BAREPROF_HOST_VERSIONS_H

#include "model.h"

/* The oldest and the newest LLVM release whose index version is known. */
#define RELEASE_OLDEST 13u
#define RELEASE_NEWEST 22u

/*
 * index_version_of_release - returns the index version that LLVM release @release writes. That
 * release reads all index versions up to the returned version. A release outside of the known range is
 * treated like the nearest known release.
 */
unsigned int index_version_of_release(unsigned int release);

/*
 * release_of_index_version - returns the oldest known release that reads the index version @version. If no known release
 * reads it, returns the newest one.
 */
unsigned int release_of_index_version(unsigned int version);

/*
 * index_min_version - returns the lowest index version that can hold everything in @model. The
 * result is at least 7, which all known releases read. @model must be sorted.
 */
unsigned int index_min_version(const struct model *model);

/* The kinds of data that a model contains and that some index versions cannot hold. */
struct contents {
	bool bitmaps;
	bool vtables;
	bool traces;
	bool loops; /* the profile counts loop entries */
	bool build_ids;
};

struct contents contents_of(const struct model *model);

/*
 * The kind of hashes that the functions of a front-end profile have. When clang reads a profile with
 * -fprofile-instr-use, clang concludes the kind from the index version. In version 13, clang expects hashes of clang
 * 22, whose upper 4 bits are 0. In versions 6 to 12, clang expects hashes of older releases. If the version is wrong,
 * clang finds none of the functions and does not warn.
 */
enum hashes {
	/* the kind makes no difference, because the profile is not a front-end profile or has only small functions */
	HASHES_ANY,
	HASHES_V3, /* hashes of clang 11 to 21 */
	HASHES_V4, /* hashes of clang 22 */
	HASHES_BOTH, /* HASHES_V3 | HASHES_V4: a merge of profiles with old and new hashes */
};

/*
 * hashes_of - returns the kind of hashes that the functions of @model have. If only one function has a hash that can
 * differ between old and new releases, the result HASHES_V4 is wrong with a probability of 1/16.
 */
enum hashes hashes_of(const struct model *model);

/*
 * Facts about the hashes of a profile. A caller that reads one function at a time uses hashes_clue() and hashes_tell()
 * instead of hashes_of().
 * hashes_clue - adds the facts about one function, whose hash is @hash, to @clues. Before the first call @clues is all
 * zeros.
 * hashes_tell - returns the kind of hashes that the functions in @clues have. @variants are the variants of the
 * profile. The result is never HASHES_BOTH.
 */
struct hash_clues {
	bool upper; /* one of the upper 4 bits is set in at least one hash */
	bool without; /* at least one function that is not small has a hash whose upper 4 bits are 0 */
};

void hashes_clue(struct hash_clues *clues, struct bytes name, uint64_t hash);
enum hashes hashes_tell(const struct hash_clues *clues, uint64_t variants);

/*
 * hash_v4 - returns the structural hash that clang 22 computes for a function for which earlier releases compute @hash.
 * hashes_to_v4 - replaces old hashes (HASHES_V3) by new hashes (HASHES_V4). This cannot be undone.
 * The caller must call model_sort() afterwards.
 */
uint64_t hash_v4(uint64_t hash);
void hashes_to_v4(struct model *model);

#endif
