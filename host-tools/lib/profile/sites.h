/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sites.h - the values seen at a function's value sites: copied, merged, cut.
 */
#ifndef BAREPROF_HOST_SITES_H
#define BAREPROF_HOST_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of values: targets of indirect calls, sizes of memory operations, vtables. */
#define PROFILE_KINDS 3

/* A site of a written profile has at most so many values; readers accept no more. */
#define SITE_VALUES_MAX 255

/* @value: the reference of a name (calls, vtables; 0: unknown), or a size. */
struct value {
	uint64_t value;
	uint64_t count;
};

struct site {
	struct value *values;
	size_t count;
};

/* All value sites of one function, by kind. */
struct sites {
	struct site *site[PROFILE_KINDS];
	uint32_t count[PROFILE_KINDS];
};

/* sites_copy - a copy with all counts times @weight; free it with sites_free(). */
struct sites *sites_copy(const struct sites *sites, uint64_t weight, bool *overflow);
void sites_free(struct sites *sites);
/* sites_clear - the same for what the caller owns: all zeros after it. */
void sites_clear(struct sites *sites);
/* sites_forget - all values, but not how many sites there are. */
void sites_forget(struct sites *sites);

/* sites_any - is there a site of any kind? */
bool sites_any(const struct sites *sites);
/* sites_same - are there as many sites of each kind? */
bool sites_same(const struct sites *a, const struct sites *b);
/* sites_more - has @a more sites than @b, the first kind that differs deciding? */
bool sites_more(const struct sites *a, const struct sites *b);

/*
 * sites_merge - add the values of @from, @weight times, to those of @into. Values
 * of a site are in ascending order after it. An unknown target (0) may be there
 * several times: the first is added to the first, the second to the second.
 */
void sites_merge(struct sites *into, const struct sites *from, uint64_t weight, bool *overflow);

/* sites_order - values by descending count, equal ones as they were, the rest cut off. */
void sites_order(struct sites *sites);

#endif
