/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_report.c - assigns samples to functions. The bytes of a counter of a histogram may belong to several functions. */
#include "sample_report.h"
#include "demangle.h"

#include <elf.h>
#include <math.h>
#include <stdlib.h>

/* 95 % of a normal distribution are within this number of standard deviations. */
#define DEVIATIONS 1.959963984540054

size_t sample_function_index(const struct sample_report *report, const struct sample_function *function)
{
	return (size_t)(function - report->program->functions);
}

uint64_t sample_call_address(const struct sample_program *program, uint64_t return_address)
{
	if (program->image.machine == EM_ARM)
		return_address &= ~(uint64_t)1;
	return return_address - 1;
}

struct sample_range sample_range_of(uint64_t count, uint64_t total)
{
	double n = (double)total;
	double share = total ? (double)count / n : 0;
	double square = DEVIATIONS * DEVIATIONS;
	double middle = (share + square / (2 * n)) / (1 + square / n);
	double half = DEVIATIONS / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n));

	if (!total)
		return (struct sample_range){0, 1};
	return (struct sample_range){count ? middle - half : 0, count < total ? middle + half : 1};
}

static void add_hit(struct sample_report *report, const struct sample_hit *hit)
{
	if (!hit->function)
		report->no_function = add_saturating(report->no_function, hit->count);
	report->hits = array_grow(report->hits, report->hit_count, &report->hit_room, sizeof(*report->hits));
	report->hits[report->hit_count++] = *hit;
}

/* A part of the bytes of a counter. */
struct part {
	const struct sample_function *function;
	uint64_t start;
	uint64_t size;
};

/* Returns the end of the bytes from @at on that belong to @function, or to no function if it is NULL. @end limits it. */
static uint64_t part_end(
	const struct sample_program *program, const struct sample_function *function, uint64_t at, uint64_t end)
{
	const struct sample_function *next = function ? function + 1 : program->functions;
	const struct sample_function *last = program->functions + program->function_count;

	if (function && function->end < end)
		end = function->end;
	if (!function)
		next += upper_bound(&at, next, program->function_count, sizeof(*next), compare_numbers);
	while (next < last && next->address <= at)
		next++;
	return next < last && next->address < end ? next->address : end;
}

/*
 * Assigns the samples of a counter to the functions of which it counts bytes, in proportion to these bytes. Bytes of no
 * function are padding, unless there are no others. Rounding must not change the sum.
 */
static void split(struct sample_report *report, const struct sample *sample)
{
	uint64_t end = sample->address + ((uint64_t)1 << report->samples->shift);
	struct part *parts = NULL;
	uint64_t bytes = 0;
	uint64_t given = 0;
	uint64_t passed = 0;
	size_t functions = 0;
	size_t count = 0;
	size_t room = 0;
	uint64_t at;
	size_t i;

	for (at = sample->address; at < end; at += parts[count++].size) {
		const struct sample_function *function = sample_program_function(report->program, at);

		parts = array_grow(parts, count, &room, sizeof(*parts));
		parts[count] = (struct part){function, at, part_end(report->program, function, at, end) - at};
		functions += function != NULL;
		bytes += function ? parts[count].size : 0;
	}
	if (!functions)
		add_hit(report, &(struct sample_hit){sample->address, sample->count, NULL, sample, false});
	for (i = 0; i < count && functions; i++) {
		struct sample_hit hit = {parts[i].start, 0, parts[i].function, sample, functions > 1};

		if (!hit.function)
			continue;
		passed += parts[i].size;
		hit.count = (uint64_t)((__uint128_t)sample->count * passed / bytes) - given;
		given += hit.count;
		if (hit.count)
			add_hit(report, &hit);
	}
	free(parts);
}

static void make_hits(struct sample_report *report)
{
	const struct samples *samples = report->samples;
	size_t i;

	for (i = 0; i < samples->count; i++) {
		const struct sample *sample = &samples->list[i];
		uint64_t address = sample->address;

		report->total = add_saturating(report->total, sample->count);
		report->stacks |= sample->depth != 0;
		if (report->program->image.machine == EM_ARM)
			address &= ~(uint64_t)1;
		/* A function that ends before the last address cannot overflow the end of a counter. */
		if (samples->shift && sample->address <= UINT64_MAX - ((uint64_t)1 << samples->shift))
			split(report, sample);
		else
			add_hit(report, &(struct sample_hit){address, sample->count,
						sample_program_function(report->program, address), sample, false});
	}
}

/* @marks has for each function the last hit that was added to its total, so that a recursive function counts once. */
static void add_total(struct sample_report *report, const struct sample_function *function, size_t hit, size_t *marks)
{
	size_t index;

	if (!function)
		return;
	index = sample_function_index(report, function);
	if (marks[index] == hit + 1)
		return;
	marks[index] = hit + 1;
	report->tallies[index].total = add_saturating(report->tallies[index].total, report->hits[hit].count);
}

static void make_tallies(struct sample_report *report)
{
	size_t *marks = allocate(report->program->function_count, sizeof(*marks));
	size_t i;
	uint32_t j;

	report->tallies = allocate(report->program->function_count, sizeof(*report->tallies));
	for (i = 0; i < report->hit_count; i++) {
		const struct sample_hit *hit = &report->hits[i];
		const uint64_t *stack = report->samples->addresses;
		struct sample_tally *tally = NULL;

		if (hit->function)
			tally = &report->tallies[sample_function_index(report, hit->function)];
		if (tally)
			tally->samples = add_saturating(tally->samples, hit->count);
		if (tally && hit->shared)
			tally->shared = add_saturating(tally->shared, hit->count);
		add_total(report, hit->function, i, marks);
		for (j = 0; j < hit->sample->depth; j++)
			add_total(report,
				sample_program_function(report->program,
					sample_call_address(report->program, stack[hit->sample->stack + j])),
				i, marks);
	}
	free(marks);
}

/* Finds out which functions --function selects, and removes the hits in others. */
static void select_functions(struct sample_report *report, const regex_t *regex)
{
	size_t kept = 0;
	size_t i;

	for (i = 0; i < report->program->function_count; i++)
		report->matches[i] = !regex || !regexec(regex, report->names[i], 0, NULL, 0) ||
		                     !regexec(regex, report->program->functions[i].name, 0, NULL, 0);
	for (i = 0; i < report->hit_count && regex; i++) {
		const struct sample_hit *hit = &report->hits[i];

		if (hit->function && report->matches[sample_function_index(report, hit->function)])
			report->hits[kept++] = *hit;
	}
	if (regex)
		report->hit_count = kept;
}

void sample_report_make(struct sample_report *report, const struct sample_program *program,
	const struct samples *samples, const regex_t *regex)
{
	size_t i;

	*report = (struct sample_report){.program = program, .samples = samples};
	report->names = allocate(program->function_count, sizeof(*report->names));
	report->matches = allocate(program->function_count, sizeof(*report->matches));
	for (i = 0; i < program->function_count; i++)
		report->names[i] = program->functions[i].name;
	report->mangled = !source_names(report->names, program->function_count, &report->arena);
	make_hits(report);
	make_tallies(report);
	select_functions(report, regex);
}

void sample_report_free(struct sample_report *report)
{
	free(report->hits);
	free(report->tallies);
	free(report->names);
	free(report->matches);
	arena_free(&report->arena);
}
