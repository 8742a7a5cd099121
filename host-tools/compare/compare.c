/* SPDX-License-Identifier: BSD-2-Clause */
/* compare.c - pairs the functions of two sides, and tells which functions of A fit B. */
#include "compare.h"

#include <stdlib.h>

static void add_pair(struct comparison *comparison, size_t *room, struct pair pair)
{
	comparison->pairs = array_grow(comparison->pairs, comparison->pair_count, room, sizeof(*comparison->pairs));
	comparison->pairs[comparison->pair_count++] = pair;
}

/* The functions of both sides that have one name: the next @a_count of A, and the next @b_count of B. */
struct named {
	struct side_function *a;
	struct side_function *b;
	size_t a_count;
	size_t b_count;
};

static struct named next_name(const struct comparison *comparison, size_t a, size_t b)
{
	const struct side *left = &comparison->a;
	const struct side *right = &comparison->b;
	struct named named = {.a = left->functions + a, .b = right->functions + b};
	uint64_t name = UINT64_MAX;

	if (a < left->count)
		name = named.a->reference;
	if (b < right->count && named.b->reference < name)
		name = named.b->reference;
	while (a + named.a_count < left->count && named.a[named.a_count].reference == name)
		named.a_count++;
	while (b + named.b_count < right->count && named.b[named.b_count].reference == name)
		named.b_count++;
	return named;
}

/* Returns the number of functions from index @at on that have the same hash as the function at this index. */
static size_t same_hash(const struct side_function *functions, size_t count, size_t at)
{
	size_t end = at;

	while (end < count && functions[end].compared_hash == functions[at].compared_hash)
		end++;
	return end - at;
}

/*
 * Pairs @a_count functions of A with @b_count functions of B that have the same name and hash. A side has several such
 * functions only if the upper bits of hashes are ignored. They are then one function, which a merged profile has with
 * both hashes.
 */
static void match_hash(struct comparison *comparison, size_t *room, const struct named *same)
{
	size_t i;

	for (i = 0; i < same->a_count || i < same->b_count; i++) {
		struct side_function *a = &same->a[i < same->a_count ? i : same->a_count - 1];
		struct side_function *b = &same->b[i < same->b_count ? i : same->b_count - 1];

		if (a->counter_count != b->counter_count)
			continue;
		a->matched = b->matched = true;
		add_pair(comparison, room,
			(struct pair){.fit = FIT_SAME,
				.a = i < same->a_count ? a : NULL,
				.b = i < same->b_count ? b : NULL,
				.overlap = -1});
	}
}

/* Pairs the functions of one name whose hashes agree. Both lists are sorted by hash. */
static void match_name(struct comparison *comparison, size_t *room, const struct named *named)
{
	size_t a = 0;
	size_t b = 0;

	while (a < named->a_count && b < named->b_count) {
		struct named same = {named->a + a, named->b + b, same_hash(named->a, named->a_count, a),
			same_hash(named->b, named->b_count, b)};

		if (same.a->compared_hash == same.b->compared_hash)
			match_hash(comparison, room, &same);
		if (same.a->compared_hash <= same.b->compared_hash)
			a += same.a_count;
		if (same.b->compared_hash <= same.a->compared_hash)
			b += same.b_count;
	}
}

static const struct side_function *next_unmatched(const struct side_function *functions, size_t count, size_t *at)
{
	while (*at < count && functions[*at].matched)
		++*at;
	return *at < count ? &functions[(*at)++] : NULL;
}

/* Adds the functions of one name that have no equal on the other side. */
static void add_unmatched(struct comparison *comparison, size_t *room, const struct named *named)
{
	struct pair pair = {.overlap = -1};
	size_t a = 0;
	size_t b = 0;

	for (;;) {
		pair.a = next_unmatched(named->a, named->a_count, &a);
		pair.b = next_unmatched(named->b, named->b_count, &b);
		if (!pair.a && !pair.b)
			return;
		pair.fit = !named->b_count ? FIT_GONE : !named->a_count ? FIT_NEW : FIT_CHANGED;
		add_pair(comparison, room, pair);
	}
}

static void add_total(struct fit_totals *totals, enum fit fit, const struct side_function *function)
{
	if (!function)
		return;
	totals->functions[fit]++;
	totals->counts[fit] = add_saturating(totals->counts[fit], function->sum);
}

void compare_sides(struct comparison *comparison)
{
	size_t room = 0;
	size_t a = 0;
	size_t b = 0;
	size_t i;

	while (a < comparison->a.count || b < comparison->b.count) {
		struct named named = next_name(comparison, a, b);

		match_name(comparison, &room, &named);
		add_unmatched(comparison, &room, &named);
		a += named.a_count;
		b += named.b_count;
	}
	for (i = 0; i < comparison->pair_count; i++) {
		add_total(&comparison->of_a, comparison->pairs[i].fit, comparison->pairs[i].a);
		add_total(&comparison->of_b, comparison->pairs[i].fit, comparison->pairs[i].b);
	}
}

uint64_t compare_lost(const struct comparison *comparison)
{
	return add_saturating(comparison->of_a.counts[FIT_CHANGED], comparison->of_a.counts[FIT_GONE]);
}
