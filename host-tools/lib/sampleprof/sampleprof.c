/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof.c - builds a sample profile. All objects are in an arena. One hash table finds an object by the object to
 * which it belongs, by location and by name.
 */
#include "sampleprof.h"
#include "md5.h"

#include <stdlib.h>

/*
 * A place in the hash table. @object is NULL if the place is free. The object is
 *   a name: @owner is NULL, and @at has its GUID;
 *   a function: @owner is the profile, @name is set;
 *   a count: @owner is the function, @name is NULL;
 *   an inlinee: @owner is its caller, @name is set;
 *   a callee: @owner is the count, @name is set.
 */
struct key {
	const void *owner;
	struct sampleprof_location at;
	struct sampleprof_name *name;
};

struct sampleprof_slot {
	struct key key;
	void *object;
};

static const struct sampleprof_location nowhere;

static bool same_key(const struct key *a, const struct key *b)
{
	return a->owner == b->owner && a->name == b->name && a->at.offset == b->at.offset &&
	       a->at.discriminator == b->at.discriminator;
}

/* The multiplications spread bits upwards, so the upper half of the product is used. */
static size_t hash_of(const struct key *key)
{
	uint64_t hash = (uint64_t)(uintptr_t)key->owner * 0x9e3779b97f4a7c15u;

	hash = (hash ^ (hash >> 32) ^ (uint64_t)(uintptr_t)key->name) * 0xc2b2ae3d27d4eb4fu;
	hash = (hash ^ (hash >> 32) ^ ((uint64_t)key->at.offset << 32 | key->at.discriminator)) * 0x9e3779b97f4a7c15u;
	return (size_t)(hash >> 32 ^ hash);
}

static struct sampleprof_slot *slot_of(const struct sampleprof *profile, const struct key *key)
{
	size_t i = hash_of(key);

	for (;; i++) {
		struct sampleprof_slot *slot = &profile->slots[i & (profile->slot_count - 1)];

		if (!slot->object || same_key(&slot->key, key))
			return slot;
	}
}

static void enlarge_table(struct sampleprof *profile)
{
	struct sampleprof_slot *old = profile->slots;
	size_t count = profile->slot_count;
	size_t i;

	profile->slot_count = count ? count * 2 : 1024;
	profile->slots = allocate(profile->slot_count, sizeof(*profile->slots));
	for (i = 0; i < count; i++)
		if (old[i].object)
			*slot_of(profile, &old[i].key) = old[i];
	free(old);
}

/*
 * Returns the object with @key. If there is none, adds an object of @size bytes, all zeros, and sets *@added. No
 * object has the size 0.
 */
static void *find_or_add(struct sampleprof *profile, const struct key *key, size_t size, bool *added)
{
	struct sampleprof_slot *slot;

	if (profile->slots_used * 2 >= profile->slot_count)
		enlarge_table(profile);
	slot = slot_of(profile, key);
	*added = !slot->object;
	if (*added) {
		profile->slots_used++;
		slot->key = *key;
		slot->object = memset(arena_take(&profile->arena, size), 0, size);
	}
	return slot->object;
}

/*
 * Makes room for one more pointer in @array, which has @count pointers, and returns the array. The arena keeps the
 * memory of the smaller arrays, which together are smaller than the largest.
 */
static void *grow(struct sampleprof *profile, void *array, size_t count, size_t *room)
{
	void *larger;

	if (count < *room)
		return array;
	*room = *room ? *room * 2 : 4;
	larger = arena_take(&profile->arena, *room * sizeof(void *));
	if (count)
		memcpy(larger, array, count * sizeof(void *));
	return larger;
}

static struct sampleprof_name *name_of(struct sampleprof *profile, uint64_t guid)
{
	struct key key = {.at = {(uint32_t)(guid >> 32), (uint32_t)guid}};
	bool added;
	struct sampleprof_name *name = find_or_add(profile, &key, sizeof(*name), &added);
	struct sampleprof_names *names = &profile->names;

	if (added) {
		name->guid = guid;
		names->list = grow(profile, names->list, names->count, &names->room);
		names->list[names->count++] = name;
	}
	return name;
}

struct sampleprof_name *sampleprof_name(struct sampleprof *profile, struct bytes text)
{
	struct sampleprof_name *name = name_of(profile, md5_low(text));

	if (!name->text.size && text.size) {
		name->text.data = memcpy(arena_take(&profile->arena, text.size), text.data, text.size);
		name->text.size = text.size;
	}
	return name;
}

struct sampleprof_name *sampleprof_name_of_guid(struct sampleprof *profile, uint64_t guid)
{
	return name_of(profile, guid);
}

struct sampleprof_function *sampleprof_function(struct sampleprof *profile, struct sampleprof_name *name)
{
	struct key key = {profile, nowhere, name};
	bool added;
	struct sampleprof_function *function = find_or_add(profile, &key, sizeof(*function), &added);

	if (added) {
		function->name = name;
		profile->functions =
			grow(profile, profile->functions, profile->function_count, &profile->function_room);
		profile->functions[profile->function_count++] = function;
	}
	return function;
}

struct sampleprof_function *sampleprof_inlinee(struct sampleprof *profile, struct sampleprof_function *caller,
	struct sampleprof_location at, struct sampleprof_name *name)
{
	struct key key = {caller, at, name};
	struct sampleprof_function *inlinee;
	bool added;

