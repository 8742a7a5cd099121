/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * versions.h - which data each index version can hold, which LLVM releases use it,
 * and which hashes of functions clang expects in it.
 */
#ifndef BAREPROF_HOST_VERSIONS_H
#define BAREPROF_HOST_VERSIONS_H

#include "model.h"

/* The LLVM releases whose index versions are known. */
#define RELEASE_OLDEST 13u
#define RELEASE_NEWEST 22u

/*
 * index_version_of_release - returns the index version that LLVM @release writes. The release
 * reads all index versions up to that one.
 */
unsigned int index_version_of_release(unsigned int release);

/*
 * index_min_version - returns the lowest index version that can hold everything in @model, at
 * least 7, which all known releases read. @model must be sorted.
 */
unsigned int index_min_version(const struct model *model);

/* contents_of - returns which kinds of data @model has. Not every index version can hold these kinds. */
struct contents {
	bool bitmaps;
	bool vtables;
	bool traces;
	bool loops; /* loop entries are counted */
	bool build_ids;
};

struct contents contents_of(const struct model *model);

/*
 * How clang hashed the functions of a front-end profile. -fprofile-instr-use concludes this from
 * the index version: with 13 it expects hashes of clang 22, whose upper four bits are 0, with 6 to
 * 12 those of older releases. In a profile with the wrong version clang finds no function, and it
 * does not warn.
 */
enum hashes {
	HASHES_ANY, /* old and new hashes are equal: not a front-end profile, or only small functions */
	HASHES_V3, /* clang 11 to 21 */
	HASHES_V4, /* clang 22 */
	HASHES_BOTH, /* a merge of profiles with old and new hashes: HASHES_V3 | HASHES_V4 */
};

/*
 * hashes_of - finds out how the functions of @model were hashed. If only one function has a hash
 * that differs between the two, the result HASHES_V4 is wrong in one of 16 cases.
 */
enum hashes hashes_of(const struct model *model);

/*
 * The steps of hashes_of(), for one function after the other. hashes_clue - adds the @hash of a
 * function to @clues, which start as all zeros. hashes_tell - returns the result, except
 * HASHES_BOTH.
 */
struct hash_clues {
	bool upper; /* a hash has upper bits */
	bool without; /* a hash has no upper bits, and its function is not a small one */
};

void hashes_clue(struct hash_clues *clues, struct bytes name, uint64_t hash);
enum hashes hashes_tell(const struct hash_clues *clues, uint64_t variants);

/* hashes_to_v4 - turns hashes of V3 into V4, which cannot be undone. Call model_sort() after that. */
void hashes_to_v4(struct model *model);

#endif
