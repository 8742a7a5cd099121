/* SPDX-License-Identifier: BSD-2-Clause */
/* function_table.c - tables of functions, and of totals. */
#include "function_table.h"

#include <inttypes.h>
#include <stdlib.h>

/* The kinds of coverage in the table, in the order of the columns. */
static const unsigned int columns[] = {RATE_LINES, RATE_REGIONS, RATE_BRANCHES, RATE_CONDITIONS};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

static const char *const titles[RATES] = {
	[RATE_REGIONS] = "Regions",
	[RATE_FUNCTIONS] = "Functions",
	[RATE_INSTANTIATIONS] = "Instances",
	[RATE_LINES] = "Lines",
	[RATE_BRANCHES] = "Branches",
	[RATE_CONDITIONS] = "MC/DC",
};

struct row {
	const struct coverage_function *function;
	size_t order; /* in coverage->by_main_file: by file and location */
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		int order = compare_uint(
			missing(b->function->summary.rate[columns[i]]), missing(a->function->summary.rate[columns[i]]));

		if (order)
			return order;
	}
	return compare_uint(a->order, b->order);
}

/* Returns the functions of all files that the view is about. The caller frees the list. */
static struct row *find_rows(const struct report_view *view, size_t *count)
{
	const struct coverage *coverage = view->coverage;
	struct row *rows = allocate(coverage->by_main_count, sizeof(*rows));
	uint32_t last = FILE_NONE;
	bool taken = false;
	size_t i;

	*count = 0;
	for (i = 0; i < coverage->by_main_count; i++) {
		const struct coverage_function *function = &coverage->functions[coverage->by_main_file[i]];

		if (function->main_file != last)
			taken = report_view_takes(view, function->main_file);
		last = function->main_file;
		if (taken)
			rows[(*count)++] = (struct row){function, i};
	}
	if (*count)
		qsort(rows, *count, sizeof(*rows), compare_rows);
	return rows;
}

static void add_rates(struct buffer *text, const struct report_view *view, const struct coverage_summary *summary,
	const struct coverage_summary *total)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		if (total->rate[columns[i]].total)
			add_rate_columns(text, view, summary->rate[columns[i]]);
}

static void add_titles(struct buffer *text, const struct coverage_summary *total)
{
	size_t i;

	buffer_printf(text, "%7s", "Count");
	for (i = 0; i < COLUMNS; i++)
		if (total->rate[columns[i]].total)
			add_rate_titles(text, titles[columns[i]]);
	buffer_add_text(text, "  Function\n");
}

static void add_count(struct buffer *text, uint64_t count)
{
	struct buffer number = {0};

	add_short_count(&number, count);
	buffer_printf(text, "%7s", buffer_string(&number));
	buffer_free(&number);
}

/* Adds the name of a function. A local function of a header is named with the file that includes the header. */
static void add_name(struct buffer *text, const struct report_view *view, const struct coverage_function *function)
{
	struct bytes local = view_local_file(function->name);

	/* The folders in the two names can differ, because the compiler was called with one of them. */
	if (local.size && !is_end_of_path(view->coverage->files->list[function->main_file], last_component(local))) {
		add_safe(text, local);
		buffer_add_text(text, ":");
	}
	add_safe_text(text, view->names[function - view->coverage->functions]);
	buffer_add_text(text, "\n");
}

void function_table_add(struct buffer *text, const struct report_view *view)
{
	const struct coverage *coverage = view->coverage;
	struct coverage_summary total = {0};
	size_t never = 0;
	size_t count;
	size_t file_count;
	uint32_t *files = source_filter_files(view->filter, coverage, &file_count);
	size_t common = report_view_common(view, files, file_count);
	struct row *rows = find_rows(view, &count);
	size_t i;

	for (i = 0; i < count; i++) {
		summary_add(&total, &rows[i].function->summary);
		never += !rows[i].function->executions;
	}
	add_titles(text, &total);
	for (i = 0; i < count; i++) {
		const struct coverage_function *function = rows[i].function;
		struct bytes file = coverage->files->list[function->main_file];

		add_count(text, function->executions);
		add_rates(text, view, &function->summary, &total);
		bytes_slice(file, common, file.size - common, &file);
		buffer_add_text(text, "  ");
		add_safe(text, file);
		/* Names of templates are long, so that the location comes before the name. */
		buffer_printf(text, ":%" PRIu32 "  ", function->line);
		add_name(text, view, function);
	}
	buffer_printf(text, "%7s", "TOTAL");
	add_rates(text, view, &total, &total);
	buffer_printf(text, "  %zu functions, of which %zu never ran\n", count, never);
	free(rows);
	free(files);
}

void report_view_total(
	const struct report_view *view, const uint32_t *files, size_t count, struct coverage_summary *total)
{
	size_t i;

	*total = (struct coverage_summary){0};
	for (i = 0; i < count; i++) {
		struct coverage_summary summary;

		coverage_file_summary(view->coverage, files[i], NULL, NULL, &summary);
		summary_add(total, &summary);
	}
}

void totals_table_add(struct buffer *text, const struct report_view *view)
{
	static const unsigned int rates[] = {
		RATE_LINES, RATE_FUNCTIONS, RATE_INSTANTIATIONS, RATE_REGIONS, RATE_BRANCHES, RATE_CONDITIONS};
	struct coverage_summary total;
	size_t count;
	uint32_t *files = source_filter_files(view->filter, view->coverage, &count);
	size_t i;

	report_view_total(view, files, count, &total);
	buffer_printf(text, "%-14s", "TOTAL");
	add_rate_titles(text, "All");
	buffer_add_text(text, "\n");
	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		if (!total.rate[rates[i]].total)
			continue;
		buffer_printf(text, "%-14s", rates[i] == RATE_INSTANTIATIONS ? "Instantiations" : titles[rates[i]]);
		add_rate_columns(text, view, total.rate[rates[i]]);
		buffer_add_text(text, "\n");
	}
	free(files);
}
