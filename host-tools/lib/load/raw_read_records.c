/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_read_records.c - makes functions of a model from the records of a raw profile.
 */
#include "raw_read_records.h"
#include "address_map.h"
#include "names.h"
#include "raw_weak_duplicates.h"
#include "count.h"
#include "raw_check.h"
#include "raw_values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The memory in which the counters and the bitmap of a function are stored. choose_storage()
 * chooses the storage of the whole profile. storage_of() can replace STORAGE_FILE by STORAGE_ARENA
 * for a single function.
 */
enum storage {
	STORAGE_FILE, /* the model uses the bytes of the file, and later adds counts to them */
	STORAGE_ARENA, /* the model has a copy in its own memory */
	STORAGE_SCRATCH, /* temporary memory, for one function at a time; model_add() copies or adds its data */
};

/* The storage of the counters of a profile, or of its bitmaps. */
struct section_storage {
	enum storage storage;
	const uint8_t *end; /* for STORAGE_FILE: the model uses bytes of the file, and these bytes end here */
};

/* A raw profile that is being added to a model. */
struct raw_reader {
	struct model *model;
	const struct read_options *options;
	struct raw_profile profile;
	struct names *names; /* points to @own_names, or to the names of the previous profile */
	struct names own_names;
	size_t names_at; /* index in @names: the name of the next function is probably there */
	struct address_map addresses;
	struct bytes values; /* value data of the functions that have not been added yet */
	struct buffer scratch; /* counters of the current function, for STORAGE_SCRATCH */
	struct first_call *called; /* the functions that have a timestamp */
	size_t called_count;
	size_t called_room;
	bool first; /* true: the model was empty before, so functions are appended without a search in the model */
	struct section_storage counter_storage;
	struct section_storage bitmap_storage;
	bool sum; /* true: the profile is the sum of many profiles, so its counts may be above RAW_COUNT_CREDIBLE */
	bool saturated; /* true: the profile is a sum, and one of its counts reached COUNT_MAX */
	struct error *error;
};

struct first_call {
	uint64_t timestamp;
	uint64_t reference;
};

static int compare_entries(const void *left, const void *right)
{
	const struct first_call *a = left;
	const struct first_call *b = right;

	if (a->timestamp != b->timestamp)
		return a->timestamp < b->timestamp ? -1 : 1;
	return (a->reference > b->reference) - (a->reference < b->reference);
}

/* Adds the trace of the profile: the functions that were called, in the order of their first calls. */
static void add_trace(struct raw_reader *reader)
{
	uint64_t *references;
	size_t i;

	if (!reader->called_count)
		return;
	qsort(reader->called, reader->called_count, sizeof(*reader->called), compare_entries);
	references = allocate(reader->called_count, sizeof(*references));
	for (i = 0; i < reader->called_count; i++)
		references[i] = reader->called[i].reference;
	traces_add(&reader->model->traces, &reader->options->add, 1, references, reader->called_count);
}

static void note_call(struct raw_reader *reader, const struct raw_function *raw)
{
	if (!raw->timestamp)
		return;
	reader->called =
		array_grow(reader->called, reader->called_count, &reader->called_room, sizeof(*reader->called));
	reader->called[reader->called_count++] = (struct first_call){raw->timestamp, raw->name};
}

/* Replaces values that are addresses by name hashes, because models contain name hashes instead of addresses. */
static void name_values(const struct raw_reader *reader, struct sites *sites)
{
	uint32_t i;
	size_t j;

	for (i = 0; i < sites->count[0]; i++)
		for (j = 0; j < sites->site[0][i].count; j++) {
			uint64_t *value = &sites->site[0][i].values[j].value;

			*value = address_map_function(&reader->addresses, *value);
		}
	for (i = 0; i < sites->count[2]; i++)
		for (j = 0; j < sites->site[2][i].count; j++) {
			uint64_t *value = &sites->site[2][i].values[j].value;

			*value = address_map_vtable(&reader->addresses, *value);
		}
}

static enum status take_sites(
	struct raw_reader *reader, uint64_t index, const struct raw_function *raw, struct sites *sites)
{
	enum status status = raw_values_take(&reader->profile, raw, index, &reader->values, sites, reader->error);

	if (status == STATUS_OK && sites)
		name_values(reader, sites);
	return status;
}

