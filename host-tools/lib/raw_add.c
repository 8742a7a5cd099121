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

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One profile of the file while it is being added. */
struct adding {
	struct model *model;
	const struct reading *reading;
	struct raw_profile profile;
	struct names names;
	struct addresses addresses;
	struct bytes values; /* value data that is left */
	struct buffer counters; /* of the function at hand */
	struct trace_entry *called; /* functions with a timestamp */
	size_t called_count;
	size_t called_room;
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
	model_add_trace(adding->model, adding->reading->weight, references, adding->called_count);
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

	if (status == STATUS_OK)
		name_values(adding, sites);
	return status;
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

static enum status take_counters(
	struct adding *adding, const struct raw_function *raw, uint64_t index, struct function *function)
{
	uint64_t most = 0;
	size_t i;

	adding->counters.size = 0;
	buffer_reserve(&adding->counters, raw->counter_count * sizeof(uint64_t));
	function->counters = (uint64_t *)(void *)adding->counters.data;
	function->counter_count = (uint32_t)raw->counter_count;
	for (i = 0; i < raw->counter_count; i++) {
		function->counters[i] = raw_counter(&adding->profile, raw, i);
		most = function->counters[i] > most ? function->counters[i] : most;
	}
	return most > COUNT_CREDIBLE && !adding->sum ? incredible(most, index, adding->error) : STATUS_OK;
}

static enum status no_name(const struct raw_function *raw, uint64_t index, struct error *error)
{
	return error_set(error, STATUS_BAD,
		"is malformed: function %" PRIu64 " refers to the name %016" PRIx64
		", which is not in the names section",
		index, raw->name);
}

static bool has_most(const struct function *function)
{
	uint32_t i;

	for (i = 0; i < function->counter_count; i++)
		if (function->counters[i] == COUNT_MAX)
			return true;
	return false;
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
	name = names_find(&adding->names, raw.name);
	if (!name)
		return no_name(&raw, index, adding->error);
	note_call(adding, &raw);
	function = (struct function){.reference = raw.name, .hash = raw.hash, .name = name->text};
	status = take_counters(adding, &raw, index, &function);
	if (status != STATUS_OK)
		return status;
	function.bitmap = (uint8_t *)(uintptr_t)raw.bitmap.data; /* only read */
	function.bitmap_size = (uint32_t)raw.bitmap.size;
	status = take_sites(adding, index, &raw, &sites);
	function.sites = sites_any(&sites) ? &sites : NULL;
	if (status == STATUS_OK && (!reading->shards || raw.name % reading->shards == reading->shard))
		model_add(adding->model, &function, reading->weight);
	if (status == STATUS_OK && adding->saturated && has_most(&function))
		model_note(adding->model, NOTE_OVERFLOW, &function);
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
	enum status status = names_read(&names, profile->section[BAREPROF_NAMES], error);
	uint64_t i;

	for (i = 0; i < profile->records && status == STATUS_OK; i++) {
		status = raw_function(profile, i, &function, error);
		if (status == STATUS_OK && !names_find(&names, function.name))
			status = no_name(&function, i, error);
	}
	names_free(&names);
	return status;
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

	if (names_read(&adding->names, profile->section[BAREPROF_NAMES], adding->error) != STATUS_OK)
		return STATUS_BAD;
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
		.sum = sum,
		.saturated = sum && sum->overflow,
		.error = error};
	enum status status = add_records(&adding);

	names_free(&adding.names);
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
	if (image->file.size)
		status = add_opened(model, &image->profile, &once, image, error);
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
	return status;
}
