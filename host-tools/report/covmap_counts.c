/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * covmap_counts.c - reads the regions of a function. Their bytes have three parts, in this order:
 *
 * - The first part has the number of files, and for each file its index in the list of files.
 * - The second part has the number of expressions, and for each expression its two operands.
 * - The third part has, for each file, the number of its regions and then the regions. Each region has its count or
 *   kind, and four numbers for its location.
 *
 * All of these numbers are ULEB128 numbers. The two low bits of an operand are its tag. Tag 0 means the count 0, and
 * tag 1 means a counter. Tags 2 and 3 mean an expression, which subtracts its operands (2) or adds them (3).
 *
 * A difference of counters can be below 0 although no count is wrong. clang evaluates both arms of a simple a ? b : c
 * before it selects one of them. If c is a conditional with a constant condition, as in a ? b : (1 ? d : e), clang
 * counts d even if only b is needed. The count of e is the count of c minus the count of d, and so it is below 0.
 * There is no code for e, so its count is 0. A constant condition has no branch region with two counts, but the
 * condition a has one. So this file treats a difference as that of a constant condition if the function has such
 * regions, and none of them contains the counter that is subtracted. Mappings of rustc have no branch regions.
 */
#include "covmap_counts.h"

#include <stdlib.h>
#include <string.h>

#define IMPOSSIBLE ((uint64_t)1 << 63)

#define TAG_BITS      2
#define TAG_MASK      3u
#define TAG_ZERO      0u
#define TAG_COUNTER   1u
#define TAG_SUBTRACT  2u
#define EXPANSION_BIT 4u /* with TAG_ZERO, this bit tells that the region is an expansion */
#define KIND_SHIFT    3

/* Kinds of regions with TAG_ZERO and without EXPANSION_BIT. */
#define KIND_BRANCH        4u /* two operands follow the kind */
#define KIND_MCDC_DECISION 5u /* two numbers follow the kind */
#define KIND_MCDC_BRANCH   6u /* two operands and three numbers follow the kind */

#define PLACE_NUMBERS 4

enum expression_state {
	STATE_UNKNOWN,
	STATE_OPEN, /* the expression is on the stack, and waits for its operands */
	STATE_KNOWN,
};

/* The ways in which a value is computed. */
enum {
	LLVM_COV, /* as llvm-cov computes it */
	CORRECTED, /* with 0 for code after a constant condition */
	WAYS
};

/*
 * An expression has two values: a sum and a difference. An operand that refers to the expression uses one of them, as
 * its tag says.
 */
struct expression {
	uint64_t operand[2];
	uint64_t sum[WAYS]; /* operand[0] + operand[1], modulo 2^64 */
	uint64_t difference[WAYS]; /* operand[0] - operand[1], modulo 2^64 */
	enum expression_state state;
};

struct reader {
	struct cursor cursor;
	const uint64_t *counters;
	size_t counter_count;
	struct expression *expressions;
	size_t expression_count;
	size_t *stack; /* indexes of expressions */
	bool *in_branch; /* for each counter: it is in a branch region with two counts */
	bool has_branches; /* there is a branch region with two counts */
	bool looks_for_branches; /* only in_branch is being filled in */
	bool failed;
	struct buffer *output; /* the changed regions are written to this buffer; NULL: the caller does not want them */
	const uint8_t *copied; /* the input before this byte is already in @output */
	enum covmap_counts worst;
};

static struct expression *expression_of(const struct reader *reader, uint64_t operand)
{
	uint64_t index = operand >> TAG_BITS;

	return (operand & TAG_MASK) > TAG_COUNTER && index < reader->expression_count ? &reader->expressions[index]
	                                                                              : NULL;
}

/* Returns the counter of @operand, or counter_count if @operand is not a counter of the function. */
static size_t counter_of(const struct reader *reader, uint64_t operand)
{
	uint64_t index = operand >> TAG_BITS;

	return (operand & TAG_MASK) == TAG_COUNTER && index < reader->counter_count ? (size_t)index
	                                                                            : reader->counter_count;
}

/* Returns the value of @operand, computed in this @way. If @operand is an expression, it must be computed already. */
static uint64_t value_of(struct reader *reader, uint64_t operand, unsigned int way)
{
	const struct expression *expression = expression_of(reader, operand);
	size_t counter = counter_of(reader, operand);

	if (expression)
		return (operand & TAG_MASK) == TAG_SUBTRACT ? expression->difference[way] : expression->sum[way];
	if (operand == TAG_ZERO)
		return 0;
	if (counter < reader->counter_count)
		return reader->counters[counter];
	reader->failed = true;
	return 0;
}

