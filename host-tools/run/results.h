/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results.h - how the tests of a run went: each of their tries, and the sum.
 */
#ifndef BAREPROF_HOST_RESULTS_H
#define BAREPROF_HOST_RESULTS_H

#include "bytes.h"
#include "transcript.h"

/* One try of a test. */
struct attempt {
	char *failure; /* it failed; NULL: it did not */
	const char *kind; /* of failure, one word */
	double seconds;
	struct buffer console; /* the end of what the guest said */
	size_t left_out; /* bytes before that */
};

struct result {
	char *name;
	char *profile; /* path; NULL: none was written */
	struct attempt *attempts; /* only the last can have passed; none: it was not run */
	size_t count;
	size_t room;
};

enum outcome {
	OUTCOME_PASSED,
	OUTCOME_FLAKY, /* passed, but not at once */
	OUTCOME_FAILED,
	OUTCOME_NOT_RUN,
	OUTCOMES
};

/* Starts with the texts and zeros, ends with results_free(). */
struct results {
	const char *suite;
	const char *board;
	const char *not_run; /* why some were not; NULL: all were */
	struct result *list;
	size_t count;
};

/* results_start - make room for @count results. */
void results_start(struct results *results, size_t count);

/* result_add - note a try; it takes @failure (NULL: passed), and the text from @transcript. */
void result_add(struct result *result, char *failure, const char *kind, double seconds, struct transcript *transcript);

enum outcome result_outcome(const struct result *result);

/* results_count - how many there are of @outcome. */
size_t results_count(const struct results *results, enum outcome outcome);
void results_free(struct results *results);

#endif
