/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_stacks.c - makes stacks of functions from the return addresses of samples. */
#include "sample_stacks.h"
#include "demangle.h"

#include <elf.h>
#include <stdlib.h>

#define UNKNOWN     "[unknown]" /* a return address that the target could not read */
#define NO_FUNCTION "[no function]"

size_t sample_address_index(const uint64_t *addresses, size_t count, uint64_t address)
{
	return lower_bound(&address, addresses, count, sizeof(*addresses), compare_numbers);
}

uint64_t *sample_addresses(const struct sample_report *report, size_t *count)
{
	uint64_t *list = NULL;
	size_t used = 0;
	size_t room = 0;
	size_t kept = 0;
	size_t i;
	uint32_t j;

	for (i = 0; i < report->hit_count; i++) {
		const struct sample *sample = report->hits[i].sample;

		list = array_grow(list, used, &room, sizeof(*list));
		list[used++] = report->hits[i].address;
		for (j = 0; j < sample->depth; j++) {
			list = array_grow(list, used, &room, sizeof(*list));
			list[used++] =
				sample_call_address(report->program, report->samples->addresses[sample->stack + j]);
		}
	}
	if (used)
		qsort(list, used, sizeof(*list), compare_numbers);
	for (i = 0; i < used; i++)
		if (!kept || list[kept - 1] != list[i])
			list[kept++] = list[i];
	*count = kept;
	return list;
}

/* What make_stack() needs, and the list of names, in which each name may come several times. */
struct maker {
	struct sample_stacks *stacks;
	const struct sample_report *report;
	const struct sample_lines *lines;
	const uint64_t *addresses;
	size_t *places; /* for each address, the index of its first name in @names */
	const char **names;
	size_t name_count;
	size_t name_room;
};

static void add_name(struct maker *maker, const char *name)
{
	maker->names = array_grow(maker->names, maker->name_count, &maker->name_room, sizeof(*maker->names));
	maker->names[maker->name_count++] = name;
}

/* Adds the names of the functions at each address, the outermost first. */
static void add_names(struct maker *maker)
{
	const struct sample_report *report = maker->report;
	size_t i;
	uint32_t j;

	for (i = 0; i < maker->lines->count; i++) {
		const struct sample_function *function = sample_program_function(report->program, maker->addresses[i]);
		const struct sample_place *place = &maker->lines->list[i];

		maker->places[i] = maker->name_count;
		if (maker->addresses[i] == sample_call_address(report->program, 0))
			add_name(maker, UNKNOWN);
		else
			add_name(maker, function ? function->name : NO_FUNCTION);
		for (j = place->count; j-- > 1;)
			add_name(maker, place->frames[j - 1].function ? place->frames[j - 1].function : UNKNOWN);
	}
	maker->places[i] = maker->name_count;
}

struct named {
	const char *name;
	size_t index;
};

static int compare_named(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->name, ((const struct named *)right)->name);
}

/* Gives each name a number, so that the numbers are in the order of the names. Returns the number of each name. */
static size_t *number_names(struct maker *maker)
{
	struct named *sorted = allocate(maker->name_count, sizeof(*sorted));
	size_t *numbers = allocate(maker->name_count, sizeof(*numbers));
	struct sample_stacks *stacks = maker->stacks;
	size_t i;

	source_names(maker->names, maker->name_count, &stacks->arena);
	stacks->names = allocate(maker->name_count, sizeof(*stacks->names));
	for (i = 0; i < maker->name_count; i++)
		sorted[i] = (struct named){maker->names[i], i};
	qsort(sorted, maker->name_count, sizeof(*sorted), compare_named);
	for (i = 0; i < maker->name_count; i++) {
		if (!i || strcmp(sorted[i - 1].name, sorted[i].name) != 0)
			stacks->names[stacks->name_count++] = sorted[i].name;
		numbers[sorted[i].index] = stacks->name_count - 1;
	}
	free(sorted);
	return numbers;
}

