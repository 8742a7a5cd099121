/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcdc.c - tests decisions of MC/DC that were made by hand. Each case has the conditions of a decision as clang numbers
 * them, the bits of the test vectors that ran, and what must come out. The bits were found with pencil and paper: a path
 * through a condition with the most paths to it comes first.
 */
#include "mcdc.h"
#include "throw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CONDITIONS 6
#define VECTORS    6

/* A decision in lines 10 to 20, and its conditions in the order of the source. */
struct decision_case {
	const char *name;
	struct {
		int16_t number;
		int16_t if_false;
		int16_t if_true;
		bool constant[2]; /* it is never true, never false */
	} conditions[CONDITIONS];
	uint16_t count;
	uint8_t bitmap[2];
	uint32_t end; /* bit after the last vector */
	const char *vectors; /* conditions = result; vectors are separated by a space */
	const char *pairs; /* of each condition, or - */
};

#define NEITHER                                                                                                        \
	{                                                                                                              \
		false, false                                                                                           \
	}
#define ALWAYS                                                                                                         \
	{                                                                                                              \
		false, true                                                                                            \
	}

static const struct decision_case cases[] = {
	/* Bits: a is false; a is true and b is false; both are true. */
	{"a && b, all vectors", {{0, -1, 1, NEITHER}, {1, -1, -1, NEITHER}}, 2, {0x7}, 3, "F-=F TF=F TT=T", "1,3 2,3"},
	{"a && b, b was never false", {{0, -1, 1, NEITHER}, {1, -1, -1, NEITHER}}, 2, {0x5}, 3, "F-=F TT=T", "1,2 -"},
	{"a && b, nothing ran", {{0, -1, 1, NEITHER}, {1, -1, -1, NEITHER}}, 2, {0}, 3, "", "- -"},
	{"bits of other decisions", {{0, -1, 1, NEITHER}, {1, -1, -1, NEITHER}}, 2, {0xbf, 0xfe}, 9, "TF=F", "- -"},
	/* Bits: a is true; both are false; only b is true. */
	{"a || b", {{0, 1, -1, NEITHER}, {1, -1, -1, NEITHER}}, 2, {0x7}, 3, "FF=F FT=T T-=T", "1,3 1,2"},
	{"a || b, the result was never false", {{0, 1, -1, NEITHER}, {1, -1, -1, NEITHER}}, 2, {0x5}, 3, "FT=T T-=T",
		"- -"},
	/*
	 * (a && b) || c: two paths lead to c (number 1), so its ends have bits 0 to 3, and a && b has bit 4. Of the two
	 * paths, the one without b comes first.
	 */
	{"(a && b) || c, all vectors", {{0, 1, 2, NEITHER}, {2, 1, -1, NEITHER}, {1, -1, -1, NEITHER}}, 3, {0x1f}, 5,
		"F-F=F TFF=F F-T=T TFT=T TT-=T", "1,5 2,5 1,3"},
	{"two conditions differ", {{0, 1, 2, NEITHER}, {2, 1, -1, NEITHER}, {1, -1, -1, NEITHER}}, 3, {0x9}, 5,
		"F-F=F TFT=T", "- - -"},
	{"a condition that only one evaluated", {{0, 1, 2, NEITHER}, {2, 1, -1, NEITHER}, {1, -1, -1, NEITHER}}, 3,
		{0x11}, 5, "F-F=F TT-=T", "1,2 - -"},
	{"in the middle of the bitmap", {{0, 1, 2, NEITHER}, {2, 1, -1, NEITHER}, {1, -1, -1, NEITHER}}, 3,
		{0x48, 0x02}, 11, "F-F=F TFT=T", "- - -"},
	/* The condition with the number 0 comes first, even if it is not the first in the file. */
	{"a macro changes the order", {{1, -1, -1, NEITHER}, {0, -1, 1, NEITHER}}, 2, {0x6}, 3, "TF=F TT=T", "- 1,2"},
	/* (a && 1) || b: a false, b false; a false, b true; a true. The other paths cannot run. */
	{"a constant", {{0, 1, 2, NEITHER}, {2, 1, -1, ALWAYS}, {1, -1, -1, NEITHER}}, 3, {0x15}, 5,
		"F-F=F F-T=T TT-=T", "1,3 - 1,2"},
	/* Two conditions, from which both sides lead to a third. Bits of a false b, a false c, a true b, a true c. */
	{"both sides lead on", {{0, 1, 2, NEITHER}, {1, 3, 3, NEITHER}, {2, 3, 3, NEITHER}, {3, -1, -1, NEITHER}}, 4,
		{0xff}, 8, "FF-F=F FT-F=F T-FF=F T-TF=F FF-T=T FT-T=T T-FT=T T-TT=T", "- - - 1,5"},
	/*
	 * (a || b) && (c || d) && (e || f): bits 0 to 3 are those of e, 4 to 7 of both false, 8 to 11 of f, and 12 and 13
	 * of c and d false. Two paths lead to c, and four to e: those through c without d, then those through d.
	 */
	{"paths through two joins",
		{{0, 1, 2, NEITHER}, {1, -1, 2, NEITHER}, {2, 3, 4, NEITHER}, {3, -1, 4, NEITHER}, {4, 5, -1, NEITHER},
			{5, -1, -1, NEITHER}},
		6, {0x45, 0x20}, 15, "FTFF--=F T-FTFF=F T-FTT-=T T-T-T-=T", "- - - - 2,3 -"},
};

