/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_functions.c - prints the table. If the numbers of functions in the table, the profile and the records
 * differ, explains the difference:
 *
 *	records               of the image, as `check` counts them
 *	- repeated            further records of a function, such as a weak function in two objects
 *	= functions           of the profile, as `show` counts them
 *	- without a mapping   compiled without -fcoverage-mapping
 *	+ unused              described by the compiler, but no object has their code
 *	- at the same place   several functions of one source location, made by a macro or by a header that
 *	                      several objects include: the table has one of them
 *	= functions           in the table
 */
#include "exit.h"
#include "report.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns whether there is only one program; it may have several profiles. */
static bool is_one_program(const struct report *report)
{
	size_t i;

	for (i = 1; i < report->count; i++)
		if (strcmp(report->pairs[0].elf_path, report->pairs[i].elf_path) != 0)
			return false;
	return true;
}

const struct function *report_find_function(
	const struct covmap *covmap, struct model *model, const struct covmap_regions *regions)
{
	const struct covmap_rename *rename = covmap_renamed(covmap, regions->name);

	return model_find(model, rename ? rename->now : regions->name, regions->hash);
}

struct list {
	uint64_t *numbers;
	size_t count;
	size_t room;
};

static void add_number(struct list *list, uint64_t number)
{
	list->numbers = array_grow(list->numbers, list->count, &list->room, sizeof(*list->numbers));
	list->numbers[list->count++] = number;
}

static int compare_numbers(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Sorts @list and keeps each number once. */
static void make_distinct(struct list *list)
{
	size_t distinct = 0;
	size_t i;

	if (list->count)
		qsort(list->numbers, list->count, sizeof(*list->numbers), compare_numbers);
	for (i = 0; i < list->count; i++)
		if (!i || list->numbers[i] != list->numbers[i - 1])
			list->numbers[distinct++] = list->numbers[i];
	list->count = distinct;
}

struct report_functions report_count_functions(const struct covmap *covmap, struct model *model)
{
	struct report_functions functions = {.in_profile = model->count};
	struct covmap_regions regions;
	struct list mapped = {0}; /* addresses of functions of the model */
	struct list used = {0}; /* name hashes of the functions in @mapped */
	struct list unused = {0}; /* name hashes in the mapping that no function has */
	size_t at = 0;
	size_t i;

	while (covmap_next_regions(covmap, &at, &regions)) {
		const struct function *function = report_find_function(covmap, model, &regions);

		if (function)
			add_number(&mapped, (uintptr_t)function);
		add_number(function ? &used : &unused, regions.name);
	}
	make_distinct(&mapped);
	make_distinct(&used);
	make_distinct(&unused);
	functions.mapped = mapped.count;
	/* One object may use a function that another object only describes. */
	for (i = 0; i < unused.count; i++)
		functions.unused += !used.count || !bsearch(&unused.numbers[i], used.numbers, used.count,
							   sizeof(*used.numbers), compare_numbers);
	free(mapped.numbers);
	free(used.numbers);
	free(unused.numbers);
	return functions;
}

static void add_cause(struct buffer *text, uint64_t count, const char *cause)
{
	if (count)
		buffer_printf(text, "%s%s: %" PRIu64, text->size ? "; " : "", cause, count);
}

/* Explains the numbers. The table has @in_table functions. */
static void explain(const struct report *report, uint64_t in_table)
{
	const struct report_functions *functions = &report->functions;
	uint64_t records = report->pairs[0].records ? report->pairs[0].records : functions->in_profile;
	uint64_t described = functions->mapped + functions->unused;
	struct buffer text = {0};

	if (records == functions->in_profile && functions->in_profile == in_table)
		return;
	add_cause(&text, records > functions->in_profile ? records - functions->in_profile : 0,
		"records of a function that has another record, too");
	add_cause(&text, functions->in_profile - functions->mapped,
		"functions that are not in the table, as they were compiled without -fcoverage-mapping");
	add_cause(&text, functions->unused,
		"functions only in the table, as no code uses them, so that they have no record");
	add_cause(&text, described > in_table ? described - in_table : 0,
		"functions at the same place as another, from a macro or a header, which the table counts once");
	complain(report->pairs[0].elf_path,
		"has %" PRIu64 " records of functions, its profile %" PRIu64 " functions, and the table %" PRIu64
		"%s%s",
		records, functions->in_profile, in_table, text.size ? ": " : "", buffer_string(&text));
	buffer_free(&text);
}

/* Reads the number of functions from the last line of @table. Returns false if there is none. */
static bool read_total(const char *table, uint64_t *functions)
{
	const char *at = table ? strstr(table, "\nTOTAL ") : NULL;

	/* The columns before the functions are the regions, the missed regions and a percentage. */
	return at && sscanf(at, " TOTAL %*u %*u %*s %" SCNu64, functions) == 1;
}

enum status report_table(struct report *report, bool mcdc, struct error *error)
{
	const char *more[] = {NULL, NULL, NULL};
	struct buffer text = {0};
	uint64_t in_table;
	enum status status;
	size_t n = 0;

	/* llvm-cov does not use colours by itself, because it prints into a pipe. */
	if (terminal_takes_escapes(STDOUT_FILENO))
		more[n++] = "-use-color=1";
	if (mcdc)
		more[n++] = "-show-mcdc-summary";
	status = report_cov(report, "report", more, &text, error);
	if (status == STATUS_OK) {
		fwrite(text.data, 1, text.size, stdout);
		fflush(stdout);
		if (report->covmaps && is_one_program(report) && read_total(buffer_string(&text), &in_table))
			explain(report, in_table);
	}
	buffer_free(&text);
	return status;
}
