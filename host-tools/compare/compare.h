/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare.h - declarations that the parts of `bareprof compare` share. A comparison asks whether the profile A fits B,
 * and how much the counts of both overlap.
 */
#ifndef BAREPROF_HOST_COMPARE_H
#define BAREPROF_HOST_COMPARE_H

#include "side.h"

#include <regex.h>

enum fit {
	FIT_SAME, /* B has the function with the same hash and the same number of counters */
	FIT_CHANGED, /* B has a function of this name, but with another hash or another number of counters */
	FIT_GONE, /* B has no function of this name */
	FIT_NEW, /* A has no function of this name */
	FITS
};

/* A function of A and the function of B with which it is compared. One of them may be NULL, but not both. */
struct pair {
	enum fit fit;
	const struct side_function *a;
	const struct side_function *b;
	double overlap; /* overlap of the counts of this function, 0 to 1; below 0: it cannot be computed */
};

/* The numbers of functions and counts of one side that have a fit. */
struct fit_totals {
	uint64_t functions[FITS];
	uint64_t counts[FITS]; /* sums stay at 2^64 - 1 instead of overflowing */
};

/* Overlap of one kind of counts. Shares are from 0 to 1. */
struct overlap_counts {
	double sum_a;
	double sum_b;
	double both;
	/* The part of B's counts that belongs to functions which A has with another hash or number of counters */
	double mismatched;
	double only_b; /* the part of B's counts that belongs to functions which A lacks */
};

/* The overlap of two profiles, as `llvm-profdata overlap A B` computes it. */
struct overlap {
	bool computed; /* false: one side has no counts */
	uint64_t both; /* number of functions */
	uint64_t mismatched;
	uint64_t only_b;
	struct overlap_counts edges; /* the counters */
	struct overlap_counts values[PROFILE_KINDS];
};

/* The user's choice of the functions to list. */
struct compare_choices {
	bool all;
	const regex_t *regex; /* functions whose names match; NULL: none */
	uint64_t min_count; /* functions whose highest count in B is at least this number; UINT64_MAX: none */
	uint64_t top; /* at most this many functions; 0: not given */
};

struct comparison {
	struct side a;
	struct side b;
	bool upper_bits_ignored; /* the result of sides_ignore_upper_bits() */
	struct pair *pairs; /* in the order of name hashes */
	size_t pair_count;
	struct fit_totals of_a;
	struct fit_totals of_b;
	struct overlap overlap;
	struct compare_choices choices;
	const struct pair **listed; /* the pairs to list, in the order in which they are printed */
	size_t listed_count;
};

/* compare_sides - pairs the functions of both sides, and adds up how many fit. Call sides_prepare() before. */
void compare_sides(struct comparison *comparison);

/* compare_overlap - computes the overlap of all counts, and that of each pair. */
void compare_overlap(struct comparison *comparison);

/*
 * compare_select - fills in comparison->listed. By default, these are the functions of A whose counts are lost. Errors:
 * INVALID_INPUT if no function has a name that matches the user's pattern.
 */
enum status compare_select(struct comparison *comparison, struct error *error);

/* compare_lost - returns the counts of A that do not fit B. */
uint64_t compare_lost(const struct comparison *comparison);

/* compare_text, compare_json - print the comparison. Only a write to standard output can fail. */
void compare_text(const struct comparison *comparison);
void compare_json(const struct comparison *comparison);

#endif
