/* SPDX-License-Identifier: BSD-2-Clause */
/* results.c - stores the tries of tests and counts the outcomes. */
#include "results.h"

#include <stdlib.h>

void results_start(struct results *results, size_t count)
{
	results->list = allocate(count, sizeof(*results->list));
	results->count = count;
}

void result_add(struct result *result, char *failure, const char *kind, double seconds, struct transcript *transcript)
{
	result->attempts = array_grow(result->attempts, result->count, &result->room, sizeof(*result->attempts));
	result->attempts[result->count++] = (struct attempt){
		.failure = failure,
		.kind = kind,
		.seconds = seconds,
		.console = transcript->text,
		.left_out = transcript->left_out,
	};
	transcript->text = (struct buffer){0};
	transcript_clear(transcript);
}

enum outcome result_outcome(const struct result *result)
{
	if (!result->count)
		return OUTCOME_NOT_RUN;
	if (result->attempts[result->count - 1].failure)
		return OUTCOME_FAILED;
	return result->count > 1 ? OUTCOME_FLAKY : OUTCOME_PASSED;
}

size_t results_count(const struct results *results, enum outcome outcome)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < results->count; i++)
		count += result_outcome(&results->list[i]) == outcome;
	return count;
}

void results_free(struct results *results)
{
	size_t i;
	size_t k;

	for (i = 0; i < results->count; i++) {
		for (k = 0; k < results->list[i].count; k++) {
			free(results->list[i].attempts[k].failure);
			buffer_free(&results->list[i].attempts[k].console);
		}
		free(results->list[i].attempts);
		free(results->list[i].name);
		free(results->list[i].profile);
	}
	free(results->list);
}
