/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_file.c - the coverage of one file: the regions of all functions that have regions in it. coverage_add()
 * stored these regions in a compact form.
 */
#include "coverage.h"
#include "file_store.h"

#include <stdlib.h>

/* While a file is computed. */
struct computing {
	struct coverage *coverage;
	const struct coverage_function *function;
	struct file_coverage *out;
};

void file_coverage_start(struct file_coverage *file, const struct coverage *coverage)
{
	segments_start(&file->segments, &coverage->rules, coverage->byte_counters);
	arena_free(&file->arena);
	file->branch_count = 0;
	file->nested_count = 0;
	file->path_count = 0;
	file->decision_count = 0;
}

void file_coverage_free(struct file_coverage *file)
{
	segments_free(&file->segments);
	arena_free(&file->arena);
	free(file->branches);
	free(file->nested);
	free(file->paths);
	free(file->decisions);
	*file = (struct file_coverage){0};
}

void file_coverage_add_branch(struct file_coverage *out, const struct region *region)
{
	out->branches = array_grow(out->branches, out->branch_count, &out->branch_room, sizeof(*out->branches));
	out->branches[out->branch_count++] =
		(struct file_branch){.region = *region, .root_line = region->line, .root_column = region->column};
}

void file_coverage_add_nested(struct file_coverage *out, const struct file_branch *branch)
{
	out->nested = array_grow(out->nested, out->nested_count, &out->nested_room, sizeof(*out->nested));
	out->nested[out->nested_count++] = *branch;
}

void file_coverage_add_path(struct file_coverage *out, uint64_t location)
{
	out->paths = array_grow(out->paths, out->path_count, &out->path_room, sizeof(*out->paths));
	out->paths[out->path_count++] = location;
}

/* Adds the branches of the file of an expansion. */
static void add_nested(struct expansion_walk *walk, uint32_t file, const uint32_t *path, size_t depth)
{
	const struct function_regions *regions = walk->regions;
	struct file_coverage *out = walk->context;
	const struct region *root = &regions->list[path[0]];
	size_t first_path = out->path_count;
	uint32_t i;
	size_t k;

	for (i = regions->files[file].first; i < regions->files[file].first + regions->files[file].count; i++) {
		const struct region *region = &regions->list[i];

		if (!region_is_condition(region))
			continue;
		/* All branches of an expansion have the same path. */
		for (k = 0; k < depth && out->path_count < first_path + depth; k++)
			file_coverage_add_path(
				out, location(regions->list[path[k]].line, regions->list[path[k]].column));
		file_coverage_add_nested(
			out, &(struct file_branch){*region, root->line, root->column, (uint32_t)first_path,
				     (uint32_t)depth, regions->files[file].name});
	}
}

static void add_expansions(struct computing *computing, const struct function_regions *regions, uint32_t file)
{
	struct expansion_walk *walk = &computing->coverage->walk;

	walk->regions = regions;
	walk->visit = add_nested;
	walk->context = computing->out;
	expansions_in_file(walk, file);
}

/*
 * While decisions are added: those in @file, an index in regions->files, if they are in a file with the name @name.
 * FILE_NONE stands for all files, or for all names.
 */
struct deciding {
	struct file_coverage *out;
	const struct function_regions *regions;
	uint32_t file;
	uint32_t name;
};

static void add_decision(void *context, const struct region *decision, const struct mcdc_result *result)
{
	struct deciding *deciding = context;
	struct file_coverage *out = deciding->out;

	if (deciding->file != FILE_NONE && decision->file != deciding->file)
		return;
	if (deciding->name != FILE_NONE && deciding->regions->files[decision->file].name != deciding->name)
		return;
	out->decisions = array_grow(out->decisions, out->decision_count, &out->decision_room, sizeof(*out->decisions));
	out->decisions[out->decision_count++] = (struct file_decision){*decision, *result};
}

static void add_decisions(
	struct coverage *coverage, const struct coverage_function *function, struct deciding *deciding)
{
	struct mcdc_request request = {.rules = &coverage->rules,
		.arena = &deciding->out->arena,
		.vectors = true,
		.found = add_decision,
		.context = deciding,
		.work = coverage->mcdc_work};

