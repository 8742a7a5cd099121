/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_match.c - compares the functions of profiles with the functions of the programs. A report has the functions of
 * the programs. So it lacks two kinds of functions: those that only the profile has, and those whose structural hash
 * differs.
 */
#include "exit.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

/* The maximum number of functions that a message names. */
#define NAMED_MAX 3

static int compare_functions(const void *left, const void *right)
{
	const struct report_function *a = left;
	const struct report_function *b = right;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return compare_uint(a->hash, b->hash);
}

static void add_name(struct report_index *index, uint64_t name)
{
	index->names = array_grow(index->names, index->name_count, &index->name_room, sizeof(*index->names));
	index->names[index->name_count++] = name;
}

static void sort_names(struct report_index *index)
{
	if (index->name_count)
		qsort(index->names, index->name_count, sizeof(*index->names), compare_numbers);
}

static void add_mapping(struct report_index *index, const struct mapping *mapping)
{
	struct mapping_record record;
	size_t at = 0;
	size_t i;

	for (i = 0; i < mapping->names.count; i++)
		add_name(index, mapping->names.list[i].reference);
	while (mapping_take(mapping, &at, &record)) {
		add_name(index, record.name);
		index->mapped =
			array_grow(index->mapped, index->mapped_count, &index->mapped_room, sizeof(*index->mapped));
		index->mapped[index->mapped_count++] = (struct report_function){record.name, record.hash};
	}
}

void report_index(struct report *report)
{
	struct report_index *index = &report->index;
	size_t i;

	for (i = 0; i < report->mapping_count; i++)
		add_mapping(index, &report->mappings[i]);
	sort_names(index);
	if (index->mapped_count)
		qsort(index->mapped, index->mapped_count, sizeof(*index->mapped), compare_functions);
}

void report_index_free(struct report_index *index)
{
	free(index->names);
	free(index->mapped);
	*index = (struct report_index){0};
}

static bool is_named(const struct report_index *index, uint64_t name)
{
	return index->name_count &&
	       bsearch(&name, index->names, index->name_count, sizeof(*index->names), compare_numbers);
}

static bool is_mapped(const struct report_index *index, uint64_t name, uint64_t hash)
{
	struct report_function key = {name, hash};

	return index->mapped_count &&
	       bsearch(&key, index->mapped, index->mapped_count, sizeof(*index->mapped), compare_functions);
}

/* Returns the position in index->mapped of the first function whose name hash is at least @name. */
static size_t first_mapped(const struct report_index *index, uint64_t name)
{
	struct report_function key = {name, 0};

	return lower_bound(&key, index->mapped, index->mapped_count, sizeof(*index->mapped), compare_functions);
}

enum match {
	MATCH_MAPPED,
	MATCH_DUPLICATE, /* the mapping belongs to another function of the profile with the same name */
	MATCH_CHANGED, /* the structural hash in the mapping differs from the hash in the profile */
	MATCH_UNMAPPED, /* the function was compiled without -fcoverage-mapping */
	MATCH_ABSENT,
};

/* Compares @function of @model with the functions in @index. */
static enum match compare(const struct report_index *index, struct model *model, const struct function *function)
{
	uint64_t name = function->reference;
	bool used = false;
	size_t i;

	if (is_mapped(index, name, function->hash))
		return MATCH_MAPPED;
	for (i = first_mapped(index, name); i < index->mapped_count && index->mapped[i].name == name; i++) {
		if (model_find(model, function->reference, index->mapped[i].hash))
			return MATCH_DUPLICATE;
		used = used || index->mapped[i].hash;
	}
	if (used)
		return MATCH_CHANGED;
	return is_named(index, name) ? MATCH_UNMAPPED : MATCH_ABSENT;
}

static uint64_t count_except(struct report_index *list, const struct report_index *except)
{
	uint64_t count = 0;
	size_t i;

	sort_names(list);
	for (i = 0; i < list->name_count; i++)
		count += (!i || list->names[i] != list->names[i - 1]) && !is_named(except, list->names[i]);
	return count;
}

/*
 * Counts the functions that are in the mapping of @pair's own program, but not in its profile. If the mapping has no
 * structural hash, no code of the object uses the function. If the mapping has a hash, there are two possible reasons:
 * the linker removed the function (--gc-sections), or the profile comes from another build. Equal build ids rule out
 * the second reason.
 */
static void count_unused(struct report_pair *pair)
{
	struct report_index used = {0}; /* in these three lists, only the names are used */
	struct report_index unused = {0};
	struct report_index lacking = {0};
	struct mapping_record record;
	size_t at = 0;

	while (mapping_take(pair->mapping, &at, &record)) {
		bool found = model_find(&pair->model, record.name, record.hash);

		add_name(found ? &used : record.hash && !pair->checked ? &lacking : &unused, record.name);
	}
	sort_names(&used);
	/* A function can be unused in one object and used in another object. Such a function is not counted. */
	pair->functions.lacking = count_except(&lacking, &used);
	pair->functions.unused = count_except(&unused, &used);
	report_index_free(&used);
	report_index_free(&unused);
	report_index_free(&lacking);
}