struct outcome {
	char vectors[256];
	char pairs[64];
	struct mcdc_result last;
	uint32_t line; /* of the last decision */
	size_t count;
};

static void record(void *context, const struct region *decision, const struct mcdc_result *result)
{
	struct outcome *outcome = context;
	struct buffer vectors = {0};
	struct buffer pairs = {0};
	uint32_t i;
	uint32_t k;

	for (i = 0; i < result->false_vectors + result->true_vectors && i < 64; i++) {
		buffer_printf(&vectors, "%s", i ? " " : "");
		for (k = 0; result->vectors && k < result->condition_count; k++)
			buffer_printf(&vectors, "%c", mcdc_state(result, i, k));
		buffer_printf(&vectors, "=%c", i < result->false_vectors ? 'F' : 'T');
	}
	for (i = 0; i < result->condition_count; i++) {
		buffer_printf(&pairs, "%s", i ? " " : "");
		if (result->conditions[i].pair[0])
			buffer_printf(&pairs, "%" PRIu32 ",%" PRIu32, result->conditions[i].pair[0],
				result->conditions[i].pair[1]);
		else
			buffer_printf(&pairs, "-");
	}
	snprintf(outcome->vectors, sizeof(outcome->vectors), "%s", buffer_string(&vectors));
	snprintf(outcome->pairs, sizeof(outcome->pairs), "%s", buffer_string(&pairs));
	outcome->last = *result;
	outcome->line = decision->line;
	outcome->count++;
	buffer_free(&vectors);
	buffer_free(&pairs);
}

static void verdict(bool good, const char *what, const struct outcome *outcome)
{
	printf("%sok - %s\n", good ? "" : "not ", what);
	if (!good)
		printf("    %zu decisions; %s; pairs %s; unknown %d\n", outcome->count, outcome->vectors,
			outcome->pairs, outcome->last.unknown);
}

static const struct coverage_rules rules19 = {.release = 19, .has_mcdc = true, .bitmap_by_vector = true};
static const struct coverage_rules rules22 = {
	.release = 22, .has_mcdc = true, .bitmap_by_vector = true, .folds_each_side = true};

static const struct coverage_rules rules_by_bit = {
	.release = 22, .has_mcdc = true, .bitmap_by_vector = true, .folds_each_side = true, .vectors_by_bit = true};

static struct outcome run(const struct coverage_rules *rules, struct region *list, size_t count, struct bytes bitmap)
{
	struct function_file files[4] = {{0}};
	struct function_regions regions = {.list = list, .count = count, .files = files, .file_count = 4};
	struct outcome outcome = {.vectors = ""};
	struct mcdc_request request = {
		.rules = rules, .bitmap = bitmap, .vectors = true, .found = record, .context = &outcome};

	mcdc_decisions(&request, &regions);
	return outcome;
}