	if (!coverage->rules.has_mcdc)
		return;
	if (function->profile)
		request.bitmap = (struct bytes){function->profile->bitmap, function->profile->bitmap_size};
	mcdc_decisions(&request, deciding->regions);
	coverage->mcdc_work = request.work;
}

void coverage_decisions(struct coverage *coverage, const struct coverage_function *function,
	const struct function_regions *regions, uint32_t file, struct file_coverage *out)
{
	struct deciding deciding = {out, regions, file, FILE_NONE};

	add_decisions(coverage, function, &deciding);
}

/*
 * Adds the areas that a function has in the file with the index @file in regions->files. @branches: adds the branches,
 * too.
 */
static void add_file(struct computing *computing, const struct function_regions *regions, size_t file, bool branches)
{
	const struct region *region = regions->list + regions->files[file].first;
	const struct region *end = region + regions->files[file].count;

	areas_add(&computing->out->segments.areas, region, regions->files[file].count);
	for (; region < end && branches && regions->has_conditions; region++)
		if (region_is_condition(region))
			file_coverage_add_branch(computing->out, region);
}

/* Adds what a function with the regions @regions has in all its files with the name @name. */
static void add_regions(struct computing *computing, const struct function_regions *regions, uint32_t name)
{
	bool all_branches = computing->coverage->rules.branches_of_expansions;
	size_t file;

	for (file = 0; file < regions->file_count; file++)
		if (regions->files[file].name == name)
			add_file(computing, regions, file, !file || all_branches);
	if (computing->function->main_file == name)
		add_expansions(computing, regions, (uint32_t)regions_main_file(regions));
}

/* Adds a function to the coverage of the file with the name @name. */
static void add_function(struct computing *computing, uint32_t name, struct bytes stored)
{
	struct coverage *coverage = computing->coverage;
	const struct function_regions *regions = &coverage->scratch;
	struct deciding deciding = {computing->out, regions, FILE_NONE, name};

	if (stored.data && (!file_store_read(computing->out, stored) || !coverage->rules.has_mcdc))
		return;
	coverage_regions(coverage, computing->function, &coverage->scratch);
	if (!stored.data)
		add_regions(computing, regions, name);
	add_decisions(coverage, computing->function, &deciding);
}

void coverage_store_file(struct coverage *coverage, const struct coverage_function *function,
	const struct function_regions *regions, uint32_t file, struct bytes *stored)
{
	struct computing computing = {coverage, function, coverage->storing};
	uint8_t *copy;

	file_coverage_start(coverage->storing, coverage);
	add_regions(&computing, regions, file);
	coverage->stored_text.size = 0;
	file_store_write(coverage->storing, regions->has_decisions, &coverage->stored_text);
	copy = arena_take(&coverage->stored, coverage->stored_text.size);
	memcpy(copy, coverage->stored_text.data, coverage->stored_text.size);
	*stored = (struct bytes){copy, coverage->stored_text.size};
}

void coverage_file(struct coverage *coverage, uint32_t file, function_filter filter, const void *context,
	struct file_coverage *out)
{
	const struct bytes *stored = coverage->in_file_stored + coverage->in_file_start[file];
	struct computing computing = {coverage, NULL, out};
	size_t count;
	const uint32_t *functions = coverage_in_file(coverage, file, &count);
	size_t i;

	file_coverage_start(out, coverage);
	for (i = 0; i < count; i++) {
		computing.function = &coverage->functions[functions[i]];
		if (!filter || filter(context, computing.function))
			add_function(&computing, file, coverage->storing ? stored[i] : (struct bytes){NULL, 0});
	}
	segments_build(&out->segments);
}

void coverage_function_in_file(
	struct coverage *coverage, const struct coverage_function *function, struct file_coverage *out)
{
	struct computing computing = {coverage, function, out};
	const struct function_regions *regions = &coverage->scratch;
	uint32_t main;

	file_coverage_start(out, coverage);
	coverage_regions(coverage, function, &coverage->scratch);
	main = (uint32_t)regions_main_file(regions);
	if (main == regions->file_count)
		return;
	add_file(&computing, regions, main, true);
	add_expansions(&computing, regions, main);
	coverage_decisions(coverage, function, regions, main, out);
	segments_build(&out->segments);
}
