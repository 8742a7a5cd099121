/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_records.c - from the records of a raw profile to functions of a model.
 */
#include "raw_records.h"
#include "addresses.h"
#include "names.h"
#include "raw_weak_duplicates.h"
#include "count.h"
#include "raw_check.h"
#include "raw_values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One profile of the file while it is being added. */
struct adding {
	struct model *model;
	const struct read_options *options;
	struct raw_profile profile;
	struct names *names;
	struct names own_names;
	size_t names_at; /* where the next one should be */
	struct addresses addresses;
	struct bytes values; /* value data that is left */
	struct buffer counters; /* of the function at hand */
	struct trace_entry *called; /* functions with a timestamp */
	size_t called_count;
	size_t called_room;
	bool first; /* the model was empty: functions are appended */
	const uint8_t *counters_mark; /* up to here the model has the file's counters and bitmaps as its own */
	const uint8_t *bitmap_mark;
	bool sum; /* not one run's profile, but many: counts may be high */
	bool saturated; /* some count of a sum reached COUNT_MAX */
	struct error *error;
};

struct trace_entry {
	uint64_t timestamp;
	uint64_t reference;
};

static int compare_entries(const void *left, const void *right)
{
	const struct trace_entry *a = left;
	const struct trace_entry *b = right;

	if (a->timestamp != b->timestamp)
		return a->timestamp < b->timestamp ? -1 : 1;
	return (a->reference > b->reference) - (a->reference < b->reference);
}

/* The order of first calls is the profile's one trace. */
static void add_trace(struct adding *adding)
{
	uint64_t *references;
	size_t i;

	if (!adding->called_count)
		return;
	qsort(adding->called, adding->called_count, sizeof(*adding->called), compare_entries);
	references = allocate(adding->called_count, sizeof(*references));
	for (i = 0; i < adding->called_count; i++)
		references[i] = adding->called[i].reference;
	traces_add(&adding->model->traces, &adding->options->add, 1, references, adding->called_count);
}

static void note_call(struct adding *adding, const struct raw_function *raw)
{
	if (!raw->timestamp)
		return;
	adding->called = grow(adding->called, adding->called_count, &adding->called_room, sizeof(*adding->called));
	adding->called[adding->called_count++] = (struct trace_entry){raw->timestamp, raw->name};
}

/* What the target stored as an address is the reference of a name in a profile. */
static void name_values(const struct adding *adding, struct sites *sites)
{
	uint32_t i;
	size_t j;

	for (i = 0; i < sites->count[0]; i++)
		for (j = 0; j < sites->site[0][i].count; j++) {
			uint64_t *value = &sites->site[0][i].values[j].value;

			*value = addresses_function(&adding->addresses, *value);
		}
	for (i = 0; i < sites->count[2]; i++)
		for (j = 0; j < sites->site[2][i].count; j++) {
			uint64_t *value = &sites->site[2][i].values[j].value;

			*value = addresses_vtable(&adding->addresses, *value);
		}
}

static enum status take_sites(
	struct adding *adding, uint64_t index, const struct raw_function *raw, struct sites *sites)
{
	enum status status = raw_values_take(&adding->profile, raw, index, &adding->values, sites, adding->error);

	if (status == STATUS_OK && sites)
		name_values(adding, sites);
	return status;
}

/*
 * May the model have these bytes of the file as they are, and add to them? Not if
 * another record may have them as well: of damaged files only, but then what is
 * added to one function would show in the other.
 */
static bool may_stay(const struct adding *adding, const uint8_t **mark, struct bytes bytes)
{
	if (!adding->first || !adding->options->stays || bytes.data < *mark)
		return false;
	*mark = bytes.data + bytes.size;
	return true;
}

/* Counters that are in the file just as the model wants them. */
static bool as_in_file(struct adding *adding, const struct raw_function *raw)
{
	return adding->profile.counter_size == 8 && adding->profile.big == (BYTE_ORDER == BIG_ENDIAN) &&
	       !((uintptr_t)raw->counters.data % sizeof(uint64_t)) &&
	       may_stay(adding, &adding->counters_mark, raw->counters);
}

/* Memory for the function at hand. */
static uint64_t *scratch(struct adding *adding, size_t size)
{
	adding->counters.size = 0;
	buffer_reserve(&adding->counters, size);
	return (uint64_t *)(void *)adding->counters.data;
}

static enum status take_counters(
	struct adding *adding, const struct raw_function *raw, uint64_t index, struct function *function)
{
	bool in_file = as_in_file(adding, raw);
	uint64_t most = 0;
	size_t size = raw->counter_count * sizeof(uint64_t);
	size_t i;

	function->counter_count = (uint32_t)raw->counter_count;
	if (in_file)
		function->counters = (uint64_t *)(uintptr_t)raw->counters.data;
	else if (adding->first)
		function->counters = arena_take(&adding->model->arena, size);
	else
		function->counters = scratch(adding, size);
	for (i = 0; i < raw->counter_count; i++) {
		uint64_t count = raw_counter(&adding->profile, raw, i);

		if (!in_file)
			function->counters[i] = count;
		most = count > most ? count : most;
	}
	return most > RAW_COUNT_CREDIBLE && !adding->sum ? raw_incredible_count(most, index, adding->error) : STATUS_OK;
}