static struct region decision(uint32_t file, uint32_t line, uint16_t count, uint32_t end)
{
	return (struct region){.line = line,
		.column = 1,
		.end_line = line + 9,
		.end_column = 9,
		.file = file,
		.kind = REGION_DECISION,
		.bitmap_end = end,
		.condition_count = count};
}

static struct region condition(uint32_t file, uint32_t line, int number, int if_false, int if_true)
{
	return (struct region){.line = line,
		.column = 2,
		.end_line = line,
		.end_column = 3,
		.file = file,
		.kind = REGION_CONDITION,
		.condition = (int16_t)number,
		.next = {(int16_t)if_false, (int16_t)if_true}};
}

static void run_case(const struct decision_case *test)
{
	struct region list[1 + CONDITIONS];
	struct outcome outcome;
	uint16_t i;

	list[0] = decision(0, 10, test->count, test->end);
	for (i = 0; i < test->count; i++) {
		list[1 + i] = condition(0, 10u + i, test->conditions[i].number, test->conditions[i].if_false,
			test->conditions[i].if_true);
		list[1 + i].folded[0] = test->conditions[i].constant[0];
		list[1 + i].folded[1] = test->conditions[i].constant[1];
	}
	outcome = run(&rules22, list, 1u + test->count, (struct bytes){test->bitmap, sizeof(test->bitmap)});
	verdict(outcome.count == 1 && !strcmp(outcome.vectors, test->vectors) && !strcmp(outcome.pairs, test->pairs) &&
			!outcome.last.unknown,
		test->name, &outcome);
}

/* A condition that is constant on one side only counts for releases before 20. */
static void constants(void)
{
	static const uint8_t bitmap[] = {0x7};
	struct region list[] = {decision(0, 10, 2, 3), condition(0, 10, 0, -1, 1), condition(0, 11, 1, -1, -1)};
	struct outcome outcome;

	list[1].folded[1] = true;
	outcome = run(&rules19, list, 3, (struct bytes){bitmap, 1});
	verdict(outcome.last.total == 2, "19: a constant on one side", &outcome);
	outcome = run(&rules22, list, 3, (struct bytes){bitmap, 1});
	verdict(outcome.last.total == 1 && outcome.last.covered == 2, "22: a constant on one side", &outcome);
	list[1].folded[0] = true;
	outcome = run(&rules19, list, 3, (struct bytes){bitmap, 1});
	verdict(outcome.last.total == 1 && outcome.last.covered == 2, "19: a constant on both sides", &outcome);
}

/*
 * a && !(b && c) && d. Two paths lead to d (number 3), so its ends have the bits 0 to 3. Bit 4 is the path on which a is
 * false, and bit 5 the one on which b and c are true. As paths, the one on which a is false comes first.
 */
static void orders(void)
{
	static const uint8_t bitmap[] = {0x3f};
	struct region list[] = {decision(0, 10, 4, 6), condition(0, 10, 0, -1, 1), condition(0, 11, 1, 3, 2),
		condition(0, 12, 2, 3, -1), condition(0, 13, 3, -1, -1)};
	struct outcome outcome = run(&rules19, list, 5, (struct bytes){bitmap, 1});

	verdict(!strcmp(outcome.vectors, "F---=F TF-F=F TTFF=F TF-T=T TTFT=T TTT-=T") &&
			!strcmp(outcome.pairs, "1,4 2,6 3,6 2,4"),
		"19: vectors as paths", &outcome);
	outcome = run(&rules_by_bit, list, 5, (struct bytes){bitmap, 1});
	verdict(!strcmp(outcome.vectors, "TF-F=F TTFF=F F---=F TF-T=T TTFT=T TTT-=T") &&
			!strcmp(outcome.pairs, "3,4 1,6 2,6 1,4"),
		"22: vectors by bits", &outcome);
}

