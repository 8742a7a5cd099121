/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * side.h - one of the two sides of a comparison: the functions of a profile with their counts, or the functions of a
 * program, which has no counts.
 */
#ifndef BAREPROF_HOST_SIDE_H
#define BAREPROF_HOST_SIDE_H

#include "completion.h"
#include "input.h"
#include "names.h"
#include "versions.h"

struct side_function {
	uint64_t reference; /* hash of the name, or of the name that sides_follow_names() found on the other side */
	uint64_t hash; /* structural hash as in the file */
	uint64_t compared_hash; /* the hash by which the sides are compared, see sides_ignore_upper_bits() */
	struct bytes name;
	uint32_t counter_count;
	uint64_t sum; /* sum of its counts; stays at 2^64 - 1 instead of overflowing */
	uint64_t highest; /* maximum of its counts */
	const struct function *counted; /* the function with its counts; NULL: it comes from a program */
	bool matched; /* the other side has a function with this name, hash and number of counters */
};

struct side {
	const char *path;
	bool is_program;
	uint64_t variants;
	enum hashes hashes;
	struct side_function *functions; /* sorted by name hash, then by compared hash */
	size_t count;
	uint64_t sum; /* sum of all counts; stays at 2^64 - 1 instead of overflowing */
	uint64_t context_sensitive; /* number of functions that sides_prepare() left out */

	/* The following members own the memory to which the functions point. */
	struct input input;
	struct model model;
	struct program program;
	struct names names;
	struct completion_report report;
};

/*
 * side_is_program - returns whether the file at @path is an ELF file. Only regular files are read to find this out,
 * because a pipe can be read only once.
 */
bool side_is_program(const char *path);

/*
 * side_read - reads the profile or program at @path ("-": standard input, a profile). @completion says how to complete a
 * profile without records. The caller frees @side with side_free(), also after an error. Errors: SYSTEM, INVALID_INPUT.
 */
enum status side_read(
	struct side *side, const char *path, const struct completion_options *completion, struct error *error);
void side_free(struct side *side);
/* side_sort - sorts the functions of @side after their name hashes or compared hashes changed. */
void side_sort(struct side *side);

/*
 * sides_prepare - checks that the functions of @a and @b can be compared. If only one side is context-sensitive, leaves
 * out its context-sensitive functions. Call it once. Errors: INVALID_INPUT if the sides have different kinds of counts.
 */
enum status sides_prepare(struct side *a, struct side *b, struct error *error);

/*
 * sides_follow_names - gives functions of @a the name hashes of @b, if both are IR profiles and the names only differ
 * because clang before 17 names static functions in another way. Clang 17 and later find the functions of @a then too.
 */
void sides_follow_names(struct side *a, const struct side *b);

/*
 * sides_ignore_upper_bits - if one side has hashes of clang before 22 and the other side has hashes of clang 22, removes
 * the upper 4 bits from all compared hashes, and returns true. Otherwise the result is false.
 */
bool sides_ignore_upper_bits(struct side *a, struct side *b);

#endif