static void take_bitmap(struct adding *adding, const struct raw_function *raw, struct function *function)
{
	function->bitmap = (uint8_t *)(uintptr_t)raw->bitmap.data; /* only read, unless it stays */
	function->bitmap_size = (uint32_t)raw->bitmap.size;
	if (!adding->first || !raw->bitmap.size || may_stay(adding, &adding->bitmap_mark, raw->bitmap))
		return;
	function->bitmap = arena_take(&adding->model->arena, raw->bitmap.size);
	memcpy(function->bitmap, raw->bitmap.data, raw->bitmap.size);
}

static bool has_most(const struct function *function)
{
	uint32_t i;

	for (i = 0; i < function->counter_count; i++)
		if (function->counters[i] == COUNT_MAX)
			return true;
	return false;
}

static void give(struct adding *adding, struct function *function, struct sites *sites)
{
	if (!adding->first) {
		model_add(adding->model, function, adding->options->add.weight);
		return;
	}
	if (function->sites) {
		function->sites = allocate(1, sizeof(*function->sites));
		*function->sites = *sites;
		*sites = (struct sites){0};
	}
	model_append(adding->model, function);
}

static enum status add_function(struct adding *adding, uint64_t index)
{
	const struct read_options *options = adding->options;
	struct raw_function raw;
	struct function function;
	struct sites sites = {0};
	const struct name *name;
	enum status status = raw_function(&adding->profile, index, &raw, adding->error);

	if (status != STATUS_OK)
		return status;
	name = names_near(adding->names, raw.name, &adding->names_at);
	if (!name)
		return raw_no_name(&raw, index, adding->error);
	note_call(adding, &raw);
	if (!in_shard(&options->add, raw.name))
		return take_sites(adding, index, &raw, NULL);
	function = (struct function){.reference = raw.name, .hash = raw.hash, .name = name->text};
	status = take_counters(adding, &raw, index, &function);
	if (status != STATUS_OK)
		return status;
	take_bitmap(adding, &raw, &function);
	status = take_sites(adding, index, &raw, &sites);
	function.sites = sites_any(&sites) ? &sites : NULL;
	if (status == STATUS_OK && adding->saturated && has_most(&function))
		model_note(adding->model, NOTE_OVERFLOW, &function);
	if (status == STATUS_OK && raw_is_double(&adding->profile, index))
		model_note_doubles(adding->model, &function, adding->profile.doubles->doubles.count);
	if (status == STATUS_OK)
		give(adding, &function, &sites);
	if (raw_has_sites(&raw))
		sites_clear(&sites);
	return status;
}

/* The names of the profile before are the same. */
static bool has_same_names(struct adding *adding)
{
	struct bytes section = adding->profile.section[BAREPROF_NAMES];
	struct bulk *bulk = adding->options->bulk;

	/* What is appended needs names that stay. */
	if (adding->first || !bulk || !section.size || bulk->names_section.size != section.size ||
		memcmp(bulk->names_section.data, section.data, section.size))
		return false;
	adding->names = &bulk->names;
	return true;
}

/* For the profile after this one. */
static void keep_names(struct adding *adding)
{
	struct bytes section = adding->profile.section[BAREPROF_NAMES];
	struct bulk *bulk = adding->options->bulk;

	if (!bulk || adding->names != &adding->own_names)
		return;
	names_free(&bulk->names);
	bulk->names = adding->own_names;
	adding->own_names = (struct names){0};
	bulk->names_section.size = 0;
	buffer_add(&bulk->names_section, section.data, section.size);
}

static enum status add_records(struct adding *adding)
{
	const struct raw_profile *profile = &adding->profile;
	enum status status = STATUS_OK;
	uint64_t i;

	if (!has_same_names(adding)) {
		adding->names = &adding->own_names;
		if (names_unpack(adding->names, profile->section[BAREPROF_NAMES], adding->error) != STATUS_OK)
			return STATUS_INVALID_INPUT;
	}
	addresses_read(&adding->addresses, profile);
	adding->values = profile->values;
	model_reserve(adding->model, (size_t)profile->records);
	for (i = 0; i < profile->records && status == STATUS_OK; i++)
		status = add_function(adding, i);
	if (status == STATUS_OK)
		add_trace(adding);
	return status;
}

enum status raw_add_records(struct model *model, const struct raw_profile *profile, const struct read_options *options,
	const struct bulk_image *sum, struct error *error)
{
	struct adding adding = {.model = model,
		.options = options,
		.profile = *profile,
		.first = !model->count && options->add.weight == 1,
		.sum = sum,
		.saturated = sum && sum->overflow,
		.error = error};
	enum status status = add_records(&adding);

	/* After an error as well: functions that were appended have their names there. */
	if (adding.first)
		model_keep(model, &adding.own_names.storage);
	if (status == STATUS_OK)
		keep_names(&adding);
	names_free(&adding.own_names);
	addresses_free(&adding.addresses);
	buffer_free(&adding.counters);
	free(adding.called);
	return status;
}