/*
 * Chooses the storage of the counters and bitmaps of the profile. The model can use the bytes of
 * the file as its counters only if each counter has 8 bytes and the byte order of the host.
 */
static void choose_storage(struct raw_reader *reader)
{
	bool native = reader->profile.counter_size == 8 && reader->profile.big == (BYTE_ORDER == BIG_ENDIAN);
	enum storage storage = STORAGE_SCRATCH;

	if (reader->first)
		storage = reader->options->input_outlives_model ? STORAGE_FILE : STORAGE_ARENA;
	reader->bitmap_storage.storage = storage;
	reader->counter_storage.storage = storage == STORAGE_FILE && !native ? STORAGE_ARENA : storage;
}

/*
 * Returns the storage for the counters or the bitmap of one function. @bytes are these counters or
 * this bitmap in the file. In a damaged file, an earlier function may use some of the same bytes. Then
 * @bytes are copied, because counts that are added to one of the two functions must not change the
 * other one.
 */
static enum storage storage_of(struct section_storage *section, struct bytes bytes, size_t alignment)
{
	if (section->storage != STORAGE_FILE)
		return section->storage;
	if ((uintptr_t)bytes.data % alignment || bytes.data < section->end)
		return STORAGE_ARENA;
	section->end = bytes.data + bytes.size;
	return STORAGE_FILE;
}

/*
 * Removes const from a pointer into the file. This is allowed because input_outlives_model permits
 * changes of these bytes.
 */
static void *changeable(const uint8_t *data)
{
	return (void *)(uintptr_t)data;
}

static uint64_t *scratch_counters(struct raw_reader *reader, size_t size)
{
	reader->scratch.size = 0;
	buffer_reserve(&reader->scratch, size);
	return (uint64_t *)(void *)reader->scratch.data;
}

/*
 * Makes function->counters point to the memory for its counters. With STORAGE_FILE, this memory
 * already contains the counters.
 */
static void place_counters(
	struct raw_reader *reader, const struct raw_function *raw, enum storage storage, struct function *function)
{
	size_t size = raw->counter_count * sizeof(uint64_t);

	function->counter_count = (uint32_t)raw->counter_count;
	switch (storage) {
	case STORAGE_FILE:
		function->counters = changeable(raw->counters.data);
		break;
	case STORAGE_ARENA:
		function->counters = arena_take(&reader->model->arena, size);
		break;
	case STORAGE_SCRATCH:
		function->counters = scratch_counters(reader, size);
		break;
	}
}

static enum status take_counters(
	struct raw_reader *reader, const struct raw_function *raw, uint64_t index, struct function *function)
{
	enum storage storage = storage_of(&reader->counter_storage, raw->counters, sizeof(uint64_t));
	uint64_t max = 0;
	size_t i;

	place_counters(reader, raw, storage, function);
	for (i = 0; i < raw->counter_count; i++) {
		uint64_t count = raw_counter(&reader->profile, raw, i);

		if (storage != STORAGE_FILE)
			function->counters[i] = count;
		max = count > max ? count : max;
	}
	return max > RAW_COUNT_CREDIBLE && !reader->sum ? raw_incredible_count(max, index, reader->error) : STATUS_OK;
}

static void take_bitmap(struct raw_reader *reader, const struct raw_function *raw, struct function *function)
{
	function->bitmap_size = (uint32_t)raw->bitmap.size;
	/* With STORAGE_SCRATCH, the bitmap can stay in the file, because model_add() only reads it. */
	function->bitmap = changeable(raw->bitmap.data);
	if (!raw->bitmap.size || storage_of(&reader->bitmap_storage, raw->bitmap, 1) != STORAGE_ARENA)
		return;
	function->bitmap = arena_take(&reader->model->arena, raw->bitmap.size);
	memcpy(function->bitmap, raw->bitmap.data, raw->bitmap.size);
}

static bool has_max_count(const struct function *function)
{
	uint32_t i;

	for (i = 0; i < function->counter_count; i++)
		if (function->counters[i] == COUNT_MAX)
			return true;
	return false;
}

static void add_to_model(struct raw_reader *reader, struct function *function, struct sites *sites)
{
	if (!reader->first) {
		model_add(reader->model, function, reader->options->add.weight);
		return;
	}
	if (function->sites) {
		function->sites = allocate(1, sizeof(*function->sites));
		*function->sites = *sites;
		*sites = (struct sites){0};
	}
	model_append(reader->model, function);
}

