/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mcdc_vectors.c - reads the test vectors that ran from the bitmap, and finds the pairs of vectors that cover conditions.
 *
 * A file can claim that a decision has any number of conditions and that all vectors ran, and each vector with the result
 * true must be compared with each one with the result false. So the work is limited.
 */
#include "mcdc_vectors.h"
#include "mcdc_graph.h"

#include <stdlib.h>

/*
 * Limits of the work, in steps of about a nanosecond. A decision of 24 conditions takes at most 2^24 steps, if all its
 * 8,191 vectors ran. WORK_SMALL is for each decision, even if the work of all decisions together is above its limit.
 */
#define WORK_SMALL ((uint64_t)1 << 12)
#define WORK_ONE   ((uint64_t)1 << 26)
#define WORK_ALL   ((uint64_t)1 << 28)
/* The maximum size of the vectors of one decision, in words of 8 bytes. */
#define WORDS_MAX ((uint64_t)1 << 19)

#define WORD_BITS 64
#define NO_BIT    UINT32_MAX

/* A test vector that ran. */
struct found_vector {
	uint64_t key; /* sorts vectors as llvm-cov does */
	uint32_t rank;
};

struct evaluation {
	struct mcdc_request *request;
	const struct mcdc_decision *decision;
	struct mcdc_graph graph;
	uint32_t *positions; /* of the conditions in the order of llvm-cov, by their numbers */
	struct found_vector *found;
	uint32_t vector_count;
	/*
	 * A vector consists of two bit sets of @words words, with a bit for each condition: whether the condition was
	 * evaluated, and whether it was true.
	 */
	uint64_t *vectors;
	size_t words;
	uint64_t work;
	struct mcdc_condition *conditions;
	struct mcdc_result result;
};

/* Adds to the work. Returns false if the work is above a limit. */
static bool spend(struct evaluation *evaluation, uint64_t steps)
{
	evaluation->work = add_saturating(evaluation->work, steps);
	return evaluation->work <= WORK_SMALL ||
	       (evaluation->work <= WORK_ONE &&
		       add_saturating(evaluation->request->work, evaluation->work) <= WORK_ALL);
}

static size_t word_count(uint32_t conditions)
{
	return (conditions + WORD_BITS - 1) / WORD_BITS;
}

/* Returns the first bit from @bit on that is set, or @end. Bits up to @end exist. */
static uint64_t next_bit(const uint8_t *bitmap, uint64_t bit, uint64_t end)
{
	while (bit < end) {
		if (bitmap[bit / 8] >> bit % 8 & 1)
			return bit;
		if (bitmap[bit / 8] >> bit % 8)
			bit++;
		else if (bit % 8 || end - bit < WORD_BITS || load_uint(bitmap + bit / 8, 8, false))
			bit += 8 - bit % 8;
		else
			bit += WORD_BITS;
	}
	return end;
}

/* Finds the vectors that ran. Returns false if this is too much work, or the bitmap is too small. */
static bool find_vectors(struct evaluation *evaluation)
{
	const uint8_t *bitmap = evaluation->request->bitmap.data;
	uint64_t bits = (uint64_t)evaluation->request->bitmap.size * 8;
	uint64_t end = evaluation->decision->region->bitmap_end;
	uint64_t start = end - evaluation->graph.vectors;
	uint64_t count = 0;
	uint64_t bit;
	bool by_bit = evaluation->request->rules->vectors_by_bit;

	if (!bits)
		return true;
	if (evaluation->graph.vectors > end || end > bits || !spend(evaluation, (end - start) / WORD_BITS))
		return false;
	for (bit = next_bit(bitmap, start, end); bit < end; bit = next_bit(bitmap, bit + 1, end))
		count++;
	if (count * 2 * evaluation->words > WORDS_MAX || !spend(evaluation, count * evaluation->graph.count))
		return false;
	evaluation->found = allocate(count + 1, sizeof(*evaluation->found));
	for (bit = next_bit(bitmap, start, end); bit < end; bit = next_bit(bitmap, bit + 1, end)) {
		struct found_vector *found = &evaluation->found[evaluation->vector_count++];
		bool result;

		found->rank = mcdc_graph_rank(&evaluation->graph, (uint32_t)(bit - start), &result);
		found->key = by_bit ? bit - start : found->rank;
		found->key |= (uint64_t)result << 32;
		evaluation->result.true_vectors += result;
	}
	evaluation->result.false_vectors = evaluation->vector_count - evaluation->result.true_vectors;
	qsort(evaluation->found, evaluation->vector_count, sizeof(*evaluation->found), compare_numbers);
	return true;
}

