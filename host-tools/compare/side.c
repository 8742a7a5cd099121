/* SPDX-License-Identifier: BSD-2-Clause */
/* side.c - reads one side of a comparison, a profile or a program. */
#include "side.h"
#include "indexed.h"
#include "profile_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool side_is_program(const char *path)
{
	struct stat found;
	uint8_t start[4];
	FILE *file;
	size_t n;

	if (!strcmp(path, "-") || stat(path, &found) || !S_ISREG(found.st_mode))
		return false;
	file = fopen(path, "rb");
	if (!file)
		return false;
	n = fread(start, 1, sizeof(start), file);
	fclose(file);
	return detect_format((struct bytes){start, n}) == FORMAT_ELF;
}

static int compare_functions(const void *left, const void *right)
{
	const struct side_function *a = left;
	const struct side_function *b = right;

	return a->reference != b->reference ? compare_uint(a->reference, b->reference)
	                                    : compare_uint(a->compared_hash, b->compared_hash);
}

void side_sort(struct side *side)
{
	if (side->count)
		qsort(side->functions, side->count, sizeof(*side->functions), compare_functions);
}

/* Removes all functions but one that have the same name and hash, as weak duplicates in a program have. */
static void drop_repeated(struct side *side)
{
	size_t kept = 0;
	size_t i;

	for (i = 0; i < side->count; i++)
		if (!i || compare_functions(&side->functions[i], &side->functions[kept - 1]))
			side->functions[kept++] = side->functions[i];
	side->count = kept;
}

static enum status read_program(struct side *side, struct error *error)
{
	const struct record_table *table;
	enum status status = program_open(&side->program, side->path, error);
	struct hash_clues clues = {0};
	const struct name *name;
	size_t at = 0;
	size_t i;

	if (status != STATUS_OK)
		return status;
	if (side->program.scattered)
		return error_set(error, STATUS_INVALID_INPUT, PROGRAM_SCATTERED);
	side->variants = side->program.declared & ~BAREPROF_VERSION_NUMBER;
	status = program_records(&side->program, side->variants, &table, error);
	/* This variant only says where the records are. */
	side->variants &= ~BAREPROF_VARIANT_DEBUG_CORRELATE;
	if (status != STATUS_OK && !program_has(&side->program))
		return error_set(error, STATUS_INVALID_INPUT,
			"is a program that has no records of functions; give one that was compiled with "
			"-fprofile-generate or -fprofile-instr-generate, as it was before strip");
	if (status == STATUS_OK)
		status = names_read(&side->names, table->names, error);
	if (status != STATUS_OK)
		return status;
	side->functions = allocate(table->count, sizeof(*side->functions));
	for (i = 0; i < table->count; i++) {
		const struct raw_record *record = &table->functions[i];

		name = names_near(&side->names, record->name, &at);
		if (!name)
			return error_set(error, STATUS_INVALID_INPUT,
				"has no name for record %zu; run 'bareprof check' on this program", i);
		hashes_clue(&clues, name->text, record->hash);
		side->functions[side->count++] = (struct side_function){.reference = record->name,
			.hash = record->hash,
			.compared_hash = record->hash,
			.name = name->text,
			.counter_count = record->counter_count};
	}
	side->hashes = hashes_tell(&clues, side->variants);
	side_sort(side);
	drop_repeated(side);
	return STATUS_OK;
}

static struct side_function side_function(const struct function *function)
{
	struct side_function result = {.reference = function->reference,
		.hash = function->hash,
		.compared_hash = function->hash,
		.name = function->name,
		.counter_count = function->counter_count,
		.counted = function};
	uint32_t i;

	for (i = 0; i < function->counter_count; i++) {
		result.sum = add_saturating(result.sum, function->counters[i]);
		if (function->counters[i] > result.highest)
			result.highest = function->counters[i];
	}
	return result;
}

static enum status read_counts(struct side *side, const struct completion_options *completion, struct error *error)
{
	struct read_options options = {
		.add = {.weight = 1}, .completion = *completion, .input_outlives_model = true, .add_dumps = true};
	enum status status = input_read(&side->input, side->path, error);
	size_t i;

	options.completion.report = &side->report;
	if (status == STATUS_OK)
		status = profile_read(&side->model, side->input.bytes, &options, error);
	if (status != STATUS_OK)
		return status;
	model_sort(&side->model);
	side->variants = side->model.variants;
	side->hashes = hashes_of(&side->model);
	side->functions = allocate(side->model.count, sizeof(*side->functions));
	for (i = 0; i < side->model.count; i++)
		side->functions[side->count++] = side_function(&side->model.functions[i]);
	side_sort(side);
	return STATUS_OK;
}

static void add_up(struct side *side)
{
	size_t i;

	side->sum = 0;
	for (i = 0; i < side->count; i++)
		side->sum = add_saturating(side->sum, side->functions[i].sum);
}

enum status side_read(
	struct side *side, const char *path, const struct completion_options *completion, struct error *error)
{
	enum status status;

	*side = (struct side){.path = path, .is_program = side_is_program(path)};
	model_start(&side->model);
	status = side->is_program ? read_program(side, error) : read_counts(side, completion, error);
	add_up(side);
	return status;
}

void side_free(struct side *side)
{
	free(side->functions);
	names_free(&side->names);
	if (side->is_program)
		program_close(&side->program);
	model_free(&side->model);
	input_free(&side->input);
	completion_report_free(&side->report);
}

static void drop_context_sensitive(struct side *side)
{
	size_t kept = 0;
	size_t i;

	for (i = 0; i < side->count; i++)
		if (!(side->functions[i].hash & HASH_CONTEXT_SENSITIVE))
			side->functions[kept++] = side->functions[i];
	side->context_sensitive = side->count - kept;
	side->count = kept;
	add_up(side);
}

static void remove_upper_bits(struct side *side)
{
	size_t i;

	for (i = 0; i < side->count; i++)
		side->functions[i].compared_hash = hash_v4(side->functions[i].hash);
	side_sort(side);
}

enum status sides_prepare(struct side *a, struct side *b, struct error *error)
{
	/* An IR program without a symbol table declares nothing, so it looks like a front-end program. */
	bool unknown = b->is_program && !b->program.declared && a->variants & BAREPROF_VARIANT_IR;

	if (!unknown && !kinds_mix(a->variants, b->variants))
		return error_set(error, STATUS_INVALID_INPUT,
			"has %s, but %s has %s, so no function can fit; compare profiles of one kind",
			kind_name(a->variants), b->path, kind_name(b->variants));
	if (!unknown && (a->variants ^ b->variants) & BAREPROF_VARIANT_CSIR)
		drop_context_sensitive(a->variants & BAREPROF_VARIANT_CSIR ? a : b);
	return STATUS_OK;
}

bool sides_ignore_upper_bits(struct side *a, struct side *b)
{
	if (a->hashes == b->hashes || (a->hashes | b->hashes) != HASHES_BOTH)
		return false;
	remove_upper_bits(a);
	remove_upper_bits(b);
	return true;
}
