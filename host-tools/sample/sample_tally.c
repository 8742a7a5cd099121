/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_tally.c - adds up the samples of each line of source. */
#include "sample_show.h"
#include "demangle.h"

#include <stdlib.h>

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_places(const void *left, const void *right)
{
	const struct sample_line_tally *a = left;
	const struct sample_line_tally *b = right;
	int order = compare_text(a->file, b->file);

	if (!order && a->line != b->line)
		order = a->line < b->line ? -1 : 1;
	return order;
}

/* Lines are the same only if they are in the same function of the source, unless the line is known. */
static int compare_lines(const void *left, const void *right)
{
	int order = compare_places(left, right);

	return order ? order
	             : compare_text(((const struct sample_line_tally *)left)->name,
			       ((const struct sample_line_tally *)right)->name);
}

static int compare_counts(const void *left, const void *right)
{
	const struct sample_line_tally *a = left;
	const struct sample_line_tally *b = right;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return compare_lines(left, right);
}

/* Sorts the lines with @compare, and adds up those that are the same. */
static void add_up(struct sample_shown *shown, int (*compare)(const void *left, const void *right))
{
	size_t kept = 0;
	size_t i;

	if (!shown->line_count)
		return;
	qsort(shown->lines, shown->line_count, sizeof(*shown->lines), compare);
	for (i = 1; i < shown->line_count; i++)
		if (compare(&shown->lines[kept], &shown->lines[i]))
			shown->lines[++kept] = shown->lines[i];
		else
			shown->lines[kept].samples =
				add_saturating(shown->lines[kept].samples, shown->lines[i].samples);
	shown->line_count = kept + 1;
}

void sample_lines_tally(
	struct sample_shown *shown, const struct sample_lines *lines, const uint64_t *addresses, struct arena *arena)
{
	const struct sample_report *report = shown->report;
	const char **names;
	size_t i;

	shown->lines = allocate(report->hit_count, sizeof(*shown->lines));
	names = allocate(report->hit_count, sizeof(*names));
	for (i = 0; i < report->hit_count; i++) {
		const struct sample_hit *hit = &report->hits[i];
		const struct sample_place *place =
			&lines->list[sample_address_index(addresses, lines->count, hit->address)];
		bool named = place->count && place->frames[0].function;

		shown->lines[i] = (struct sample_line_tally){.function = hit->function, .samples = hit->count};
		if (place->count && place->frames[0].line) {
			shown->lines[i].file = place->frames[0].file;
			shown->lines[i].line = place->frames[0].line;
		}
		names[i] = named ? place->frames[0].function : hit->function ? hit->function->name : "[no function]";
	}
	if (!shown->mangled)
		source_names(names, report->hit_count, arena);
	for (i = 0; i < report->hit_count; i++)
		shown->lines[i].name = names[i];
	shown->line_count = report->hit_count;
	add_up(shown, compare_lines);
	if (shown->line_count)
		qsort(shown->lines, shown->line_count, sizeof(*shown->lines), compare_counts);
	if (shown->top && shown->line_count > shown->top)
		shown->line_count = (size_t)shown->top;
	free(names);
}

/* What add_row() needs. */
struct rows {
	struct sample_shown *shown;
	size_t room;
};

/* Returns the number of samples whose address is from @start to @end. Hits are sorted by address. */
static uint64_t samples_in(const struct sample_report *report, uint64_t start, uint64_t end)
{
	size_t i = lower_bound(&start, report->hits, report->hit_count, sizeof(*report->hits), compare_numbers);
	uint64_t sum = 0;

	for (; i < report->hit_count && report->hits[i].address < end; i++)
		sum = add_saturating(sum, report->hits[i].count);
	return sum;
}

static void add_row(void *context, const struct sample_row *row)
{
	struct rows *rows = context;
	struct sample_shown *shown = rows->shown;
	const struct sample_report *report = shown->report;
	const struct sample_function *function = sample_program_function(report->program, row->start);

	if (!function || !report->matches[sample_function_index(report, function)])
		return;
	shown->lines = array_grow(shown->lines, shown->line_count, &rows->room, sizeof(*shown->lines));
	shown->lines[shown->line_count++] = (struct sample_line_tally){.file = row->file,
		.line = row->line,
		.function = function,
		.samples = samples_in(report, row->start, row->end)};
}

void sample_lines_seen(struct sample_shown *shown, struct sample_lines *lines)
{
	struct rows rows = {.shown = shown};

	sample_rows_pass(lines, shown->report->program, add_row, &rows);
	add_up(shown, compare_places);
}