/* Makes the bit sets of the vectors from their ranks. */
static void fill_vectors(struct evaluation *evaluation)
{
	uint64_t *vector;
	uint32_t i;

	evaluation->vectors = allocate((size_t)evaluation->vector_count * 2 * evaluation->words + 1, sizeof(uint64_t));
	vector = evaluation->vectors;
	for (i = 0; i < evaluation->vector_count; i++, vector += 2 * evaluation->words) {
		uint32_t rank = evaluation->found[i].rank;
		int node = 0;

		while (node >= 0) {
			uint32_t position = evaluation->positions[node];
			uint64_t bit = (uint64_t)1 << position % WORD_BITS;
			bool value = mcdc_graph_step(&evaluation->graph, (uint32_t)node, &rank);

			vector[position / WORD_BITS] |= bit;
			if (value)
				vector[evaluation->words + position / WORD_BITS] |= bit;
			node = evaluation->graph.nodes[node].next[value];
		}
	}
}

/*
 * Returns the only condition that both vectors evaluated and in which they differ, or NO_BIT if there is not exactly one
 * such condition.
 */
static uint32_t only_difference(const uint64_t *a, const uint64_t *b, size_t words)
{
	uint32_t found = NO_BIT;
	size_t i;

	for (i = 0; i < words; i++) {
		uint64_t differences = (a[words + i] ^ b[words + i]) & a[i] & b[i];

		if (!differences)
			continue;
		if (found != NO_BIT || differences & (differences - 1))
			return NO_BIT;
		found = (uint32_t)i * WORD_BITS + (uint32_t)__builtin_ctzll(differences);
	}
	return found;
}

/* Returns the number of conditions that were true in one vector and false in another. No other can be covered. */
static uint32_t count_seen_both(const struct evaluation *evaluation)
{
	uint32_t count = 0;
	size_t word;

	for (word = 0; word < evaluation->words; word++) {
		const uint64_t *vector = evaluation->vectors;
		uint64_t seen_false = 0;
		uint64_t seen_true = 0;
		uint32_t i;

		for (i = 0; i < evaluation->vector_count; i++, vector += 2 * evaluation->words) {
			seen_false |= vector[word] & ~vector[evaluation->words + word];
			seen_true |= vector[evaluation->words + word];
		}
		count += (uint32_t)__builtin_popcountll(seen_false & seen_true);
	}
	return count;
}

/*
 * Finds the first pair of each condition. llvm-cov goes through the vectors whose result is true, and compares each with
 * all vectors whose result is false. Returns false if this is too much work.
 */
static bool find_pairs(struct evaluation *evaluation)
{
	uint32_t missing = count_seen_both(evaluation);
	size_t size = 2 * evaluation->words;
	uint32_t i;
	uint32_t k;

	for (i = evaluation->result.false_vectors; i < evaluation->vector_count && missing; i++) {
		if (!spend(evaluation, (uint64_t)evaluation->result.false_vectors * evaluation->words))
			return false;
		for (k = 0; k < evaluation->result.false_vectors; k++) {
			uint32_t position = only_difference(
				evaluation->vectors + i * size, evaluation->vectors + k * size, evaluation->words);

			if (position == NO_BIT || evaluation->conditions[position].pair[0])
				continue;
			evaluation->conditions[position].pair[0] = k + 1;
			evaluation->conditions[position].pair[1] = i + 1;
			evaluation->result.covered++;
			missing--;
		}
	}
	return true;
}

