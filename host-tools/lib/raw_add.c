/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_add.c - from the records of raw profiles to functions of a model.
 */
#include "addresses.h"
#include "bulk.h"
#include "correlate.h"
#include "names.h"
#include "profiles.h"
#include "raw.h"
#include "sites.h"
#include "traces.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One profile of the file while it is being added. */
struct adding {
	struct model *model;
	const struct reading *reading;
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

	if (!adding->called_count || !reading_takes_traces(adding->reading))
		return;
	qsort(adding->called, adding->called_count, sizeof(*adding->called), compare_entries);
	references = allocate(adding->called_count, sizeof(*references));
	for (i = 0; i < adding->called_count; i++)
		references[i] = adding->called[i].reference;
	traces_add(adding->model, adding->reading, 1, references, adding->called_count);
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

/* Counters that are in the file just as the model wants them. */
static bool as_in_file(const struct adding *adding, const struct raw_function *raw)
{
	return adding->first && adding->reading->stays && adding->profile.counter_size == 8 &&
	       adding->profile.big == (BYTE_ORDER == BIG_ENDIAN) && !((uintptr_t)raw->counters.data % sizeof(uint64_t));
}

/*
 * No run counts as far as this. llvm-profdata does not believe it either; where
 * counters live in memory that nothing clears, this is what tells.
 */
#define COUNT_CREDIBLE (1ull << 56)

static enum status incredible(uint64_t count, uint64_t index, struct error *error)
{
	return error_set(error, STATUS_BAD,
		"has a count of %" PRIu64 " in function %" PRIu64
		", which no program reaches: was the memory of its counters cleared at its start?",
		count, index);
}

/* The same for all counters of a profile that is added without a look at its functions. */
static enum status check_counts(const struct raw_profile *profile, struct error *error)
{
	struct bytes counters = profile->section[BAREPROF_CNTS];
	struct raw_function function;
	uint64_t most = 0;
	uint64_t index;
	size_t i;

	for (i = 0; i + 8 <= counters.size; i += 8) {
		uint64_t count = load(counters.data + i, 8, profile->big);

		most = count > most ? count : most;
	}
	/* Only what belongs to a function counts. */
	for (index = 0; most > COUNT_CREDIBLE && index < profile->records; index++)
		if (raw_function(profile, index, &function, error) == STATUS_OK)
			for (i = 0; i < function.counter_count; i++)
				if (raw_counter(profile, &function, i) > COUNT_CREDIBLE)
					return incredible(raw_counter(profile, &function, i), index, error);
	return STATUS_OK;
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
	uint64_t most = 0;
	size_t size = raw->counter_count * sizeof(uint64_t);
	size_t i;

	function->counter_count = (uint32_t)raw->counter_count;
	if (as_in_file(adding, raw))
		function->counters = (uint64_t *)(uintptr_t)raw->counters.data;
	else if (adding->first)
		function->counters = arena_take(&adding->model->arena, size);
	else
		function->counters = scratch(adding, size);
	for (i = 0; i < raw->counter_count; i++) {
		uint64_t count = raw_counter(&adding->profile, raw, i);

		if (!as_in_file(adding, raw))
			function->counters[i] = count;
		most = count > most ? count : most;
	}
	return most > COUNT_CREDIBLE && !adding->sum ? incredible(most, index, adding->error) : STATUS_OK;
}

static void take_bitmap(struct adding *adding, const struct raw_function *raw, struct function *function)
{
	function->bitmap = (uint8_t *)(uintptr_t)raw->bitmap.data; /* only read, unless it stays */
	function->bitmap_size = (uint32_t)raw->bitmap.size;
	if (!adding->first || adding->reading->stays || !raw->bitmap.size)
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
		model_add(adding->model, function, adding->reading->weight);
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
	const struct reading *reading = adding->reading;
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
	if (reading->shards && raw.name % reading->shards != reading->shard)
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
	if (status == STATUS_OK)
		give(adding, &function, &sites);
	if (raw_has_sites(&raw))
		sites_clear(&sites);
	return status;
}

static void add_build_ids(struct model *model, const struct raw_profile *profile)
{
	struct bytes rest = profile->section[BAREPROF_BUILD_ID];
	struct bytes id;

	while (raw_next_build_id(profile, &rest, &id))
		model_add_build_id(model, id);
}

/* Every record has a name: what is kept to be added later must not fail then. */
static enum status check_names(const struct raw_profile *profile, struct error *error)
{
	struct names names = {0};
	struct raw_function function;
	enum status status = names_unpack(&names, profile->section[BAREPROF_NAMES], error);
	size_t at = 0;
	uint64_t i;

	for (i = 0; i < profile->records && status == STATUS_OK; i++) {
		status = raw_function(profile, i, &function, error);
		if (status == STATUS_OK && !names_near(&names, function.name, &at))
			status = raw_no_name(&function, i, error);
	}
	names_free(&names);
	return status;
}

/* The names of the profile before are the same. */
static bool has_same_names(struct adding *adding)
{
	struct bytes section = adding->profile.section[BAREPROF_NAMES];
	struct bulk *bulk = adding->reading->bulk;

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
	struct bulk *bulk = adding->reading->bulk;

	if (!bulk || adding->names != &adding->own_names)
		return;
	names_free(&bulk->names);
	bulk->names = adding->own_names;
	adding->own_names = (struct names){0};
	bulk->names_section.size = 0;
	buffer_add(&bulk->names_section, section.data, section.size);
}

/* Nobody asks for them, but what does not unpack is damage. */
static enum status check_vtable_names(const struct raw_profile *profile, struct error *error)
{
	struct bytes section = profile->section[BAREPROF_VNAMES];
	struct names names = {0};
	enum status status = names_read(&names, section, error);

