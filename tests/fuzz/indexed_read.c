/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed_read.c - fuzzes indexed profiles. The mutator makes one of three changes. It changes one number in the
 * header, the index or a record. Or it replaces the bytes of a record and adapts all offsets after the record. Or it
 * changes one function and writes the profile again, in any version.
 */
#include "fuzz.h"
#include "indexed.h"
#include "md5.h"
#include "sites.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_profile(read_indexed_profile, (struct bytes){data, size});
	return 0;
}

/* The parts of an indexed profile, if they can be found. */
struct layout {
	uint8_t *data;
	size_t size;
	unsigned int words;
	uint64_t hash; /* offset of the hash table's index */
	uint64_t buckets;
	struct bytes records[64]; /* the records of up to 64 names */
	size_t count;
};

static uint64_t word_at(const struct layout *layout, uint64_t at)
{
	return at <= layout->size && layout->size - at >= 8 ? load_uint(layout->data + at, 8, false) : 0;
}

static void find_records(struct layout *layout, uint64_t bucket_at)
{
	struct bytes rest;
	struct cursor cursor;
	uint64_t items;

	if (!bucket_at || bucket_at > layout->size)
		return;
	rest = (struct bytes){layout->data + bucket_at, layout->size - bucket_at};
	cursor = cursor_of(rest);
	for (items = take_fixed(&cursor, 2); items && layout->count < 64; items--) {
		uint64_t name_size;
		uint64_t size;

		take_fixed(&cursor, 8);
		name_size = take_fixed(&cursor, 8);
		size = take_fixed(&cursor, 8);
		take_bytes(&cursor, name_size);
		rest = take_bytes(&cursor, size);
		if (cursor.failed)
			return;
		layout->records[layout->count++] = rest;
	}
}

static bool find_layout(struct layout *layout, uint8_t *data, size_t size)
{
	uint64_t version;
	uint64_t i;

	*layout = (struct layout){.data = data, .size = size};
	version = word_at(layout, 8 * INDEXED_WORD_VERSION) & BAREPROF_VERSION_NUMBER;
	layout->hash = word_at(layout, 8 * INDEXED_WORD_HASH_OFFSET);
	if (!version || version > INDEXED_NEWEST || layout->hash > size)
		return false;
	layout->words = indexed_words((unsigned int)version);
	layout->buckets = word_at(layout, layout->hash);
	for (i = 0; i < layout->buckets && layout->hash + 24 + 8 * i <= size; i++)
		find_records(layout, word_at(layout, layout->hash + 16 + 8 * i));
	return true;
}

static size_t change_number(struct layout *layout, struct dice *dice)
{
	unsigned int width = 8;
	uint64_t at;

	if (layout->count && dice_throw(dice, 2)) {
		const struct bytes *record = &layout->records[dice_throw(dice, layout->count)];

		width = dice_throw(dice, 3) ? 8 : 4;
		at = (uint64_t)(record->data - layout->data) + width * dice_throw(dice, record->size / width);
	} else if (dice_throw(dice, 2)) {
		at = 8 * dice_throw(dice, layout->words + 3);
	} else {
		/* Chooses a word in or after the index of the hash table. The words in the index are offsets. */
		at = layout->hash + 8 * dice_throw(dice, (layout->size - layout->hash) / 8);
	}
	if (at + width <= layout->size)
		store_uint(layout->data + at,
			dice_number(dice, load_uint(layout->data + at, width, false), layout->size), width, false);
	return layout->size;
}

static void move(struct buffer *out, uint64_t at, uint64_t behind, uint64_t by)
{
	uint64_t old = at <= out->size && out->size - at >= 8 ? load_uint(out->data + at, 8, false) : 0;

	if (old > behind)
		store_uint(out->data + at, old + by, 8, false);
}

/*
 * Replaces @record by @changed, and changes the stored size of the record. The file has this size before the name, so
 * the function searches backwards from the record for a word with this size.
 */