/* Returns whether the vectors could be evaluated. */
static bool evaluate(struct evaluation *evaluation, struct arena *scratch)
{
	const struct mcdc_decision *decision = evaluation->decision;
	uint32_t count = decision->region->condition_count;
	uint32_t i;

	evaluation->words = word_count(count);
	if (!mcdc_graph_build(&evaluation->graph, decision->conditions, count, scratch) || !find_vectors(evaluation))
		return false;
	evaluation->positions = arena_take(scratch, count * sizeof(*evaluation->positions));
	for (i = 0; i < count; i++)
		evaluation->positions[decision->order[i]] = i;
	fill_vectors(evaluation);
	return find_pairs(evaluation);
}

static void add_conditions(struct evaluation *evaluation, struct arena *arena)
{
	const struct mcdc_decision *decision = evaluation->decision;
	uint32_t count = decision->region->condition_count;
	uint32_t i;

	evaluation->conditions = arena_take(arena, count * sizeof(*evaluation->conditions));
	for (i = 0; i < count; i++) {
		const struct region *region = decision->conditions[decision->order[i]];
		bool folded = evaluation->request->rules->folds_each_side ? region->folded[0] || region->folded[1]
		                                                          : region->folded[0] && region->folded[1];

		evaluation->conditions[i] =
			(struct mcdc_condition){region->file, region->line, region->column, {0, 0}, folded};
		evaluation->result.total += !folded;
	}
	evaluation->result.condition_count = count;
	evaluation->result.conditions = evaluation->conditions;
}

/* Removes everything about vectors from the result. */
static void forget_vectors(struct evaluation *evaluation)
{
	uint32_t i;

	for (i = 0; i < evaluation->result.condition_count; i++)
		evaluation->conditions[i].pair[0] = evaluation->conditions[i].pair[1] = 0;
	evaluation->result.covered = 0;
	evaluation->result.false_vectors = 0;
	evaluation->result.true_vectors = 0;
	evaluation->result.unknown = true;
	evaluation->vector_count = 0;
}

void mcdc_evaluate(struct mcdc_request *request, const struct mcdc_decision *decision, struct arena *scratch)
{
	struct evaluation evaluation = {.request = request, .decision = decision};
	struct arena *arena = request->arena ? request->arena : scratch;

	add_conditions(&evaluation, arena);
	if (!evaluate(&evaluation, scratch))
		forget_vectors(&evaluation);
	if (evaluation.work > WORK_SMALL)
		request->work = add_saturating(request->work, evaluation.work);
	if (request->vectors && evaluation.vector_count) {
		size_t size = (size_t)evaluation.vector_count * 2 * evaluation.words * sizeof(uint64_t);
		uint64_t *vectors = request->arena ? arena_take(arena, size) : NULL;

		if (vectors)
			memcpy(vectors, evaluation.vectors, size);
		evaluation.result.vectors = vectors ? vectors : evaluation.vectors;
	}
	request->found(request->context, decision->region, &evaluation.result);
	free(evaluation.found);
	free(evaluation.vectors);
}

enum mcdc_state mcdc_state(const struct mcdc_result *result, uint32_t vector, uint32_t condition)
{
	size_t words = word_count(result->condition_count);
	const uint64_t *bits = result->vectors + (size_t)vector * 2 * words + condition / WORD_BITS;

	if (!(bits[0] >> condition % WORD_BITS & 1))
		return MCDC_NOT_EVALUATED;
	return bits[words] >> condition % WORD_BITS & 1 ? MCDC_TRUE : MCDC_FALSE;
}