/* Where conditions are: in the expansion of a macro, in an expansion in an expansion, and outside the decision. */
static void places(void)
{
	static const uint8_t bitmap[] = {0x7f};
	struct region expansions[] = {{.line = 11, .end_line = 11, .kind = REGION_EXPANSION, .expanded = 1},
		{.line = 2, .end_line = 2, .file = 1, .kind = REGION_EXPANSION, .expanded = 2},
		{.line = 50, .end_line = 50, .kind = REGION_EXPANSION, .expanded = 3}};
	struct region list[] = {decision(0, 10, 3, 4), condition(0, 5, 2, -1, -1), condition(0, 10, 0, -1, 1),
		expansions[0], decision(0, 30, 2, 7), condition(0, 30, 0, -1, 1), expansions[2],
		condition(0, 31, 1, -1, -1), condition(1, 1, 1, -1, 2), expansions[1], condition(3, 12, 2, -1, -1),
		condition(2, 2, 2, -1, -1)};
	struct outcome outcome = run(&rules19, list, 12, (struct bytes){bitmap, 1});

	verdict(outcome.count == 2 && outcome.line == 10 && !strcmp(outcome.vectors, "F--=F TF-=F TTF=F TTT=T") &&
			!strcmp(outcome.pairs, "1,4 2,4 3,4"),
		"conditions in expansions", &outcome);
	outcome = run(&rules19, list, 11, (struct bytes){bitmap, 1});
	verdict(outcome.count == 1 && outcome.line == 30, "a decision without one of its conditions", &outcome);
	outcome = run(&rules19, list + 1, 11, (struct bytes){bitmap, 1});
	verdict(outcome.count == 1 && outcome.line == 30, "conditions without a decision", &outcome);
	outcome = run(&rules19, list, 12, (struct bytes){bitmap, 0});
	verdict(outcome.count == 2 && !outcome.last.unknown && !outcome.vectors[0] && outcome.last.total == 3,
		"a function that the profile does not have", &outcome);
	outcome = run(&(struct coverage_rules){.release = 16}, list, 12, (struct bytes){bitmap, 1});
	verdict(!outcome.count, "16: no MC/DC", &outcome);
}

/* Decisions one after the other, and one inside the source of another whose conditions were all found before. */
static void sequences(void)
{
	static const uint8_t bitmap[] = {0xff, 0x01};
	struct region list[] = {decision(0, 10, 2, 3), condition(0, 10, 0, -1, 1), condition(0, 11, 1, -1, -1),
		decision(0, 12, 2, 6), condition(0, 12, 0, -1, 1),
		{.line = 13, .end_line = 13, .kind = REGION_EXPANSION, .expanded = 1}, condition(1, 1, 1, -1, -1),
		decision(0, 40, 2, 9), condition(0, 40, 0, -1, 1), condition(0, 41, 1, -1, -1)};
	struct outcome outcome = run(&rules19, list, 7, (struct bytes){bitmap, 2});

	verdict(outcome.count == 2 && outcome.line == 12, "a decision inside another one", &outcome);
	outcome = run(&rules19, list, 10, (struct bytes){bitmap, 2});
	verdict(outcome.count == 3 && outcome.line == 40 && outcome.last.covered == 2, "decisions in a row", &outcome);
}

/* A chain of 70 conditions with &&: the bit of a vector is the first condition that is false. */
static void chain(void)
{
	uint8_t bitmap[9] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f};
	struct region list[71];
	struct outcome outcome;
	int i;

	list[0] = decision(0, 10, 70, 71);
	for (i = 0; i < 70; i++)
		list[1 + i] = condition(0, 10, i, -1, i < 69 ? i + 1 : -1);
	outcome = run(&rules19, list, 71, (struct bytes){bitmap, 9});
	verdict(outcome.last.covered == 70 && outcome.last.false_vectors == 70 && outcome.last.true_vectors == 1 &&
			starts_with(outcome.pairs, "1,71 2,71 3,71 4,71"),
		"70 conditions", &outcome);
	bitmap[8] &= 0x5f; /* condition 69 was never false */
	outcome = run(&rules19, list, 71, (struct bytes){bitmap, 9});
	verdict(outcome.last.covered == 69, "70 conditions, of which the last one is not covered", &outcome);
}

/*
 * The first of 70 conditions does not matter, the others are a chain with &&. Each end has two bits: one for the first
 * condition false, one for true. So bit 136 is: the first and the last are false; 138: only the first is false; 139: all
 * are true.
 */