static bool splice(
	struct buffer *out, const struct layout *layout, const struct bytes *record, const struct buffer *changed)
{
	uint64_t from = (uint64_t)(record->data - layout->data);
	uint64_t by = (uint64_t)changed->size - record->size;
	uint64_t size_at = from;
	uint64_t i;

	while (size_at >= 24 && word_at(layout, size_at - 8) != record->size)
		size_at--;
	if (size_at < 24)
		return false;
	buffer_add(out, layout->data, from);
	buffer_add(out, changed->data, changed->size);
	buffer_add(out, record->data + record->size, layout->size - from - record->size);
	store_uint(out->data + size_at - 8, changed->size, 8, false);
	for (i = INDEXED_WORD_HASH_OFFSET; i < layout->words; i++)
		move(out, 8 * i, from, by);
	for (i = 0; i < layout->buckets && i < layout->size; i++)
		move(out, layout->hash + by + 16 + 8 * i, from, by);
	return true;
}

static size_t put_back(uint8_t *data, size_t size, size_t most, struct buffer *out)
{
	if (out->size && out->size <= most) {
		memcpy(data, out->data, out->size);
		size = out->size;
	}
	buffer_free(out);
	return size;
}

static size_t change_record(struct layout *layout, size_t most, struct dice *dice)
{
	const struct bytes *record = &layout->records[dice_throw(dice, layout->count)];
	struct buffer changed = dice_bytes(*record, record->size + 32);
	struct buffer out = {0};

	if (!splice(&out, layout, record, &changed))
		out.size = 0;
	buffer_free(&changed);
	return put_back(layout->data, layout->size, most, &out);
}

static void change_sites(struct sites *sites, struct dice *dice)
{
	unsigned int kind = (unsigned int)dice_throw(dice, PROFILE_KINDS);
	struct site *site;

	if (!sites->count[kind])
		return;
	site = &sites->site[kind][dice_throw(dice, sites->count[kind])];
	if (!site->count)
		return;
	if (dice_throw(dice, 2))
		site->values[0].value = dice_throw(dice, 2) ? 0 : dice_number(dice, site->values[0].value, 0);
	else
		site->values[site->count - 1].count = dice_number(dice, site->values[site->count - 1].count, 0);
}

/* Changes the name, the hash or a count of one function of a sound profile, and then writes the profile again. */
static size_t assemble(uint8_t *data, size_t size, size_t most, struct dice *dice)
{
	struct function *function;
	struct buffer name = {0};
	struct buffer out = {0};
	struct model model;

	if (!read_into(&model, read_indexed_profile, (struct bytes){data, size}))
		return LLVMFuzzerMutate(data, size, most);
	if (model.count) {
		function = &model.functions[dice_throw(dice, model.count)];
		name = dice_bytes(function->name, function->name.size + 8);
		if (dice_throw(dice, 3) == 0) {
			function->name = (struct bytes){name.data, name.size};
			function->reference = md5_low(function->name);
		}
		if (dice_throw(dice, 3) == 0)
			function->hash = dice_number(dice, function->hash, size);
		if (function->counter_count && dice_throw(dice, 2))
			function->counters[0] = dice_number(dice, function->counters[0], size);
		if (function->sites && dice_throw(dice, 2))
			change_sites(function->sites, dice);
	}
	if (dice_throw(dice, 4) == 0)
		model_add_build_id(&model, (struct bytes){data, dice_throw(dice, 24)});
	model_sort(&model);
	out = indexed_of(&model, (unsigned int)(INDEXED_WRITTEN + dice_throw(dice, INDEXED_NEWEST - 4)));
	model_free(&model);
	buffer_free(&name);
	return put_back(data, size, most, &out);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct layout layout;
	uint64_t way = dice_throw(&dice, 8);

	if (way < 2 || !find_layout(&layout, data, size))
		return LLVMFuzzerMutate(data, size, most);
	if (way < 4)
		return change_number(&layout, &dice);
	if (way < 6 && layout.count)
		return change_record(&layout, most, &dice);
	return assemble(data, size, most, &dice);
}