static void add_missing(struct report_pair *pair, const struct function *function, uint64_t *count)
{
	if (pair->functions.absent + pair->functions.changed < NAMED_MAX)
		buffer_printf(&pair->missing, "%s%.*s", pair->missing.size ? ", " : "", (int)function->name.size,
			(const char *)function->name.data);
	(*count)++;
}

void report_match(struct report *report, size_t i)
{
	const struct report_index *index = &report->index;
	struct report_pair *pair = &report->pairs[i];
	struct model *model = &pair->model;
	size_t n;

	pair->functions.in_profile = model->count;
	for (n = 0; n < model->count; n++) {
		const struct function *function = &model->functions[n];

		switch (compare(index, model, function)) {
		case MATCH_MAPPED:
			pair->functions.mapped++;
			break;
		case MATCH_DUPLICATE:
			/*
			 * If the profile was merged from several builds, this function comes from another build, and is
			 * not a weak duplicate.
			 */
			if (pair->other_builds)
				add_missing(pair, function, &pair->functions.changed);
			else
				pair->functions.duplicates++;
			break;
		case MATCH_CHANGED:
			add_missing(pair, function, &pair->functions.changed);
			break;
		case MATCH_UNMAPPED:
			break;
		case MATCH_ABSENT:
			add_missing(pair, function, &pair->functions.absent);
			break;
		}
	}
	/* Unused functions are counted only for the first pair, because only the numbers of this pair are printed. */
	if (i == 0)
		count_unused(pair);
}

/* Sets @error to the reason why no function in the profile of @pair is in the report. */
static enum status refuse_all(struct report *report, struct report_pair *pair, struct error *error)
{
	const struct report_functions *functions = &pair->functions;

	report->subject = input_name(pair->profile_path);
	if (functions->absent + functions->changed < functions->in_profile)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %" PRIu64 " functions, but none of them has a coverage mapping in %s, so there is nothing "
			"to report: compile them with -fcoverage-mapping, link the program again, and run it again",
			functions->in_profile, pair->elf_path);
	return error_set(error, STATUS_INVALID_INPUT,
		"comes from another %s: %s has none of its %" PRIu64
		" functions (such as %s)%s; name the ELF file of the program that wrote this profile, or run %s again",
		functions->changed ? "build" : "program", pair->elf_path, functions->in_profile,
		buffer_string(&pair->missing), functions->changed ? " with the same control flow" : "", pair->elf_path);
}

/*
 * Returns true if the report lacks functions of @pair for a normal reason. The build ids must be equal, and one of two
 * reasons must apply. Either the profile was merged from this build and from other builds. Or the report lacks only
 * functions that the program has with another definition, because objects of this build define them differently.
 */
static bool is_sound(const struct report_pair *pair)
{
	return pair->checked && (pair->other_builds || !pair->functions.absent);
}

static void tell_pair(const struct report *report, struct report_pair *pair)
{
	const struct report_functions *functions = &pair->functions;
	uint64_t count = functions->absent + functions->changed;
	struct buffer text = {0};

	buffer_printf(&text, "has %" PRIu64 " function%s whose counts the report lacks: %s", count,
		count == 1 ? "" : "s", buffer_string(&pair->missing));
	if (count > NAMED_MAX)
		buffer_printf(&text, " and %" PRIu64 " more", count - NAMED_MAX);
	if (functions->absent)
		buffer_printf(&text, "; functions that are not in %s: %" PRIu64,
			report_is_one_program(report) ? pair->elf_path : "any of the programs", functions->absent);
	if (functions->changed)
		buffer_printf(&text, "; functions whose control flow differs from that in the program: %" PRIu64,
			functions->changed);
	if (pair->checked && pair->other_builds)
		buffer_printf(&text, "; this file also contains profiles of %zu other build%s: to report %s",
			pair->other_builds, pair->other_builds == 1 ? "" : "s",
			pair->other_builds == 1 ? "it, name its ELF file, too" : "them, name their ELF files, too");
	else if (!is_sound(pair))
		buffer_printf(&text,
			"; the profile comes from another build, or from several programs: run %s again, or name the "
			"other programs, too",
			pair->elf_path);
	complain(input_name(pair->profile_path), "%s", buffer_string(&text));
	buffer_free(&text);
}

enum status report_tell_missing(struct report *report, struct error *error)
{
	uint64_t mapped = 0;
	size_t i;

	for (i = 0; i < report->count; i++)
		mapped += report->pairs[i].functions.mapped;
	if (!mapped)
		return refuse_all(report, &report->pairs[0], error);
	for (i = 0; i < report->count; i++) {
		struct report_pair *pair = &report->pairs[i];

		if (!pair->missing.size)
			continue;
		tell_pair(report, pair);
		report->incomplete = report->incomplete || !is_sound(pair);
	}
	return STATUS_OK;
}
