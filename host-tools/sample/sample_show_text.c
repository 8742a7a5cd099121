/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_show_text.c - prints samples for people, and as folded stacks for other programs. */
#include "sample_show.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const char *sample_shown_name(const struct sample_shown *shown, size_t index)
{
	return shown->mangled ? shown->report->program->functions[index].name : shown->report->names[index];
}

static void put_head(const struct sample_shown *shown)
{
	const struct samples *samples = shown->report->samples;

	printf("%" PRIu64 " samples", shown->report->total);
	if (samples->rate)
		printf(" at %" PRIu64 " Hz", samples->rate);
	if (samples->cpus)
		printf(" on %" PRIu64 " CPU%s", samples->cpus, samples->cpus == 1 ? "" : "s");
	printf("; dropped: %" PRIu64 "; outside: %" PRIu64 "\n", samples->dropped, samples->outside);
	if (samples->shift)
		printf("a counter for every %" PRIu64 " bytes of code; if it counts for several functions, the numbers "
		       "are estimates\n",
			(uint64_t)1 << samples->shift);
}

/* Prints the columns of one row: the share, the range that contains it, and the number of samples. */
static void put_row(const struct sample_shown *shown, uint64_t count)
{
	uint64_t total = shown->report->total;
	struct sample_range range = sample_range_of(count, total);

	printf("%6.2f %%  %6.2f - %6.2f %%  %10" PRIu64 "  ", total ? 100 * (double)count / (double)total : 0.0,
		100 * range.low, 100 * range.high, count);
}

static void put_total(const struct sample_shown *shown, uint64_t count)
{
	uint64_t total = shown->report->total;

	if (shown->report->stacks)
		printf("%6.2f %%  ", total ? 100 * (double)count / (double)total : 0.0);
}

static void put_blocks(const struct sample_function_blocks *blocks)
{
	size_t i;

	for (i = 0; i < blocks->count; i++) {
		const struct sample_block *block = &blocks->list[i];

		printf("    %#" PRIx64 ": %.0f instruction%s, %.0f samples, %.3f runs\n", block->address,
			block->instructions, block->instructions == 1 ? "" : "s", block->samples, block->runs);
	}
	if (blocks->guessed)
		printf("    the targets of a jump are not known, so the runs are less certain\n");
}

static void put_functions(const struct sample_shown *shown)
{
	const struct sample_report *report = shown->report;
	bool others = report->no_function && report->hit_count;
	size_t i;

	printf("   share       95 %% range        samples  %sfunction\n", report->stacks ? "   total  " : "");
	for (i = 0; i < shown->function_count; i++) {
		const struct sample_tally *tally = &report->tallies[shown->functions[i]];

		if (others && report->no_function > tally->samples) {
			put_row(shown, report->no_function);
			put_total(shown, report->no_function);
			printf("[no function]\n");
			others = false;
		}
		put_row(shown, tally->samples);
		put_total(shown, tally->total);
		print_safe_text(sample_shown_name(shown, shown->functions[i]));
		putchar('\n');
		if (shown->blocks)
			put_blocks(&shown->blocks[shown->functions[i]]);
	}
	if (!others)
		return;
	put_row(shown, report->no_function);
	put_total(shown, report->no_function);
	printf("[no function]\n");
}

static void put_place(const struct sample_line_tally *line)
{
	if (line->file) {
		print_safe_text(line->file);
		printf(":%" PRIu32, line->line);
	} else {
		printf("[no line]");
	}
	if (line->name) {
		printf("  ");
		print_safe_text(line->name);
	}
	putchar('\n');
}

static void put_lines(const struct sample_shown *shown)
{
	size_t i;

	printf("   share       95 %% range        samples  line, function\n");
	for (i = 0; i < shown->line_count; i++) {
		put_row(shown, shown->lines[i].samples);
		put_place(&shown->lines[i]);
	}
}

void sample_show_text(const struct sample_shown *shown)
{
	put_head(shown);
	if (!shown->report->total)
		printf("no sample is in the code of the ELF file\n");
	else if (shown->has_lines)
		put_lines(shown);
	else
		put_functions(shown);
}

/* A function or line without samples may have run, so the words do not say that it did not. */
static void put_seen(uint64_t certain, uint64_t shared)
{
	if (certain + shared && !certain)
		printf("  may have been seen\n");
	else if (certain + shared)
		printf("  seen %" PRIu64 " time%s\n", certain + shared, certain + shared == 1 ? "" : "s");
	else
		printf("  not seen\n");
}

void sample_show_seen(const struct sample_shown *shown)
{
	const struct sample_report *report = shown->report;
	size_t count = shown->has_lines ? shown->line_count : shown->function_count;
	size_t seen = 0;
	size_t i;

	for (i = 0; i < count && shown->has_lines; i++) {
		const struct sample_line_tally *line = &shown->lines[i];

		print_safe_text(line->file);
		printf(":%" PRIu32, line->line);
		put_seen(line->samples, 0);
		seen += line->samples != 0;
	}
	for (i = 0; i < count && !shown->has_lines; i++) {
		const struct sample_tally *tally = &report->tallies[shown->functions[i]];

		print_safe_text(sample_shown_name(shown, shown->functions[i]));
		put_seen(tally->samples - tally->shared, tally->shared);
		seen += tally->samples > tally->shared;
	}
	put_head(shown);
	printf("%zu of %zu %s were seen; the others may have run between two samples\n", seen, count,
		shown->has_lines ? "lines" : "functions");
}

void sample_show_folded(const struct sample_stacks *stacks)
{
	size_t i;
	size_t j;

	for (i = 0; i < stacks->count; i++) {
		const struct sample_stack *stack = &stacks->list[i];

		for (j = 0; j < stack->depth; j++) {
			char *name = format("%s", stacks->names[stacks->frames[stack->first + j]]);
			char *c;

			printable(name);
			/* A semicolon separates functions. */
			for (c = name; *c; c++)
				*c = *c == ';' ? ':' : *c;
			printf("%s%s", j ? ";" : "", name);
			free(name);
		}
		printf(" %" PRIu64 "\n", stack->count);
	}
}
