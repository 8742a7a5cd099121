/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_add.c - from the records of raw profiles to functions of a model.
 */
#include "addresses.h"
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

static void take_counters(struct adding *adding, const struct raw_function *raw, struct function *function)
{
	size_t i;

	adding->counters.size = 0;
	buffer_reserve(&adding->counters, raw->counter_count * sizeof(uint64_t));
	function->counters = (uint64_t *)(void *)adding->counters.data;
	function->counter_count = (uint32_t)raw->counter_count;
	for (i = 0; i < raw->counter_count; i++)
		function->counters[i] = raw_counter(&adding->profile, raw, i);
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
		return error_set(adding->error, STATUS_BAD,
			"is malformed: function %" PRIu64 " refers to the name %016" PRIx64
			", which is not in the names section",
			index, raw.name);
	note_call(adding, &raw);
	function = (struct function){.reference = raw.name, .hash = raw.hash, .name = name->text};
	take_counters(adding, &raw, &function);
	function.bitmap = (uint8_t *)(uintptr_t)raw.bitmap.data; /* only read */
	function.bitmap_size = (uint32_t)raw.bitmap.size;
	status = take_sites(adding, index, &raw, &sites);
	function.sites = raw_has_sites(&raw) ? &sites : NULL;
	if (status == STATUS_OK && (!reading->shards || raw.name % reading->shards == reading->shard))
		model_add(adding->model, &function, reading->weight);
	sites_clear(&sites);
	return status;
}

static void add_build_ids(struct adding *adding)
{
	struct bytes rest = adding->profile.section[BAREPROF_BUILD_ID];
	struct bytes id;

	while (raw_next_build_id(&adding->profile, &rest, &id))
		model_add_build_id(adding->model, id);
}

static enum status add_profile(struct adding *adding)
{
	const struct raw_profile *profile = &adding->profile;
	enum status status = model_kind(adding->model, profile->version_word, adding->error);
	uint64_t i;

	if (status == STATUS_OK && raw_correlated(profile))
		status = error_set(
			adding->error, STATUS_BAD, "has no records, they are in the ELF file: give it with --elf");
	if (status == STATUS_OK)
		status = names_read(&adding->names, profile->section[BAREPROF_NAMES], adding->error);
	if (status != STATUS_OK)
		return status;
	addresses_read(&adding->addresses, profile);
	adding->values = profile->values;
	model_reserve(adding->model, (size_t)profile->records);
	add_build_ids(adding);
	for (i = 0; i < profile->records && status == STATUS_OK; i++)
		status = add_function(adding, i);
	if (status == STATUS_OK)
		add_trace(adding);
	return status;
}

enum status raw_add(struct model *model, struct bytes bytes, const struct reading *reading, struct error *error)
{
	enum status status = STATUS_OK;
	size_t offset = 0;

	while (offset < bytes.size && status == STATUS_OK) {
		struct adding adding = {.model = model, .reading = reading, .error = error};

		status = raw_open(&adding.profile, bytes, offset, error);
		if (status == STATUS_OK)
			status = add_profile(&adding);
		offset = adding.profile.end;
		names_free(&adding.names);
		addresses_free(&adding.addresses);
		buffer_free(&adding.counters);
		free(adding.called);
	}
	return status;
}
