/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * versions.h - which index version holds what, which LLVM release reads and
 * writes it, and which hashes of functions clang then looks for in it.
 */
#ifndef BAREPROF_HOST_VERSIONS_H
#define BAREPROF_HOST_VERSIONS_H

#include "model.h"

/* The releases whose versions are known. */
#define RELEASE_OLDEST 13u
#define RELEASE_NEWEST 22u

/* index_version_of_release - the index version that LLVM release @release writes; it reads all up to it. */
unsigned int index_version_of_release(unsigned int release);

/*
 * index_min_version - the version that most releases read of those that lose nothing
 * of @model, which must be sorted.
 */
unsigned int index_min_version(const struct model *model);

/* contents_of - what is in a profile that not every version has a place for. */
struct contents {
	bool bitmaps;
	bool vtables;
	bool traces;
	bool loops; /* counted at their entries */
	bool build_ids;
};

struct contents contents_of(const struct model *model);

/*
 * How clang hashed the functions of a front-end profile. -fprofile-instr-use
 * takes the index version for the hash's: 13 is for hashes of clang 22, whose
 * upper four bits are zero, 6 to 12 for those before. Of a profile with the wrong one
 * clang finds no function and says nothing.
 */
enum hashes {
	HASHES_ANY, /* not a front-end profile, or only of small functions: no matter */
	HASHES_V3, /* clang 11 to 21 */
	HASHES_V4, /* clang 22 */
	HASHES_BOTH, /* of both, merged: HASHES_V3 | HASHES_V4 */
};

/* hashes_of - of those of @model that tell. One alone that seems to be of V4 is of V3 in one case of 16. */
enum hashes hashes_of(const struct model *model);

/* hashes_clue - the same in pieces: take one function's @hash into @clues, which start as all zeros; hashes_tell - what they say. */
struct hash_clues {
	bool upper; /* one has upper bits */
	bool without; /* one that should have some has none */
};

void hashes_clue(struct hash_clues *clues, struct bytes name, uint64_t hash);
enum hashes hashes_tell(const struct hash_clues *clues, uint64_t variants);

/* hashes_to_v4 - turn hashes of V3 into V4 (the other way is not possible). Sort again after it. */
void hashes_to_v4(struct model *model);

#endif