static void two_words(void)
{
	uint8_t bitmap[18] = {[17] = 0x09};
	struct region list[71];
	struct outcome outcome;
	int i;

	list[0] = decision(0, 10, 70, 140);
	list[1] = condition(0, 10, 0, 1, 1);
	for (i = 1; i < 70; i++)
		list[1 + i] = condition(0, 10, i, -1, i < 69 ? i + 1 : -1);
	outcome = run(&rules19, list, 71, (struct bytes){bitmap, 18});
	verdict(!outcome.last.covered && outcome.last.true_vectors == 1 && outcome.last.false_vectors == 1,
		"70 conditions, of which the first and the last differ", &outcome);
	bitmap[17] |= 0x04;
	outcome = run(&rules19, list, 71, (struct bytes){bitmap, 18});
	verdict(outcome.last.covered == 1 && outcome.last.true_vectors == 2, "70 conditions, of which the last differs",
		&outcome);
}

/* (a || b) && (c || d) && ...: @pairs pairs have 2^(pairs + 1) - 1 vectors. 2^pairs of them are true. */
static struct outcome run_pairs(int pairs, const uint8_t *bitmap, size_t size)
{
	uint16_t count = (uint16_t)(2 * pairs);
	struct region *list = allocate(count + 1u, sizeof(*list));
	struct outcome outcome;
	int i;

	list[0] = decision(0, 10, count, pairs < 31 ? ((uint32_t)2 << pairs) - 1 : UINT32_MAX);
	for (i = 0; i < count; i += 2) {
		int next = i + 2 < count ? i + 2 : -1;

		list[1 + i] = condition(0, 10, i, i + 1, next);
		list[2 + i] = condition(0, 10, i + 1, -1, next);
	}
	outcome = run(&rules19, list, count + 1u, (struct bytes){bitmap, size});
	free(list);
	return outcome;
}

static void many_vectors(void)
{
	size_t size = (size_t)1 << 20;
	uint8_t *bitmap = malloc(size);
	struct outcome outcome;

	memset(bitmap, 0xff, size);
	outcome = run_pairs(12, bitmap, size);
	verdict(outcome.last.covered == 24 && outcome.last.true_vectors == 4096 && outcome.last.false_vectors == 4095,
		"8,191 vectors", &outcome);
	outcome = run_pairs(20, bitmap, size);
	verdict(outcome.last.unknown && !outcome.last.covered && outcome.last.total == 40, "2 million vectors",
		&outcome);
	outcome = run_pairs(31, bitmap, size);
	verdict(outcome.last.unknown && outcome.count == 1, "2^32 vectors", &outcome);
	outcome = run_pairs(500, bitmap, size);
	verdict(outcome.last.unknown && outcome.count == 1, "2^501 vectors", &outcome);
	/*
	 * The last pair never was false, so its first condition has no pair of vectors, and all of them are compared.
	 * Vectors in which both are false have the bits from 2^14 on: the same number of paths leads to the first
	 * condition of the pair, whose end comes first.
	 */
	memset(bitmap + (1 << 11), 0, 1 << 11);
	outcome = run_pairs(15, bitmap, size);
	verdict(outcome.last.unknown && !outcome.last.covered && !outcome.last.true_vectors,
		"2^29 comparisons are too many", &outcome);
	memset(bitmap, 0, size);
	bitmap[0] = 1;
	bitmap[25] = 0x20;
	outcome = run_pairs(20, bitmap, size);
	verdict(outcome.last.true_vectors == 2 && !outcome.last.unknown, "2 of 2 million vectors ran", &outcome);
	free(bitmap);
}

