/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sites.h - the value sites of a function, and the values that were seen at them.
 */
#ifndef BAREPROF_HOST_SITES_H
#define BAREPROF_HOST_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of value kinds: targets of indirect calls, sizes of memory operations, vtables. */
#define PROFILE_KINDS 3

/* The maximum number of values that a site has in a written profile. Readers of LLVM refuse more values. */
#define SITE_VALUES_MAX 255

/*
 * A value. For calls and vtables, @value is a name hash, or 0 for an unknown name. For memory operations, @value is a
 * size.
 */
struct value {
	uint64_t value;
	uint64_t count;
};

struct site {
	struct value *values;
	size_t count;
};

/* All value sites of one function, with an array for each kind. */
struct sites {
	struct site *site[PROFILE_KINDS];
	uint32_t count[PROFILE_KINDS];
};

/*
 * sites_copy - returns a copy of @sites in which all counts are multiplied by @weight. Sets
 * *@overflow if a count reaches COUNT_MAX. The caller frees the copy with sites_free().
 */
struct sites *sites_copy(const struct sites *sites, uint64_t weight, bool *overflow);
void sites_free(struct sites *sites);
/* sites_clear - frees the content of @sites. The struct itself is not freed, and becomes all zeros. */
void sites_clear(struct sites *sites);
/* sites_forget - frees all values of @sites. The number of sites stays the same. */
void sites_forget(struct sites *sites);

/* sites_any - returns whether @sites has at least one site of any kind. */
bool sites_any(const struct sites *sites);
/* sites_same - returns whether @a and @b have the same number of sites of each kind. */
bool sites_same(const struct sites *a, const struct sites *b);
/*
 * sites_more - returns whether @a has more sites than @b. The numbers of sites are compared kind by
 * kind. The first kind for which the numbers differ decides.
 */
bool sites_more(const struct sites *a, const struct sites *b);

/*
 * sites_merge - adds the values of @from, with counts multiplied by @weight, to @into. Sets *@overflow if a
 * count reaches COUNT_MAX. Afterwards the values of each site are in ascending order. A site may have the unknown
 * target, 0, several times. In this case, the first unknown target of @from is added to the first unknown target
 * of @into, the second unknown target to the second, and so on.
 */
void sites_merge(struct sites *into, const struct sites *from, uint64_t weight, bool *overflow);

/*
 * sites_order - sorts the values of each site by count, with the highest count first, and keeps the
 * first SITE_VALUES_MAX of them. Values with equal counts keep their order.
 */
void sites_order(struct sites *sites);

#endif