static enum status add_function(struct raw_reader *reader, uint64_t index)
{
	const struct read_options *options = reader->options;
	struct raw_function raw;
	struct function function;
	struct sites sites = {0};
	const struct name *name;
	enum status status = raw_function(&reader->profile, index, &raw, reader->error);

	if (status != STATUS_OK)
		return status;
	name = names_near(reader->names, raw.name, &reader->names_at);
	if (!name)
		return raw_no_name(&raw, index, reader->error);
	note_call(reader, &raw);
	if (!in_shard(&options->add, raw.name))
		return take_sites(reader, index, &raw, NULL);
	function = (struct function){.reference = raw.name, .hash = raw.hash, .name = name->text};
	status = take_counters(reader, &raw, index, &function);
	if (status != STATUS_OK)
		return status;
	take_bitmap(reader, &raw, &function);
	status = take_sites(reader, index, &raw, &sites);
	function.sites = sites_any(&sites) ? &sites : NULL;
	if (status == STATUS_OK && reader->saturated && has_max_count(&function))
		model_note(reader->model, NOTE_OVERFLOW, &function);
	if (status == STATUS_OK && raw_is_weak_duplicate(&reader->profile, index))
		model_note_weak_duplicates(reader->model, &function, reader->profile.weak_duplicates->duplicates.count);
	if (status == STATUS_OK)
		add_to_model(reader, &function, &sites);
	if (raw_has_sites(&raw))
		sites_clear(&sites);
	return status;
}

/*
 * Returns whether the profile has the same names section as the previous profile. If it does, uses the names that were
 * read from the previous profile.
 */
static bool has_same_names(struct raw_reader *reader)
{
	struct bytes section = reader->profile.section[BAREPROF_NAMES];
	struct section_sums *sums = reader->options->sums;

	/*
	 * Functions that are appended to the model need names that the model keeps, so they cannot use the names of the
	 * previous profile.
	 */
	if (reader->first || !sums || !section.size || sums->names_section.size != section.size ||
		memcmp(sums->names_section.data, section.data, section.size))
		return false;
	reader->names = &sums->names;
	return true;
}

/* Stores the names in options->sums, so that the next profile can use them. */
static void keep_names(struct raw_reader *reader)
{
	struct bytes section = reader->profile.section[BAREPROF_NAMES];
	struct section_sums *sums = reader->options->sums;

	if (!sums || reader->names != &reader->own_names)
		return;
	names_free(&sums->names);
	sums->names = reader->own_names;
	reader->own_names = (struct names){0};
	sums->names_section.size = 0;
	buffer_add(&sums->names_section, section.data, section.size);
}

static enum status add_records(struct raw_reader *reader)
{
	const struct raw_profile *profile = &reader->profile;
	enum status status = STATUS_OK;
	uint64_t i;

	if (!has_same_names(reader)) {
		reader->names = &reader->own_names;
		if (names_unpack(reader->names, profile->section[BAREPROF_NAMES], reader->error) != STATUS_OK)
			return STATUS_INVALID_INPUT;
	}
	address_map_read(&reader->addresses, profile);
	reader->values = profile->values;
	model_reserve(reader->model, (size_t)profile->records);
	for (i = 0; i < profile->records && status == STATUS_OK; i++)
		status = add_function(reader, i);
	if (status == STATUS_OK)
		add_trace(reader);
	return status;
}

enum status raw_read_records(struct model *model, const struct raw_profile *profile, const struct read_options *options,
	const struct section_sum *sum, struct error *error)
{
	struct raw_reader reader = {.model = model,
		.options = options,
		.profile = *profile,
		.first = !model->count && options->add.weight == 1,
		.sum = sum,
		.saturated = sum && sum->overflow,
		.error = error};
	enum status status;

	choose_storage(&reader);
	status = add_records(&reader);
	/* The model keeps the names even after an error, because functions that were already appended point to them. */
	if (reader.first)
		model_keep(model, &reader.own_names.storage);
	if (status == STATUS_OK)
		keep_names(&reader);
	names_free(&reader.own_names);
	address_map_free(&reader.addresses);
	buffer_free(&reader.scratch);
	free(reader.called);
	return status;
}