	if (caller->depth >= SAMPLEPROF_DEPTH_LAST)
		return NULL;
	inlinee = find_or_add(profile, &key, sizeof(*inlinee), &added);
	if (added) {
		inlinee->name = name;
		inlinee->at = at;
		inlinee->depth = caller->depth + 1;
		caller->inlinees = grow(profile, caller->inlinees, caller->inlinee_count, &caller->inlinee_room);
		caller->inlinees[caller->inlinee_count++] = inlinee;
	}
	return inlinee;
}

static struct sampleprof_count *count_at(
	struct sampleprof *profile, struct sampleprof_function *function, struct sampleprof_location at)
{
	struct key key = {function, at, NULL};
	bool added;
	struct sampleprof_count *count = find_or_add(profile, &key, sizeof(*count), &added);

	if (added) {
		count->at = at;
		function->counts = grow(profile, function->counts, function->count_count, &function->count_room);
		function->counts[function->count_count++] = count;
	}
	return count;
}

void sampleprof_add(
	struct sampleprof *profile, struct sampleprof_function *function, struct sampleprof_location at, uint64_t count)
{
	struct sampleprof_count *sum = count_at(profile, function, at);

	sum->count = add_saturating(sum->count, count);
}

void sampleprof_add_callee(struct sampleprof *profile, struct sampleprof_function *function,
	struct sampleprof_location at, struct sampleprof_name *name, uint64_t count)
{
	struct sampleprof_count *call = count_at(profile, function, at);
	struct key key = {call, nowhere, name};
	bool added;
	struct sampleprof_callee *callee = find_or_add(profile, &key, sizeof(*callee), &added);

	if (added) {
		callee->name = name;
		call->callees = grow(profile, call->callees, call->callee_count, &call->callee_room);
		call->callees[call->callee_count++] = callee;
	}
	callee->count = add_saturating(callee->count, count);
}

void sampleprof_add_symbol(struct sampleprof *profile, struct sampleprof_name *name)
{
	profile->symbols = grow(profile, profile->symbols, profile->symbol_count, &profile->symbol_room);
	profile->symbols[profile->symbol_count++] = name;
}

static void add_up(struct sampleprof_function *function)
{
	size_t i;

	function->total = 0;
	for (i = 0; i < function->count_count; i++)
		function->total = add_saturating(function->total, function->counts[i]->count);
	for (i = 0; i < function->inlinee_count; i++) {
		add_up(function->inlinees[i]);
		function->total = add_saturating(function->total, function->inlinees[i]->total);
	}
}

void sampleprof_add_up(struct sampleprof *profile)
{
	size_t i;

	for (i = 0; i < profile->function_count; i++)
		add_up(profile->functions[i]);
}

static int by_name(const struct sampleprof_name *a, const struct sampleprof_name *b)
{
	size_t shorter = a->text.size < b->text.size ? a->text.size : b->text.size;
	int order = shorter ? memcmp(a->text.data, b->text.data, shorter) : 0;

	if (order)
		return order;
	if (a->text.size != b->text.size)
		return a->text.size < b->text.size ? -1 : 1;
	return (a->guid > b->guid) - (a->guid < b->guid);
}

static int by_location(struct sampleprof_location a, struct sampleprof_location b)
{
	if (a.offset != b.offset)
		return a.offset < b.offset ? -1 : 1;
	return (a.discriminator > b.discriminator) - (a.discriminator < b.discriminator);
}

static int compare_functions(const void *left, const void *right)
{
	const struct sampleprof_function *a = *(struct sampleprof_function *const *)left;
	const struct sampleprof_function *b = *(struct sampleprof_function *const *)right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return by_name(a->name, b->name);
}

static int compare_inlinees(const void *left, const void *right)
{
	const struct sampleprof_function *a = *(struct sampleprof_function *const *)left;
	const struct sampleprof_function *b = *(struct sampleprof_function *const *)right;
	int order = by_location(a->at, b->at);

	return order ? order : by_name(a->name, b->name);
}

static int compare_counts(const void *left, const void *right)
{
	const struct sampleprof_count *a = *(struct sampleprof_count *const *)left;
	const struct sampleprof_count *b = *(struct sampleprof_count *const *)right;

	return by_location(a->at, b->at);
}

static int compare_callees(const void *left, const void *right)
{
	const struct sampleprof_callee *a = *(struct sampleprof_callee *const *)left;
	const struct sampleprof_callee *b = *(struct sampleprof_callee *const *)right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return by_name(a->name, b->name);
}

static int compare_names(const void *left, const void *right)
{
	return by_name(*(struct sampleprof_name *const *)left, *(struct sampleprof_name *const *)right);
}

static void sort(void *array, size_t count, int (*compare)(const void *left, const void *right))
{
	if (count)
		qsort(array, count, sizeof(void *), compare);
}

static void sort_function(struct sampleprof_function *function)
{
	size_t i;

	sort(function->counts, function->count_count, compare_counts);
	for (i = 0; i < function->count_count; i++)
		sort(function->counts[i]->callees, function->counts[i]->callee_count, compare_callees);
	sort(function->inlinees, function->inlinee_count, compare_inlinees);
	for (i = 0; i < function->inlinee_count; i++)
		sort_function(function->inlinees[i]);
}

void sampleprof_sort(struct sampleprof *profile)
{
	size_t i;

	sort(profile->functions, profile->function_count, compare_functions);
	sort(profile->symbols, profile->symbol_count, compare_names);
	sort(profile->names.list, profile->names.count, compare_names);
	for (i = 0; i < profile->function_count; i++)
		sort_function(profile->functions[i]);
}

void sampleprof_free(struct sampleprof *profile)
{
	arena_free(&profile->arena);
	free(profile->slots);
	*profile = (struct sampleprof){.kind = profile->kind};
}
