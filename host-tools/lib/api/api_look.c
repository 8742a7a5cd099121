/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_look.c - libbareprof: reads from a profile and changes it.
 */
#include "api.h"
#include "versions.h"

void api_sort(struct bareprof_profile *profile)
{
	if (!profile->sorted)
		model_sort(&profile->model);
	profile->sorted = true;
}

static struct bareprof_bytes view(struct bytes bytes)
{
	return (struct bareprof_bytes){bytes.data, bytes.size};
}

uint64_t bareprof_profile_note(
	const struct bareprof_profile *profile, enum bareprof_note note, struct bareprof_bytes *function)
{
	const char *name = profile->model.notes[note].function;

	if (function)
		*function = (struct bareprof_bytes){(const uint8_t *)name, name ? strlen(name) : 0};
	return profile->model.notes[note].times;
}

void bareprof_profile_kind(const struct bareprof_profile *profile, struct bareprof_kind *kind)
{
	uint64_t variants = profile->model.variants;

	*kind = (struct bareprof_kind){.ir = variants & BAREPROF_VARIANT_IR,
		.context_sensitive = variants & BAREPROF_VARIANT_CSIR,
		.entry_first = variants & BAREPROF_VARIANT_ENTRY_FIRST,
		.loop_entries = variants & BAREPROF_VARIANT_LOOP_ENTRIES,
		.byte_coverage = variants & BAREPROF_VARIANT_BYTE_COVERAGE,
		.entry_only = variants & BAREPROF_VARIANT_ENTRY_ONLY,
		.temporal = variants & BAREPROF_VARIANT_TEMPORAL};
}

size_t bareprof_profile_functions(struct bareprof_profile *profile)
{
	api_sort(profile);
	return profile->model.count;
}

bool bareprof_profile_function(struct bareprof_profile *profile, size_t index, struct bareprof_function *function)
{
	const struct function *inner;
	int kind;

	api_sort(profile);
	if (index >= profile->model.count)
		return false;
	inner = &profile->model.functions[index];
	*function = (struct bareprof_function){.name = view(inner->name),
		.name_hash = inner->reference,
		.hash = inner->hash,
		.counters = inner->counters,
		.counter_count = inner->counter_count,
		.bitmap = inner->bitmap_size ? inner->bitmap : NULL,
		.bitmap_size = inner->bitmap_size,
		.inner = inner};
	for (kind = 0; inner->sites && kind < PROFILE_KINDS; kind++)
		function->sites[kind] = inner->sites->count[kind];
	return true;
}

size_t bareprof_function_values(const struct bareprof_function *function, enum bareprof_value_kind kind, size_t site,
	struct bareprof_value *values, size_t room)
{
	const struct function *inner = function->inner;
	const struct site *of;
	size_t i;

	if (kind >= BAREPROF_VALUE_KINDS || site >= function->sites[kind])
		return 0;
	of = &inner->sites->site[kind][site];
	for (i = 0; i < of->count && i < room; i++)
		values[i] = (struct bareprof_value){of->values[i].value, of->values[i].count};
	return of->count;
}

struct bareprof_bytes bareprof_profile_name(struct bareprof_profile *profile, uint64_t hash)
{
	api_sort(profile);
	return view(model_name(&profile->model, hash));
}

bool bareprof_profile_build_id(struct bareprof_profile *profile, size_t *at, struct bareprof_bytes *id)
{
	const struct buffer *ids = &profile->model.build_ids;
	struct bytes text;

	api_sort(profile);
	if (*at >= ids->size)
		return false;
	/*
	 * Each entry of @ids has a length, which is a number of 8 bytes, then the build id, then
	 * zeros up to a multiple of 8 bytes. The bounds of the entries are not checked, because the
	 * model made this buffer.
	 */
	text = (struct bytes){ids->data + *at + 8, (size_t)load_uint(ids->data + *at, 8, false)};
	*at += 8 + text.size + BAREPROF_PAD8(text.size);
	*id = view(text);
	return true;
}

bool bareprof_profile_trace(struct bareprof_profile *profile, size_t index, struct bareprof_trace *trace)
{
	const struct trace *inner;

	api_sort(profile);
	if (index >= profile->model.traces.count)
		return false;
	inner = &profile->model.traces.list[index];
	*trace = (struct bareprof_trace){inner->weight, inner->references, inner->count};
	return true;
}

void bareprof_profile_drop_zero(struct bareprof_profile *profile)
{
	api_sort(profile);
	model_drop_zero(&profile->model);
}

struct filter {
	bool (*keep)(void *context, struct bareprof_bytes name);
	void *context;
};

static bool keep_name(void *context, struct bytes name)
{
	const struct filter *filter = context;

	return filter->keep(filter->context, view(name));
}

size_t bareprof_profile_filter(
	struct bareprof_profile *profile, bool (*keep)(void *context, struct bareprof_bytes name), void *context)
{
	struct filter filter = {keep, context};

	api_sort(profile);
	model_filter(&profile->model, keep_name, &filter);
	return profile->model.count;
}

void bareprof_profile_drop_build_ids(struct bareprof_profile *profile)
{
	buffer_free(&profile->model.build_ids);
}

void bareprof_profile_hashes_to_v4(struct bareprof_profile *profile)
{
	hashes_to_v4(&profile->model);
	model_sort(&profile->model);
	profile->sorted = true;
}

enum bareprof_hashes bareprof_profile_hashes(struct bareprof_profile *profile)
{
	_Static_assert((int)BAREPROF_HASHES_V3 == (int)HASHES_V3 && (int)BAREPROF_HASHES_V4 == (int)HASHES_V4 &&
			       (int)BAREPROF_HASHES_BOTH == (int)HASHES_BOTH,
		"the public enumerators have the same values");

	return (enum bareprof_hashes)hashes_of(&profile->model);
}
