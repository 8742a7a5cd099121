/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_counters.c - makes a machine profile from counters of clang, for example those of its light kinds of
 * instrumentation, which only say whether a function ran, or in which order functions were called first.
 */
#include "mip_counters.h"
#include "elf_files.h"
#include "exit.h"
#include "input.h"
#include "mip_image.h"
#include "mip_join.h"
#include "mip_load.h"
#include "profile_read.h"

#include <stdlib.h>
#include <string.h>

/* The state of a conversion. */
struct conversion {
	const struct model *model;
	const struct image *image;
	struct mip_profile *profile;
	size_t *slots; /* for each symbol of the image, the index of its function in @profile plus 1, or 0 */
	struct entry *entries; /* the functions of @model, by name hash */
	size_t count;
	bool has_calls; /* the first counter of a function counts its calls */
	bool has_orders;
};

/* A function of the model. */
struct entry {
	uint64_t reference;
	size_t function; /* index of the function in the machine profile plus 1; 0: the program does not have it */
};

static bool is_same_id(struct bytes id, const struct buffer *other)
{
	return id.size == other->size && !memcmp(id.data, other->data, id.size);
}

/* A profile without build ids fits every program. */
static enum status check_ids(const struct model *model, const struct buffer *expected, struct error *error)
{
	struct cursor ids = cursor_of((struct bytes){model->build_ids.data, model->build_ids.size});
	struct bytes id = {NULL, 0};

	while (expected->size && ids.at < ids.end && !ids.failed) {
		uint64_t size = take_fixed(&ids, 8);

		id = take_bytes(&ids, size);
		take_bytes(&ids, BAREPROF_PAD8(size));
		if (is_same_id(id, expected))
			return STATUS_OK;
	}
	if (!id.size)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"comes from another build than the program, as the build ids show; give the ELF file that was run");
}

/* Static functions have the names "file.c:name" or "file.c;name". Returns NULL if the program has no such function. */
static const struct image_symbol *find_symbol(const struct image *image, struct bytes name)
{
	char *file = format("%.*s", (int)name.size, (const char *)name.data);
	char *bare = file + strlen(file);
	const struct image_symbol *symbol;

	while (bare > file && bare[-1] != ':' && bare[-1] != ';')
		bare--;
	if (bare > file)
		bare[-1] = 0;
	symbol = image_function(image, bare, bare > file ? file : "");
	free(file);
	return symbol;
}

static struct mip_function *add_function(struct conversion *conversion, const struct image_symbol *symbol)
{
	bool calls = conversion->has_calls || conversion->has_orders;

	return mip_profile_add(
		conversion->profile, &(struct mip_function){
					     .name = {(const uint8_t *)symbol->name, strlen(symbol->name)},
					     .address = symbol->value,
					     .size = symbol->size > UINT32_MAX ? UINT32_MAX : (uint32_t)symbol->size,
					     .kinds = calls ? BAREPROF_MIP_KIND_CALLS : BAREPROF_MIP_KIND_COVERAGE,
					     .start = calls ? BAREPROF_MIP_CALLS_START : BAREPROF_MIP_COVERAGE_START,
				     });
}

/* Without a counter of calls, a function that ran was called at least once. */
static void add_counts(struct mip_function *to, const struct conversion *conversion, const struct function *from)
{
	if (!function_ran(from))
		return;
	to->runs = 1;
	if (conversion->has_calls)
		to->calls = add_saturating(to->calls, from->counters[0]);
	if ((conversion->has_calls || conversion->has_orders) && !to->calls) {
		to->calls = 1;
		to->at_least = true;
	}
}

static void join_functions(struct conversion *conversion, struct mip_counters_lost *lost)
{
	size_t i;

	for (i = 0; i < conversion->count; i++) {
		const struct function *function = &conversion->model->functions[i];
		const struct image_symbol *symbol = find_symbol(conversion->image, function->name);
		size_t *slot;

		conversion->entries[i].reference = function->reference;
		if (!symbol) {
			lost->functions++;
			lost->ran += function_ran(function);
			continue;
		}
		slot = &conversion->slots[symbol - conversion->image->symbols];
		if (!*slot) {
			add_function(conversion, symbol);
			*slot = conversion->profile->count;
		}
		conversion->entries[i].function = *slot;
		add_counts(&conversion->profile->functions[*slot - 1], conversion, function);
	}
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;

	return compare_uint(a->reference, b->reference);
}

