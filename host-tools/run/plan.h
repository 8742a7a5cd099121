/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.h - how to drive a console so that each test gets a profile of its own:
 * the file of `bareprof run --each`. plan.c says what is in such a file.
 */
#ifndef BAREPROF_HOST_PLAN_H
#define BAREPROF_HOST_PLAN_H

#include "bytes.h"
#include "error.h"

#include <regex.h>

struct pattern {
	char *text; /* NULL: there is none */
	regex_t regex;
};

struct plan_test {
	char *name;
	struct buffer text;
};

/* Texts are decoded; those that are not there are empty. */
struct plan {
	struct pattern ready;
	struct pattern pass;
	struct pattern fail;
	struct buffer reset;
	struct buffer dump;
	struct buffer end;
	double timeout; /* seconds; 0: not said */
	struct plan_test *tests;
	size_t count;
	size_t room;
};

/*
 * plan_read - read the file at @path. The caller frees @plan with plan_free(),
 * also after an error. Errors: SYSTEM, INVALID_INPUT.
 */
enum status plan_read(struct plan *plan, const char *path, struct error *error);
void plan_free(struct plan *plan);

#endif
