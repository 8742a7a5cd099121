/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_line_profile.c - gives the counts of machine code to source lines, as AutoFDO does. This is for code without
 * pseudo probes. The debug information tells the line, and the calls through which the code was inlined.
 */
#include "code_counts.h"
#include "sample_lines.h"
#include "sample_profile.h"

#include <stdlib.h>

/* An instruction in a function that samples hit. */
struct instruction_count {
	uint64_t address;
	double count;
};

/* A function that samples hit. */
struct function_count {
	size_t first; /* index of its first instruction in maker.instructions */
	size_t end;
	double samples;
	double entries;
};

struct maker {
	struct sampleprof *profile;
	struct sample_losses *losses;
	struct instruction_count *instructions; /* by address */
	size_t instruction_count;
	size_t instruction_room;
	struct function_count *functions;
	size_t function_count;
	size_t function_room;
	struct line_count *lines;
	size_t line_count;
};

/* A count at a location of a function. An element of a list in which the highest count of each location wins. */
struct line_count {
	struct sampleprof_function *function;
	struct sampleprof_location at;
	uint64_t count;
};

/*
 * Clang packs three numbers into a discriminator: one that tells blocks of a line apart, one that says how many copies of
 * the code a loop has (0 means 1), and the number of the copy. Each is 0 if its first bit is 1. Otherwise it has 5 or 12
 * more bits; the bit after the first 5 of them says which.
 */
static uint32_t first_number(uint32_t packed)
{
	uint32_t rest = packed >> 1;

	if (packed & 1)
		return 0;
	return rest & 0x20 ? (rest >> 1 & 0xfe0) | (rest & 0x1f) : rest & 0x1f;
}

static uint32_t after_first(uint32_t packed)
{
	return packed & 1 ? packed >> 1 : packed >> (packed & 0x40 ? 14 : 7);
}

static struct sampleprof_location location_of(const struct sample_frame *frame)
{
	/* LLVM keeps 16 bits of the distance, also if the line is above the function, as in a macro. */
	return (struct sampleprof_location){.offset = (frame->line - frame->start) & SAMPLEPROF_OFFSET_LAST,
		.discriminator = first_number(frame->discriminator)};
}

static bool is_complete(const struct sample_place *place)
{
	uint32_t i;

	for (i = 0; i < place->count; i++)
		if (!place->frames[i].function || !place->frames[i].line || !place->frames[i].start)
			return false;
	return place->count > 0;
}

/* Returns the function or inlinee whose code is at @place, or NULL if the calls are too deep. */
static struct sampleprof_function *function_at(struct sampleprof *profile, const struct sample_place *place)
{
	struct sampleprof_function *function = NULL;
	uint32_t i;

	for (i = place->count; i--;) {
		const char *text = place->frames[i].function;
		struct sampleprof_name *name =
			sampleprof_name(profile, (struct bytes){(const uint8_t *)text, strlen(text)});

		if (i + 1 == place->count)
			function = sampleprof_function(profile, name);
		else
			function = sampleprof_inlinee(profile, function, location_of(&place->frames[i + 1]), name);
		if (!function)
			return NULL;
	}
	return function;
}

static void take_counts(void *context, const struct code_counts *counts)
{
	const struct code_graph *graph = counts->graph;
	struct maker *maker = context;
	size_t first = maker->instruction_count;
	size_t i;

	for (i = 0; i < graph->instruction_count; i++) {
		uint64_t address = graph->instructions[i];

		maker->instructions = array_grow(maker->instructions, maker->instruction_count,
			&maker->instruction_room, sizeof(*maker->instructions));
		maker->instructions[maker->instruction_count++] =
			(struct instruction_count){address, graph->flow.blocks[code_graph_block(graph, address)].count};
	}
	maker->functions =
		array_grow(maker->functions, maker->function_count, &maker->function_room, sizeof(*maker->functions));
	maker->functions[maker->function_count++] =
		(struct function_count){first, maker->instruction_count, counts->samples, counts->entries};
}

static int compare_lines(const void *left, const void *right)
{
	const struct line_count *a = left;
	const struct line_count *b = right;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->at.offset != b->at.offset)
		return a->at.offset < b->at.offset ? -1 : 1;
	if (a->at.discriminator != b->at.discriminator)
		return a->at.discriminator < b->at.discriminator ? -1 : 1;
	return compare_uint(b->count, a->count);
}

/* Adds the highest count of each location. All instructions of a location run as often, except where code was moved. */
static void add_lines(struct maker *maker)
{
	const struct line_count *lines = maker->lines;
	size_t i;

	if (maker->line_count)
		qsort(maker->lines, maker->line_count, sizeof(*lines), compare_lines);
	for (i = 0; i < maker->line_count; i++)
		if (!i || lines[i].function != lines[i - 1].function || lines[i].at.offset != lines[i - 1].at.offset ||
			lines[i].at.discriminator != lines[i - 1].at.discriminator)
			sampleprof_add(maker->profile, lines[i].function, lines[i].at, lines[i].count);
}

/* Gives the counts of the instructions of @function to their lines. Returns false if no instruction has a line. */
static bool count_function(
	struct maker *maker, const struct function_count *function, const struct sample_place *places)
{
	struct sampleprof_function *called = NULL;
	bool any = false;
	size_t i;

	for (i = function->first; i < function->end; i++) {
		const struct sample_place *place = &places[i];
		struct sampleprof_function *inlinee;
		uint32_t copies;

		if (!is_complete(place))
			continue;
		if (!called) {
			struct sample_place outermost = {&place->frames[place->count - 1], 1};

			called = function_at(maker->profile, &outermost);
		}
		inlinee = function_at(maker->profile, place);
		if (!inlinee)
			continue;
		copies = first_number(after_first(place->frames[0].discriminator));
		maker->lines[maker->line_count++] = (struct line_count){inlinee, location_of(&place->frames[0]),
			sample_scaled(maker->instructions[i].count * (copies ? copies : 1))};
		any = true;
	}
	if (called)
		called->head += sample_scaled(function->entries);
	return any;
}

static void count_functions(struct maker *maker, const struct sample_lines *places)
{
	size_t i;

	maker->lines = allocate(maker->instruction_count + 1, sizeof(*maker->lines));
	for (i = 0; i < maker->function_count; i++) {
		const struct function_count *function = &maker->functions[i];

		if (count_function(maker, function, places->list)) {
			maker->losses->used += function->samples;
		} else {
			maker->losses->functions_left++;
			maker->losses->left_samples += function->samples;
		}
	}
	maker->losses->functions = maker->function_count;
	add_lines(maker);
	free(maker->lines);
}

bool sample_line_profile(struct sampleprof *profile, const struct sample_program *program,
	const struct samples *samples, struct sample_losses *losses)
{
	struct maker maker = {.profile = profile, .losses = losses};
	struct sample_lines places;
	uint64_t *addresses;
	double found;
	bool has_debug;
	size_t i;

	profile->kind = SAMPLEPROF_LINES;
	memset(losses, 0, sizeof(*losses));
	found = code_counts_infer(program, samples, NULL, 0, take_counts, &maker);
	losses->no_code = (double)samples_total(samples) - found;
	addresses = allocate(maker.instruction_count + 1, sizeof(*addresses));
	for (i = 0; i < maker.instruction_count; i++)
		addresses[i] = maker.instructions[i].address;
	has_debug = sample_lines_read(&places, program, addresses, maker.instruction_count);
	if (has_debug)
		count_functions(&maker, &places);
	sampleprof_add_up(profile);
	sample_lines_free(&places);
	free(addresses);
	free(maker.instructions);
	free(maker.functions);
	return has_debug;
}
