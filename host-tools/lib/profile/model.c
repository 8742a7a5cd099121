/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.c - a hash table of functions. The key of a function is its name and its structural hash.
 * Functions with the same key are merged.
 */
#include "model.h"
#include "count.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define TABLE_MIN 64u
#define MIX       0x9e3779b97f4a7c15u

/*
 * Variants that change only where counters are placed. An input with these variants can be merged
 * with an input without them.
 */
#define VARIANTS_MIX                                                                                                   \
	(BAREPROF_VARIANT_CSIR | BAREPROF_VARIANT_ENTRY_FIRST | BAREPROF_VARIANT_LOOP_ENTRIES |                        \
		BAREPROF_VARIANT_TEMPORAL)

/* Variants that exist only in profiles of IR instrumentation. */
#define VARIANTS_OF_IR (BAREPROF_VARIANT_CSIR | BAREPROF_VARIANT_TEMPORAL)

/*
 * All known variants. A version word with an unknown bit is refused, because that bit may change
 * the meaning of the counts.
 */
#define VARIANTS_KNOWN                                                                                                 \
	(VARIANTS_MIX | BAREPROF_VARIANT_IR | BAREPROF_VARIANT_LOOP_ENTRIES | BAREPROF_VARIANT_BYTE_COVERAGE |         \
		BAREPROF_VARIANT_ENTRY_ONLY)

void model_start(struct model *model)
{
	*model = (struct model){0};
	/*
	 * If there is no random number, the address of the model is the seed. The table still
	 * works, but a hostile file could make it slow.
	 */
	if (getrandom(&model->seed, sizeof(model->seed), GRND_NONBLOCK) < 0)
		model->seed = (uintptr_t)model;
}

void model_free(struct model *model)
{
	size_t i;

	for (i = 0; i < model->count; i++)
		sites_free(model->functions[i].sites);
	for (i = 0; i < MODEL_NOTES; i++)
		free(model->notes[i].function);
	traces_free(&model->traces);
	free(model->functions);
	free(model->table);
	free(model->by_reference);
	for (i = 0; i < model->kept_count; i++)
		buffer_free(&model->kept[i]);
	free(model->kept);
	buffer_free(&model->build_ids);
	long_names_free(&model->long_names);
	arena_free(&model->arena);
	*model = (struct model){0};
}

const char *kind_name(uint64_t variants)
{
	if (variants & BAREPROF_VARIANT_ENTRY_ONLY)
		return "function entry coverage";
	if (variants & BAREPROF_VARIANT_BYTE_COVERAGE)
		return variants & BAREPROF_VARIANT_IR ? "IR block coverage"
		                                      : "front-end coverage (single-byte counters)";
	if (variants & BAREPROF_VARIANT_LOOP_ENTRIES)
		return "IR counts (-fprofile-generate) with loop entries";
	return variants & BAREPROF_VARIANT_IR ? "IR counts (-fprofile-generate)"
	                                      : "front-end counts (-fprofile-instr-generate)";
}

bool kinds_mix(uint64_t a, uint64_t b)
{
	return !((a ^ b) & ~VARIANTS_MIX);
}

enum status model_kind(struct model *model, uint64_t version_word, struct error *error)
{
	/*
	 * BAREPROF_VARIANT_DEBUG_CORRELATE only says that the records are in debug information. It
	 * does not change the meaning of the counts.
	 */
	uint64_t variants = version_word & ~(BAREPROF_VERSION_NUMBER | BAREPROF_VARIANT_DEBUG_CORRELATE);

	if (variants & ~VARIANTS_KNOWN)
		return error_set(error, STATUS_INVALID_INPUT,
			"has an unknown kind (version word %016" PRIx64 "): use a newer bareprof", version_word);
	if ((variants & VARIANTS_OF_IR) && !(variants & BAREPROF_VARIANT_IR))
		return error_set(error, STATUS_INVALID_INPUT,
			"has a damaged header: it claims a context-sensitive or temporal profile, but not IR (version "
			"word %016" PRIx64 ")",
			version_word);
	if (model->has_kind && !kinds_mix(variants, model->variants))
		return error_set(error, STATUS_INVALID_INPUT,
			"has %s, which cannot be merged with the %s of earlier inputs: merge the inputs of each kind "
			"separately",
			kind_name(variants), kind_name(model->variants));
	model->has_kind = true;
	model->variants |= variants;
	return STATUS_OK;
}

void model_reserve(struct model *model, size_t count)
{
	if (model->count || count <= model->room)
		return;
	free(model->functions);
	model->functions = allocate(count, sizeof(*model->functions));
	model->room = count;
}

void model_keep(struct model *model, struct buffer *buffer)
{
	model->kept = array_grow(model->kept, model->kept_count, &model->kept_room, sizeof(*model->kept));
	model->kept[model->kept_count++] = *buffer;
	*buffer = (struct buffer){0};
}