/* Computes the values of @expression, whose operands are computed already. */
static void compute_values(struct reader *reader, struct expression *expression)
{
	size_t subtracted = counter_of(reader, expression->operand[1]);
	bool constant = reader->has_branches && subtracted < reader->counter_count && !reader->in_branch[subtracted];
	unsigned int way;

	for (way = 0; way < WAYS; way++) {
		uint64_t left = value_of(reader, expression->operand[0], way);
		uint64_t right = value_of(reader, expression->operand[1], way);

		expression->sum[way] = left + right;
		expression->difference[way] = way == CORRECTED && constant && left < right ? 0 : left - right;
	}
	expression->state = STATE_KNOWN;
}

/*
 * Computes @first and all expressions on which @first depends. It uses no recursion, because there can be thousands of
 * these expressions.
 */
static void compute(struct reader *reader, struct expression *first)
{
	size_t depth = 0;

	if (first->state == STATE_KNOWN)
		return;
	reader->stack[depth++] = (size_t)(first - reader->expressions);
	while (depth && !reader->failed) {
		struct expression *top = &reader->expressions[reader->stack[depth - 1]];
		struct expression *needed = NULL;
		unsigned int i;

		for (i = 0; i < 2 && !needed; i++) {
			needed = expression_of(reader, top->operand[i]);
			if (needed && needed->state == STATE_KNOWN)
				needed = NULL;
		}
		top->state = STATE_OPEN;
		if (needed && needed->state == STATE_OPEN) {
			reader->failed = true;
		} else if (needed) {
			reader->stack[depth++] = (size_t)(needed - reader->expressions);
		} else {
			compute_values(reader, top);
			depth--;
		}
	}
}

/* Copies everything up to @end to the output. */
static void copy_to(struct reader *reader, const uint8_t *end)
{
	if (!reader->output)
		return;
	buffer_add(reader->output, reader->copied, (size_t)(end - reader->copied));
	reader->copied = end;
}

/* Replaces the number from @start to the cursor by @number in the output. */
static void replace(struct reader *reader, const uint8_t *start, uint64_t number)
{
	if (!reader->output)
		return;
	copy_to(reader, start);
	buffer_add_uleb(reader->output, number);
	reader->copied = reader->cursor.at;
}

/*
 * Checks whether llvm-cov would compute an impossible count for @operand. If so, replaces the operand in the output. In
 * the input, the operand has the bytes from @start to the cursor.
 */
static void judge(struct reader *reader, uint64_t operand, const uint8_t *start)
{
	struct expression *expression = expression_of(reader, operand);
	enum covmap_counts found = expression ? COUNTS_NEGATIVE : COUNTS_HUGE;
	uint64_t value;

	if (expression)
		compute(reader, expression);
	value = reader->failed ? 0 : value_of(reader, operand, LLVM_COV);
	if (reader->failed || value < IMPOSSIBLE)
		return;
	if (value_of(reader, operand, CORRECTED) < IMPOSSIBLE)
		found = COUNTS_CONSTANT;
	if (found > reader->worst)
		reader->worst = found;
	/*
	 * Replace the operand by the expression that read_expressions() added, whose value is 0. An operand with
	 * TAG_ZERO would be wrong, because llvm-cov leaves out a branch with such an operand.
	 */
	replace(reader, start, (uint64_t)reader->expression_count << TAG_BITS | TAG_SUBTRACT);
}

static void read_operand(struct reader *reader)
{
	const uint8_t *start = reader->cursor.at;
	uint64_t operand = take_uleb(&reader->cursor);

	if (!reader->cursor.failed)
		judge(reader, operand, start);
}

/* Notes the counters of a branch region. If its condition is constant, one operand or both are TAG_ZERO. */
static void note_branch(struct reader *reader)
{
	uint64_t operand[2] = {0};
	unsigned int i;

	for (i = 0; i < 2; i++)
		operand[i] = take_uleb(&reader->cursor);
	if (operand[0] == TAG_ZERO || operand[1] == TAG_ZERO)
		return;
	reader->has_branches = true;
	for (i = 0; i < 2; i++)
		if (counter_of(reader, operand[i]) < reader->counter_count)
			reader->in_branch[counter_of(reader, operand[i])] = true;
}

