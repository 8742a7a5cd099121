/* SPDX-License-Identifier: BSD-2-Clause */
/* results.h - the results of the tests of a run. They contain each try of each test. */
#ifndef BAREPROF_HOST_RESULTS_H
#define BAREPROF_HOST_RESULTS_H

#include "bytes.h"
#include "transcript.h"

/* One try of a test. */
struct attempt {
	char *failure; /* the reason why the try failed; NULL: the try passed */
	const char *kind; /* the kind of failure, as one word */
	double seconds;
	struct buffer console; /* the last text that the guest wrote to its console */
	size_t left_out; /* number of bytes that came before @console and were dropped */
};

struct result {
	char *name;
	char *profile; /* path of the profile; NULL: none was written */
	/*
	 * the tries of the test, in order; only the last try can have passed, because a test that passed is not tried
	 * again; empty: the test was not run
	 */
	struct attempt *attempts;
	size_t count;
	size_t room;
};

enum outcome {
	OUTCOME_PASSED,
	OUTCOME_FLAKY, /* failed at first, passed in a later try */
	OUTCOME_FAILED,
	OUTCOME_NOT_RUN,
	OUTCOMES
};

/* The caller sets the texts and zeroes the other fields. End with results_free(). */
struct results {
	const char *suite;
	const char *board;
	const char *not_run; /* the reason why some tests were not run; NULL: all tests were run */
	struct result *list;
	size_t count;
};

/* results_start - allocates @count empty results. */
void results_start(struct results *results, size_t count);

/*
 * result_add - adds a try. @failure is NULL if the try passed. @result then owns @failure and the text of @transcript.
 * The text of @transcript is empty after the call.
 */
void result_add(struct result *result, char *failure, const char *kind, double seconds, struct transcript *transcript);

/* result_outcome - returns the outcome of the test, after all of its tries. */
enum outcome result_outcome(const struct result *result);

/* results_count - returns the number of tests with @outcome. */
size_t results_count(const struct results *results, enum outcome outcome);
void results_free(struct results *results);

#endif
