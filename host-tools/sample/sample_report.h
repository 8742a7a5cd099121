/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_report.h - assigns samples to functions, and names the functions. */
#ifndef BAREPROF_HOST_SAMPLE_REPORT_H
#define BAREPROF_HOST_SAMPLE_REPORT_H

#include "sample_lines.h"

#include <regex.h>

/* Samples of one address with one stack. A counter of a histogram may become several hits. */
struct sample_hit {
	uint64_t address; /* first, so that compare_numbers() finds it */
	uint64_t count;
	const struct sample_function *function; /* NULL: the address is in no function */
	const struct sample *sample; /* its return addresses */
	bool shared; /* the counter also stands for code of other functions, so the count is an estimate */
};

struct sample_tally {
	uint64_t samples; /* samples in the function itself */
	uint64_t shared; /* how many of them are an estimate */
	uint64_t total; /* samples in the function, or in functions that it called */
};

struct sample_report {
	const struct sample_program *program;
	const struct samples *samples;
	uint64_t total; /* number of all samples, also of those that @regex does not match */
	struct sample_hit *hits;
	size_t hit_count;
	size_t hit_room;
	struct sample_tally *tallies; /* an element for each function of the program */
	const char **names; /* the names of these functions in the source */
	bool *matches; /* whether --function selects them */
	uint64_t no_function; /* samples in code that belongs to no function */
	bool stacks; /* at least one sample has a return address */
	bool mangled; /* names stay mangled, because no program that demangles them is installed */
	struct arena arena;
};

/*
 * sample_report_make - fills in @report for the sorted @samples. If @regex is not NULL, hits are only those whose function
 * has a name that matches. The caller frees @report with sample_report_free(), before @program and @samples.
 */
void sample_report_make(struct sample_report *report, const struct sample_program *program,
	const struct samples *samples, const regex_t *regex);
void sample_report_free(struct sample_report *report);

/* sample_function_index - returns the index of @function in the functions of the program. */
size_t sample_function_index(const struct sample_report *report, const struct sample_function *function);

/* The address of a call, from its return address. It is in the function of the call, even if the call never returns. */
uint64_t sample_call_address(const struct sample_program *program, uint64_t return_address);

/* A range of shares that contains the true one with a probability of 95 %, in numbers from 0 to 1. */
struct sample_range {
	double low;
	double high;
};

/* sample_range_of - returns the Wilson score interval for @count of @total samples. */
struct sample_range sample_range_of(uint64_t count, uint64_t total);

#endif