static void add_frames(struct maker *maker, const size_t *numbers, uint64_t address)
{
	struct sample_stacks *stacks = maker->stacks;
	size_t place = sample_address_index(maker->addresses, maker->lines->count, address);
	size_t i;

	for (i = maker->places[place]; i < maker->places[place + 1]; i++) {
		stacks->frames =
			array_grow(stacks->frames, stacks->frame_count, &stacks->frame_room, sizeof(*stacks->frames));
		stacks->frames[stacks->frame_count++] = numbers[i];
	}
}

/*
 * Returns whether the only return address of @hit is in the sampled function itself. On Arm and AArch64 it comes from the
 * link register, which keeps the address after the last call that the function has made. So the address tells no caller.
 */
static bool is_stale(const struct sample_report *report, const struct sample_hit *hit)
{
	unsigned int machine = report->program->image.machine;
	uint64_t call;

	if (hit->sample->depth != 1 || !hit->function || (machine != EM_ARM && machine != EM_AARCH64))
		return false;
	call = sample_call_address(report->program, report->samples->addresses[hit->sample->stack]);
	return sample_program_function(report->program, call) == hit->function;
}

static void add_stack(struct maker *maker, const size_t *numbers, const struct sample_hit *hit)
{
	const struct sample_report *report = maker->report;
	struct sample_stacks *stacks = maker->stacks;
	struct sample_stack *stack = &stacks->list[stacks->count++];
	uint32_t i;

	*stack = (struct sample_stack){.first = stacks->frame_count, .count = hit->count};
	for (i = is_stale(report, hit) ? 0 : hit->sample->depth; i-- > 0;)
		add_frames(maker, numbers,
			sample_call_address(report->program, report->samples->addresses[hit->sample->stack + i]));
	add_frames(maker, numbers, hit->address);
	stack->depth = stacks->frame_count - stack->first;
}

static int compare_stacks(const void *left, const void *right, void *context)
{
	const size_t *frames = context;
	const struct sample_stack *a = left;
	const struct sample_stack *b = right;
	size_t i;

	for (i = 0; i < a->depth && i < b->depth; i++)
		if (frames[a->first + i] != frames[b->first + i])
			return frames[a->first + i] < frames[b->first + i] ? -1 : 1;
	return compare_uint(a->depth, b->depth);
}

static void add_up(struct sample_stacks *stacks)
{
	size_t kept = 0;
	size_t i;

	if (!stacks->count)
		return;
	qsort_r(stacks->list, stacks->count, sizeof(*stacks->list), compare_stacks, stacks->frames);
	for (i = 1; i < stacks->count; i++)
		if (compare_stacks(&stacks->list[kept], &stacks->list[i], stacks->frames))
			stacks->list[++kept] = stacks->list[i];
		else
			stacks->list[kept].count = add_saturating(stacks->list[kept].count, stacks->list[i].count);
	stacks->count = kept + 1;
}

void sample_stacks_make(struct sample_stacks *stacks, const struct sample_report *report,
	const struct sample_lines *lines, const uint64_t *addresses)
{
	struct maker maker = {.stacks = stacks, .report = report, .lines = lines, .addresses = addresses};
	size_t *numbers;
	size_t i;

	*stacks = (struct sample_stacks){0};
	maker.places = allocate(lines->count + 1, sizeof(*maker.places));
	add_names(&maker);
	numbers = number_names(&maker);
	stacks->list = allocate(report->hit_count, sizeof(*stacks->list));
	for (i = 0; i < report->hit_count; i++)
		add_stack(&maker, numbers, &report->hits[i]);
	add_up(stacks);
	free(numbers);
	free(maker.places);
	free(maker.names);
}

void sample_stacks_free(struct sample_stacks *stacks)
{
	free(stacks->list);
	free(stacks->frames);
	free(stacks->names);
	arena_free(&stacks->arena);
}