/* Returns the slot at which a search for a function starts. The caller takes it modulo the number of slots. */
static size_t first_slot(const struct model *model, uint64_t reference, uint64_t hash)
{
	uint64_t key = (reference ^ model->seed) + hash;

	/* Two rounds of multiplication and shift distribute the keys evenly over the table. */
	key = (key ^ key >> 32) * MIX;
	key = (key ^ key >> 29 ^ model->seed) * MIX;
	return (size_t)(key >> 32);
}

/*
 * Returns the slot of the function with the name hash @reference and the structural hash @hash. If
 * the table has no such function, returns the free slot in which it can be stored.
 */
static uint32_t *find_slot(const struct model *model, uint64_t reference, uint64_t hash)
{
	size_t at;

	for (at = first_slot(model, reference, hash);; at++) {
		uint32_t *slot = &model->table[at & (model->table_size - 1)];
		const struct function *function = *slot ? &model->functions[*slot - 1] : NULL;

		if (!function || (function->reference == reference && function->hash == hash))
			return slot;
	}
}

/* Stores the name of @function in @note, unless @note already has a name that sorts before it. */
static void note_name(struct model *model, enum model_note note, const struct function *function)
{
	char **first = &model->notes[note].function;
	char *name = format("%.*s", (int)(function->name.size & 0xffff), (const char *)function->name.data);

	if (*first && strcmp(*first, name) <= 0) {
		free(name);
		return;
	}
	free(*first);
	*first = name;
}

void model_note(struct model *model, enum model_note note, const struct function *function)
{
	model->notes[note].times++;
	note_name(model, note, function);
}

void model_note_weak_duplicates(struct model *model, const struct function *function, uint64_t count)
{
	uint64_t *times = &model->notes[NOTE_WEAK_DUPLICATES].times;

	*times = count > *times ? count : *times;
	note_name(model, NOTE_WEAK_DUPLICATES, function);
}

static void join_note(struct model *model, enum model_note note, const struct model *from)
{
	const char *name = from->notes[note].function;
	struct function named = {0};

	if (!from->notes[note].times)
		return;
	named.name = (struct bytes){(const uint8_t *)name, strlen(name)};
	if (note == NOTE_WEAK_DUPLICATES) {
		model_note_weak_duplicates(model, &named, from->notes[note].times);
		return;
	}
	model->notes[note].times += from->notes[note].times;
	note_name(model, note, &named);
}

/*
 * Copies the data of @from to @to, and multiplies the counts by @weight. The name is not copied,
 * because @to already has it.
 */
static void copy_contents(struct model *model, struct function *to, const struct function *from, uint64_t weight)
{
	bool overflow = false;
	uint32_t i;

	to->counter_count = from->counter_count;
	to->counters = arena_take(&model->arena, from->counter_count * sizeof(*to->counters));
	for (i = 0; i < from->counter_count; i++)
		to->counters[i] = count_scale(from->counters[i], weight, &overflow);
	to->bitmap_size = from->bitmap_size;
	to->bitmap = NULL;
	if (from->bitmap_size) {
		to->bitmap = arena_take(&model->arena, from->bitmap_size);
		memcpy(to->bitmap, from->bitmap, from->bitmap_size);
	}
	sites_free(to->sites);
	to->sites = from->sites ? sites_copy(from->sites, weight, &overflow) : NULL;
	if (overflow)
		model_note(model, NOTE_OVERFLOW, to);
}

static void add_counters(struct function *to, const struct function *from, uint64_t weight, bool *overflow)
{
	uint32_t i;

	for (i = 0; i < to->counter_count; i++)
		to->counters[i] =
			count_add(to->counters[i], count_scale(from->counters[i], weight, overflow), overflow);
}

static void add_bitmap(struct model *model, struct function *to, const struct function *from)
{
	uint32_t i;

	if (to->bitmap_size != from->bitmap_size)
		model_note(model, NOTE_BITMAP, to);
	if (to->bitmap_size < from->bitmap_size) {
		to->bitmap = arena_take(&model->arena, from->bitmap_size);
		to->bitmap_size = from->bitmap_size;
		memcpy(to->bitmap, from->bitmap, from->bitmap_size);
	} else if (to->bitmap_size == from->bitmap_size) {
		for (i = 0; i < to->bitmap_size; i++)
			to->bitmap[i] |= from->bitmap[i];
	}
}

static void add_sites(
	struct model *model, struct function *to, const struct function *from, uint64_t weight, bool *overflow)
{
	/*
	 * An input without sites changes nothing. Such an input comes, for example, from a target
	 * without memory for values.
	 */
	if (!from->sites)
		return;
	if (!to->sites) {
		to->sites = sites_copy(from->sites, weight, overflow);
		return;
	}
	if (sites_same(to->sites, from->sites)) {
		sites_merge(to->sites, from->sites, weight, overflow);
		return;
	}
	model_note(model, NOTE_SITES, to);
	if (sites_more(from->sites, to->sites)) {
		sites_free(to->sites);
		to->sites = sites_copy(from->sites, weight, overflow);
	}
}

