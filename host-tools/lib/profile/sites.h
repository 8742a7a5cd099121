/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sites.h - the value sites of a function with their values.
 */
#ifndef BAREPROF_HOST_SITES_H
#define BAREPROF_HOST_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of values: targets of indirect calls, sizes of memory operations, vtables. */
#define PROFILE_KINDS 3

/* The maximum number of values of a site in a written profile. Readers refuse more. */
#define SITE_VALUES_MAX 255

/* @value is a reference to a name (calls and vtables; 0: unknown) or a size. */
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

/* sites_copy - returns a copy with all counts multiplied by @weight. Free it with sites_free(). */
struct sites *sites_copy(const struct sites *sites, uint64_t weight, bool *overflow);
void sites_free(struct sites *sites);
/* sites_clear - frees the content of @sites, but not the struct, which becomes all zeros. */
void sites_clear(struct sites *sites);
/* sites_forget - frees all values and keeps the number of sites. */
void sites_forget(struct sites *sites);

/* sites_any - returns whether there is a site of any kind. */
bool sites_any(const struct sites *sites);
/* sites_same - returns whether @a and @b have the same number of sites of each kind. */
bool sites_same(const struct sites *a, const struct sites *b);
/* sites_more - returns whether @a has more sites than @b. The first kind whose numbers of sites differ decides. */
bool sites_more(const struct sites *a, const struct sites *b);

/*
 * sites_merge - adds the values of @from, @weight times, to those of @into. After that the values
 * of each site are in ascending order. A site may have the unknown target (0) several times: then
 * the first unknown target of @from is added to the first one of @into, the second to the second.
 */
void sites_merge(struct sites *into, const struct sites *from, uint64_t weight, bool *overflow);

/*
 * sites_order - sorts the values of each site by descending count and keeps the first
 * SITE_VALUES_MAX. Values with equal counts keep their order.
 */
void sites_order(struct sites *sites);

#endif