/* Each trace is a run of the program. The position of a function in the trace is the order of its first call. */
static void add_trace(struct conversion *conversion, const struct trace *trace)
{
	bool *seen = allocate(conversion->profile->count, sizeof(*seen));
	uint64_t order = 0;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		struct entry key = {.reference = trace->references[i]};
		struct entry *entry = bsearch(
			&key, conversion->entries, conversion->count, sizeof(*conversion->entries), compare_entries);
		struct mip_function *function;

		if (!entry || !entry->function || seen[entry->function - 1])
			continue;
		seen[entry->function - 1] = true;
		function = &conversion->profile->functions[entry->function - 1];
		function->order_sum = add_saturating(function->order_sum, ++order);
		function->orders++;
	}
	free(seen);
}

static void add_traces(struct conversion *conversion)
{
	size_t i;

	qsort(conversion->entries, conversion->count, sizeof(*conversion->entries), compare_entries);
	for (i = 0; i < conversion->model->traces.count; i++)
		add_trace(conversion, &conversion->model->traces.list[i]);
	for (i = 0; i < conversion->profile->count; i++) {
		struct mip_function *function = &conversion->profile->functions[i];

		if (!function->orders)
			continue;
		function->runs = function->orders;
		if (!function->calls) {
			function->calls = function->runs;
			function->at_least = true;
		}
	}
}

enum status mip_counters_convert(struct mip_profile *profile, const struct model *model, const struct image *image,
	struct mip_counters_lost *lost, struct error *error)
{
	bool bytes = model->variants & BAREPROF_VARIANT_BYTE_COVERAGE;
	struct conversion conversion = {.model = model,
		.image = image,
		.profile = profile,
		.slots = allocate(image->symbol_count, sizeof(*conversion.slots)),
		.entries = allocate(model->count, sizeof(*conversion.entries)),
		.count = model->count,
		/* IR counters count edges. Only with this variant, the first edge is the entry of the function. */
		.has_calls = !bytes && (!(model->variants & BAREPROF_VARIANT_IR) ||
					       model->variants & BAREPROF_VARIANT_ENTRY_FIRST),
		.has_orders = model->traces.count > 0};
	enum status status = mip_image_id(profile, image, error);

	*lost = (struct mip_counters_lost){0, 0};
	profile->version = BAREPROF_MIP_V9;
	profile->width = image->width;
	profile->machine = image->machine;
	profile->merged = conversion.has_orders ? model->traces.count : 1;
	if (status == STATUS_OK)
		status = check_ids(model, &profile->id, error);
	if (status == STATUS_OK) {
		join_functions(&conversion, lost);
		add_traces(&conversion);
		mip_join_number(profile);
		if (!profile->count)
			status = error_set(error, STATUS_INVALID_INPUT,
				"has %zu functions, but the program has none of them; give the ELF file that was run, "
				"with its symbols",
				model->count);
	}
	free(conversion.slots);
	free(conversion.entries);
	return status;
}

static enum status convert_bytes(struct mip_profile *profile, struct bytes bytes, struct programs *programs,
	const char *name, const char *elf_path)
{
	struct completion_report report = {0};
	struct read_options options = {.add = {.weight = 1}, .completion = {.programs = programs, .report = &report}};
	struct mip_counters_lost lost = {0, 0};
	struct image image = {0};
	struct model model;
	struct error error;
	enum status status;

	model_start(&model);
	status = profile_read(&model, bytes, &options, &error);
	if (status != STATUS_OK) {
		error_print(name, &error);
	} else if (image_open(&image, elf_path, &error) != STATUS_OK) {
		error_print(elf_path, &error);
		status = STATUS_INVALID_INPUT;
	} else {
		model_sort(&model);
		status = mip_counters_convert(profile, &model, &image, &lost, &error);
		if (status != STATUS_OK)
			error_print(name, &error);
	}
	if (status == STATUS_OK)
		print_warnings(name, &report);
	if (status == STATUS_OK && lost.functions)
		complain(name,
			"note: the program lacks %zu of %zu functions, because the compiler inlined them or the linker "
			"dropped them; %zu of these ran",
			lost.functions, model.count, lost.ran);
	image_close(&image);
	model_free(&model);
	completion_report_free(&report);
	return status;
}

enum status mip_counters_load(struct mip_profile *profile, const char *path, const char *elf_path)
{
	const char *const paths[] = {elf_path, NULL};
	struct programs programs;
	struct input input = {0};
	struct error error;
	enum status status;

	*profile = (struct mip_profile){0};
	programs_start(&programs);
	status = elf_files_open(&programs, paths, NULL);
	if (status == STATUS_OK) {
		status = input_read(&input, path, &error);
		if (status != STATUS_OK)
			error_print(input_name(path), &error);
		else
			status = convert_bytes(profile, input.bytes, &programs, input_name(path), elf_path);
	}
	input_free(&input);
	programs_free(&programs);
	return status;
}