	if (status == STATUS_OK && section.size && !names.count)
		status =
			error_set(error, STATUS_BAD, "has a damaged section for the names of vtables: it has no names");
	names_free(&names);
	return status;
}

static enum status add_records(struct adding *adding)
{
	const struct raw_profile *profile = &adding->profile;
	enum status status = STATUS_OK;
	uint64_t i;

	if (!has_same_names(adding)) {
		adding->names = &adding->own_names;
		if (names_unpack(adding->names, profile->section[BAREPROF_NAMES], adding->error) != STATUS_OK)
			return STATUS_BAD;
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

/* @sum: what was summed up in bulk, or NULL. */
static enum status add_opened(struct model *model, const struct raw_profile *profile, const struct reading *reading,
	const struct bulk_image *sum, struct error *error)
{
	struct adding adding = {.model = model,
		.reading = reading,
		.profile = *profile,
		.first = !model->count && reading->weight == 1,
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

/* The sum of an image. Its counts are weighed already. */
static enum status add_image(
	struct model *model, struct bulk_image *image, const struct reading *reading, struct error *error)
{
	struct reading once = *reading;
	enum status status = STATUS_OK;

	once.weight = 1;
	once.stays = !model->count;
	if (image->file.size)
		status = add_opened(model, &image->profile, &once, image, error);
	if (once.stays)
		model_keep(model, &image->file);
	buffer_free(&image->file);
	return status;
}

/* Add the profile at @offset to the sum of its image, if it has one; *@end is 0 if not. */
static enum status add_to_image(
	struct bytes bytes, size_t offset, const struct reading *reading, size_t *end, struct error *error)
{
	struct raw_profile profile;
	struct bulk_image *image;
	enum status status = raw_sections(&profile, bytes, offset, error);

	*end = 0;
	if (status != STATUS_OK)
		return status;
	image = bulk_match(reading->bulk, &profile);
	if (!image)
		return STATUS_OK;
	status = raw_finish(&profile, bytes, error);
	if (status == STATUS_OK)
		status = check_counts(&profile, error);
	if (status == STATUS_OK)
		bulk_add(image, &profile, reading->weight);
	*end = profile.end;
	return status;
}

/* Records and names come from the ELF file. */
static enum status add_correlated(
	struct model *model, const struct raw_profile *profile, const struct reading *reading, struct error *error)
{
	struct reading whole = *reading;
	struct buffer completed = {0};
	enum status status;

	if (!reading->elf)
		return error_set(error, STATUS_BAD,
			"has no records and no names, they are in the ELF file: give that with --elf");
	whole.elf = NULL;
	whole.stays = false;
	status = correlate(&completed, profile, reading->elf, error);
	if (status == STATUS_OK)
		status = raw_add(model, (struct bytes){completed.data, completed.size}, &whole, error);
	buffer_free(&completed);
	return status;
}

static enum status add_one(struct model *model, struct bytes bytes, size_t offset, const struct reading *reading,
	size_t *end, struct error *error)
{
	struct raw_profile profile;
	struct bulk_image old = {0};
	enum status status = STATUS_OK;

	*end = 0;
	if (reading->bulk)
		status = add_to_image(bytes, offset, reading, end, error);
	if (status != STATUS_OK || *end)
		return status;
	status = raw_open(&profile, bytes, offset, error);
	*end = profile.end;
	if (status == STATUS_OK)
		status = model_kind(model, profile.version_word, error);
	if (status == STATUS_OK)
		status = check_vtable_names(&profile, error);
	if (status != STATUS_OK)
		return status;
	if (raw_correlated(&profile))
		return add_correlated(model, &profile, reading, error);
	add_build_ids(model, &profile);
	if (!reading->bulk || !bulk_fits(&profile))
		return add_opened(model, &profile, reading, NULL, error);
	status = check_names(&profile, error);
	if (status == STATUS_OK)
		status = check_counts(&profile, error);
	if (status != STATUS_OK)
		return status;
	bulk_start(reading->bulk, &profile, bytes, reading->weight, &old);
	return add_image(model, &old, reading, error);
}

enum status raw_add(struct model *model, struct bytes bytes, const struct reading *reading, struct error *error)
{
	enum status status = STATUS_OK;
	size_t offset = 0;

	while (offset < bytes.size && status == STATUS_OK)
		status = add_one(model, bytes, offset, reading, &offset, error);
	return status;
}

enum status raw_end(struct model *model, const struct reading *reading, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < BULK_IMAGES; i++)
		if (status == STATUS_OK)
			status = add_image(model, &reading->bulk->image[i], reading, error);
		else
			buffer_free(&reading->bulk->image[i].file);
	buffer_free(&reading->bulk->names_section);
	names_free(&reading->bulk->names);
	return status;
}
