/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_table.c - prints the table as llvm-cov does. The folders that all files have in common are left out of their
 * names. A row has three columns for each rate: a number of things, how many of them did not run, and a percentage.
 */
#include "coverage_table.h"
#include "decimal.h"
#include "table_names.h"

#include <stdlib.h>

#define NAME_WIDTH 25 /* at least */

/* The columns of a rate. */
struct columns {
	unsigned int rate;
	unsigned int coloured_by; /* the rate whose percentage gives the colour */
	bool coloured; /* the number of things that did not run has a colour too */
	unsigned int width[3];
	const char *title[3];
};

static const struct columns all_columns[] = {
	{RATE_REGIONS, RATE_REGIONS, true, {12, 18, 10}, {"Regions", "Missed Regions", "Cover"}},
	{RATE_FUNCTIONS, RATE_FUNCTIONS, false, {12, 18, 10}, {"Functions", "Missed Functions", "Executed"}},
	{RATE_INSTANTIATIONS, RATE_INSTANTIATIONS, false, {16, 16, 10},
		{"Instantiations", "Missed Insts.", "Executed"}},
	{RATE_LINES, RATE_LINES, true, {12, 18, 10}, {"Lines", "Missed Lines", "Cover"}},
	{RATE_BRANCHES, RATE_LINES, true, {12, 18, 10}, {"Branches", "Missed Branches", "Cover"}},
	{RATE_CONDITIONS, RATE_LINES, true, {20, 21, 10}, {"MC/DC Conditions", "Missed Conditions", "Cover"}},
};
#define ALL_COLUMNS (sizeof(all_columns) / sizeof(all_columns[0]))

struct table {
	struct buffer *text;
	unsigned int columns; /* a bit for each rate that is shown */
	bool colours;
	bool long_dividers; /* see divider_width() */
	size_t name_width;
};

static bool is_shown(const struct table *table, const struct columns *columns)
{
	return table->columns >> columns->rate & 1;
}

static void add_spaces(struct buffer *text, size_t count)
{
	buffer_reserve(text, count);
	memset(text->data + text->size, ' ', count);
	text->size += count;
}

static void add_right(struct buffer *text, const char *string, size_t width)
{
	size_t n = strlen(string);

	add_spaces(text, width > n ? width - n : 0);
	buffer_add(text, string, n);
}

/* Adds @number without its upper 32 bits, because llvm-cov has 32 bits for the numbers of the table. */
static void add_count(struct buffer *text, uint64_t number, size_t width)
{
	uint8_t digits[DECIMAL_MAX];
	size_t n = (size_t)(decimal_put(digits, (uint32_t)number) - digits);

	add_spaces(text, width > n ? width - n : 0);
	buffer_add(text, digits, n);
}

static double percent(struct rate rate)
{
	return rate.total ? (double)rate.covered / (double)rate.total * 100 : 0;
}

/* Returns the escape sequence for the colour of @rate, or an empty text. */
static const char *colour_of(const struct table *table, struct rate rate)
{
	if (!table->colours)
		return "";
	return rate.covered == rate.total ? "\033[0;32m" : percent(rate) >= 80 ? "\033[0;33m" : "\033[0;31m";
}

static void add_rate(const struct table *table, const struct columns *columns, const struct coverage_summary *summary)
{
	struct rate rate = summary->rate[columns->rate];
	const char *colour = colour_of(table, summary->rate[columns->coloured_by]);
	const char *end = *colour ? "\033[0m" : "";

	add_count(table->text, rate.total, columns->width[0]);
	buffer_add_text(table->text, columns->coloured ? colour : "");
	add_count(table->text, rate.total - rate.covered, columns->width[1]);
	buffer_add_text(table->text, columns->coloured ? end : "");
	if (rate.total)
		buffer_printf(table->text, "%s%*.2f%%%s", colour, (int)columns->width[2] - 1, percent(rate), end);
	else
		add_right(table->text, "-", columns->width[2]);
}

static void add_name(const struct table *table, const char *name)
{
	size_t n = strlen(name);

	buffer_add(table->text, name, n);
	add_spaces(table->text, table->name_width > n ? table->name_width - n : 0);
}

static void add_row(const struct table *table, const char *name, const struct coverage_summary *summary)
{
	size_t i;

	add_name(table, name);
	for (i = 0; i < ALL_COLUMNS; i++)
		if (is_shown(table, &all_columns[i]))
			add_rate(table, &all_columns[i], summary);
	buffer_add(table->text, "\n", 1);
}

/* Up to LLVM 16, lines of hyphens are as wide as a table with all columns, apart from those of MC/DC. */
static size_t divider_width(const struct table *table)
{
	size_t width = table->name_width;
	size_t i;

	for (i = 0; i < ALL_COLUMNS; i++) {
		const unsigned int *widths = all_columns[i].width;

		if (is_shown(table, &all_columns[i]) ||
			(table->long_dividers && all_columns[i].rate != RATE_CONDITIONS))
			width += widths[0] + widths[1] + widths[2];
	}
	return width;
}

static void add_divider(const struct table *table)
{
	size_t n = divider_width(table);

	while (n--)
		buffer_add(table->text, "-", 1);
	buffer_add(table->text, "\n", 1);
}

static void add_head(const struct table *table)
{
	size_t i;
	unsigned int n;

	add_name(table, "Filename");
	for (i = 0; i < ALL_COLUMNS; i++)
		for (n = 0; n < 3 && is_shown(table, &all_columns[i]); n++)
			add_right(table->text, all_columns[i].title[n], all_columns[i].width[n]);
	buffer_add(table->text, "\n", 1);
	add_divider(table);
}

/* Adds the rows of all files with functions, or of all others. Returns the number of files that are left. */
static size_t add_rows(const struct table *table, const struct table_names *names,
	const struct coverage_summary *summaries, bool with_functions)
{
	size_t left = 0;
	size_t i;

	for (i = 0; i < names->count; i++) {
		if ((summaries[i].rate[RATE_FUNCTIONS].total > 0) == with_functions)
			add_row(table, names->list[i], &summaries[i]);
		else
			left++;
	}
	return left;
}

void coverage_table(const struct coverage_selection *selection, const struct table_options *options,
	struct buffer *text, struct coverage_summary *total)
{
	const struct coverage_rules *rules = &selection->coverage->rules;
	struct table table = {
		.text = text,
		.columns = options->columns | 1u << RATE_FUNCTIONS | 1u << RATE_LINES,
		.colours = options->colours,
		.long_dividers = !rules->short_dividers,
	};
	struct coverage_summary *summaries = allocate(selection->file_count, sizeof(*summaries));
	struct table_names names = {0};
	size_t i;

	if (!rules->has_mcdc)
		table.columns &= ~(1u << RATE_CONDITIONS);
	*total = (struct coverage_summary){0};
	for (i = 0; i < selection->file_count; i++) {
		coverage_file_summary(
			selection->coverage, selection->files[i], selection->filter, selection->context, &summaries[i]);
		summary_add(total, &summaries[i]);
	}
	table_names_make(&names, selection);
	table.name_width = names.width > NAME_WIDTH ? names.width : NAME_WIDTH;
	add_head(&table);
	if (add_rows(&table, &names, summaries, true) && options->empty_files) {
		buffer_add_text(text, "\nFiles which contain no functions:\n");
		add_rows(&table, &names, summaries, false);
	}
	add_divider(&table);
	add_row(&table, "TOTAL", total);
	table_names_free(&names);
	free(summaries);
}