static void skip_numbers(struct reader *reader, unsigned int count)
{
	while (count--)
		take_uleb(&reader->cursor);
}

static void read_region(struct reader *reader)
{
	const uint8_t *start = reader->cursor.at;
	uint64_t what = take_uleb(&reader->cursor);
	uint64_t kind = what >> KIND_SHIFT;

	if (reader->cursor.failed)
		return;
	if ((what & TAG_MASK) != TAG_ZERO) {
		if (!reader->looks_for_branches)
			judge(reader, what, start);
	} else if (!(what & EXPANSION_BIT)) {
		if ((kind == KIND_BRANCH || kind == KIND_MCDC_BRANCH) && reader->looks_for_branches) {
			note_branch(reader);
		} else if (kind == KIND_BRANCH || kind == KIND_MCDC_BRANCH) {
			read_operand(reader);
			read_operand(reader);
		}
		skip_numbers(reader, kind == KIND_MCDC_DECISION ? 2 : kind == KIND_MCDC_BRANCH ? 3 : 0);
	}
	skip_numbers(reader, PLACE_NUMBERS);
}

static bool goes_on(const struct reader *reader)
{
	return !reader->cursor.failed && !reader->failed;
}

/*
 * Reads the expressions. Adds one more expression to the output, which subtracts counter 0 from itself, so that its
 * value is always 0. Returns false if the expressions are damaged.
 */
static bool read_expressions(struct reader *reader)
{
	const uint8_t *start = reader->cursor.at;
	uint64_t count = take_uleb(&reader->cursor);
	size_t i;

	/* Each expression takes at least two bytes, because each operand takes at least one byte. */
	if (reader->cursor.failed || count > (size_t)(reader->cursor.end - reader->cursor.at) / 2)
		return false;
	replace(reader, start, count + 1);
	reader->expression_count = (size_t)count;
	reader->expressions = allocate(reader->expression_count, sizeof(*reader->expressions));
	reader->stack = allocate(reader->expression_count, sizeof(*reader->stack));
	reader->in_branch = allocate(reader->counter_count, sizeof(*reader->in_branch));
	for (i = 0; i < reader->expression_count; i++) {
		reader->expressions[i].operand[0] = take_uleb(&reader->cursor);
		reader->expressions[i].operand[1] = take_uleb(&reader->cursor);
	}
	copy_to(reader, reader->cursor.at);
	if (reader->output)
		buffer_add(reader->output, (uint8_t[]){TAG_COUNTER, TAG_COUNTER}, 2);
	return !reader->cursor.failed;
}

/* Reads the regions of @files files. */
static void read_files(struct reader *reader, uint64_t files)
{
	uint64_t i;

	for (i = 0; i < files && goes_on(reader); i++) {
		uint64_t left = take_uleb(&reader->cursor);

		for (; left && goes_on(reader); left--)
			read_region(reader);
	}
}

static enum covmap_counts read_regions(
	struct bytes regions, const uint64_t *counters, size_t count, struct buffer *output)
{
	struct reader reader = {.cursor = cursor_of(regions),
		.counters = counters,
		.counter_count = count,
		.output = output,
		.copied = regions.data};
	uint64_t files = take_uleb(&reader.cursor);
	uint64_t i;

	for (i = 0; i < files && goes_on(&reader); i++)
		take_uleb(&reader.cursor);
	if (goes_on(&reader) && read_expressions(&reader)) {
		struct cursor first_region = reader.cursor;

		reader.looks_for_branches = true;
		read_files(&reader, files);
		reader.looks_for_branches = false;
		if (goes_on(&reader)) {
			reader.cursor = first_region;
			read_files(&reader, files);
		}
	}
	copy_to(&reader, regions.data + regions.size);
	free(reader.expressions);
	free(reader.stack);
	free(reader.in_branch);
	return goes_on(&reader) ? reader.worst : COUNTS_POSSIBLE;
}

enum covmap_counts covmap_judge(struct bytes regions, const uint64_t *counters, size_t count)
{
	return read_regions(regions, counters, count, NULL);
}

void covmap_zero(struct bytes regions, const uint64_t *counters, size_t count, struct buffer *output)
{
	if (covmap_judge(regions, counters, count) == COUNTS_POSSIBLE)
		buffer_add(output, regions.data, regions.size);
	else
		read_regions(regions, counters, count, output);
}