void model_merge(struct model *model, struct function *to, const struct function *from, uint64_t weight)
{
	bool overflow = false;

	if (to->counter_count != from->counter_count) {
		model_note(model, NOTE_COUNTERS, to);
		if (to->counter_count < from->counter_count)
			copy_contents(model, to, from, weight);
		return;
	}
	add_counters(to, from, weight, &overflow);
	add_bitmap(model, to, from);
	add_sites(model, to, from, weight, &overflow);
	if (overflow)
		model_note(model, NOTE_OVERFLOW, to);
}

void model_unindex(struct model *model)
{
	free(model->by_reference);
	model->by_reference = NULL;
	free(model->table);
	model->table = NULL;
	model->table_size = 0;
	model->indexed = 0;
}

/* Puts @function into the table. If the table already has a function with the same key, merges @function with it. */
static void index_one(struct model *model, struct function function)
{
	uint32_t *slot = find_slot(model, function.reference, function.hash);

	if (*slot) {
		model_merge(model, &model->functions[*slot - 1], &function, 1);
		sites_free(function.sites);
		return;
	}
	model->functions[model->indexed++] = function;
	*slot = (uint32_t)model->indexed;
}

/* Makes a table of all functions, with room for at least one more function. */
static void make_table(struct model *model)
{
	size_t count = model->count;
	size_t i;

	model_unindex(model);
	model->table_size = TABLE_MIN;
	/* The table also has room for the functions that model_reserve() has announced. */
	while (count * 4 > model->table_size * 2 || model->room > model->table_size)
		model->table_size *= 2;
	model->table = allocate(model->table_size, sizeof(*model->table));
	for (i = 0; i < count; i++)
		index_one(model, model->functions[i]);
	assert(model->indexed <= count);
	model->count = model->indexed;
}

/*
 * Makes sure that all functions are in the table, and that the table has room for one more function.
 * Then returns the slot that find_slot() finds.
 */
static uint32_t *look_up(struct model *model, uint64_t reference, uint64_t hash)
{
	if (model->indexed < model->count || (model->count + 1) * 4 > model->table_size * 3)
		make_table(model);
	return find_slot(model, reference, hash);
}

struct function *model_find(struct model *model, uint64_t reference, uint64_t hash)
{
	uint32_t slot = *look_up(model, reference, hash);

	return slot ? &model->functions[slot - 1] : NULL;
}

void model_find_each(struct model *model, const struct model_key *keys, size_t count, struct function **found)
{
	size_t i;

	if (model->indexed < model->count || !model->table)
		make_table(model);
	for (i = 0; i < count; i++)
		__builtin_prefetch(
			&model->table[first_slot(model, keys[i].reference, keys[i].hash) & (model->table_size - 1)]);
	for (i = 0; i < count; i++) {
		uint32_t slot =
			model->table[first_slot(model, keys[i].reference, keys[i].hash) & (model->table_size - 1)];

		if (slot)
			__builtin_prefetch(&model->functions[slot - 1]);
	}
	for (i = 0; i < count; i++)
		found[i] = model_find(model, keys[i].reference, keys[i].hash);
}

static struct function *take_function(struct model *model)
{
	/* The index of a function has 32 bits. Inputs that fit into memory have far fewer than 2^32 functions. */
	if (model->count >= UINT32_MAX - 1)
		die_of_memory();
	model->functions = array_grow(model->functions, model->count, &model->room, sizeof(*model->functions));
	return &model->functions[model->count++];
}

void model_append(struct model *model, const struct function *function)
{
	*take_function(model) = *function;
}

static struct bytes keep_name(struct model *model, const struct function *function)
{
	uint8_t *copy;

	if (function->name.size >= LONG_NAME)
		return long_names_keep(&model->long_names, &model->arena, function->reference, function->name);
	copy = arena_take(&model->arena, function->name.size);
	if (function->name.size)
		memcpy(copy, function->name.data, function->name.size);
	return (struct bytes){copy, function->name.size};
}

static struct function *add_new(struct model *model, const struct function *function, uint64_t weight, uint32_t *slot)
{
	struct function *to = take_function(model);

	*to = (struct function){.reference = function->reference, .hash = function->hash};
	to->name = keep_name(model, function);
	*slot = (uint32_t)model->count;
	model->indexed = model->count;
	copy_contents(model, to, function, weight);
	return to;
}

struct function *model_add(struct model *model, const struct function *function, uint64_t weight)
{
	uint32_t *slot = look_up(model, function->reference, function->hash);
	struct function *to;

	if (!*slot)
		return add_new(model, function, weight, slot);
	to = &model->functions[*slot - 1];
	model_merge(model, to, function, weight);
	return to;
}

enum status model_join(struct model *model, struct model *from, struct error *error)
{
	size_t i;

	if (from->has_kind && model_kind(model, from->variants, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	for (i = 0; i < from->count; i++)
		model_add(model, &from->functions[i], 1);
	traces_join(&model->traces, &from->traces);
	memprof_add(&model->memprof, &model->arena, &from->memprof);
	buffer_add(&model->build_ids, from->build_ids.data, from->build_ids.size);
	for (i = 0; i < MODEL_NOTES; i++)
		join_note(model, (enum model_note)i, from);
	model_free(from);
	model_start(from);
	return STATUS_OK;
}