/* Graphs that no compiler makes. Each must have a result, without vectors. */
static void damaged(void)
{
	static const uint8_t bitmap[] = {0xff, 0xff};
	static const struct {
		const char *name;
		int next[3][2];
	} graphs[] = {
		{"a cycle", {{-1, 1}, {2, -1}, {1, -1}}},
		{"a condition that follows itself", {{-1, 1}, {-1, 2}, {2, -1}}},
		{"the first condition follows", {{-1, 1}, {-1, 2}, {0, -1}}},
		{"a condition that does not exist", {{-1, 1}, {-1, 2}, {3, -1}}},
		{"a condition that nothing leads to", {{-1, 1}, {-1, -1}, {-1, -1}}},
		{"a cycle that nothing leads to", {{-1, -1}, {2, -1}, {1, -1}}},
	};
	struct region list[4];
	struct outcome outcome;
	size_t i;
	int k;

	for (i = 0; i < sizeof(graphs) / sizeof(graphs[0]); i++) {
		list[0] = decision(0, 10, 3, 8);
		for (k = 0; k < 3; k++)
			list[1 + k] = condition(0, 10, k, graphs[i].next[k][0], graphs[i].next[k][1]);
		outcome = run(&rules22, list, 4, (struct bytes){bitmap, 2});
		verdict(outcome.count == 1 && outcome.last.unknown && !outcome.last.covered &&
				!outcome.last.true_vectors,
			graphs[i].name, &outcome);
	}
	for (k = 0; k < 3; k++)
		list[1 + k] = condition(0, 10, k, -1, k < 2 ? k + 1 : -1);
	list[0].bitmap_end = 3;
	outcome = run(&rules22, list, 4, (struct bytes){bitmap, 2});
	verdict(outcome.last.unknown, "vectors before the bitmap", &outcome);
	list[0].bitmap_end = 17;
	outcome = run(&rules22, list, 4, (struct bytes){bitmap, 2});
	verdict(outcome.last.unknown, "vectors after the bitmap", &outcome);
	list[0].condition_count = 32766;
	outcome = run(&rules22, list, 4, (struct bytes){bitmap, 2});
	verdict(!outcome.count, "more conditions than the function has", &outcome);
	list[0].condition_count = 0;
	outcome = run(&rules22, list, 4, (struct bytes){bitmap, 2});
	verdict(!outcome.count, "a decision without conditions", &outcome);
	list[0].condition_count = 3;
	list[0].bitmap_end = 16;
	list[2].condition = 0;
	outcome = run(&rules22, list, 4, (struct bytes){bitmap, 2});
	verdict(!outcome.count, "two conditions with one number", &outcome);
}

/* Any regions must lead to decisions within bounds. The sanitizers find what else is wrong. */
static void random_regions(void)
{
	uint8_t bitmap[16];
	struct region list[24];
	struct outcome outcome = {.vectors = ""};
	size_t decisions = 0;
	size_t known = 0;
	bool good = true;
	size_t round;
	size_t i;

	throw_state = 7;
	for (round = 0; round < 20000 && good; round++) {
		size_t count = 2 + throw(22);
		int conditions = 1 + (int) throw(6);

		for (i = 0; i < sizeof(bitmap); i++)
			bitmap[i] = (uint8_t) throw(256);
		for (i = 0; i < count; i++) {
			uint32_t file = throw(5) ? 0 : (uint32_t) throw(4);
			int number = (int) throw((size_t)conditions);

			list[i] = condition(file, 10u + (uint32_t) throw(12), number,
				throw(3) ? number + 1 + (int) throw(3) : -1,
				throw(3) ? number + 1 + (int) throw(3) : -1);
			if (list[i].next[0] >= conditions && throw(9))
				list[i].next[0] = -1;
			if (list[i].next[1] >= conditions && throw(9))
				list[i].next[1] = -1;
			if (!throw(3) || !i)
				list[i] = decision(file, 10, (uint16_t)(throw(4) ? conditions : (int) throw(30)),
					(uint32_t) throw(140));
			else if (!throw(9))
				list[i].kind = REGION_EXPANSION;
			list[i].expanded = (uint32_t) throw(4);
		}
		outcome = run(round % 2 ? &rules_by_bit : &rules19, list, count,
			(struct bytes){bitmap, throw(9) ? sizeof(bitmap) : throw(sizeof(bitmap))});
		good = outcome.last.covered <= outcome.last.condition_count && outcome.last.condition_count <= count;
		decisions += outcome.count;
		known += outcome.count && !outcome.last.unknown;
	}
	verdict(good && decisions > 1000 && known > 1000, "random regions", &outcome);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		run_case(&cases[i]);
	constants();
	orders();
	places();
	sequences();
	chain();
	two_words();
	many_vectors();
	damaged();
	random_regions();
	return 0;
}
