/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.h - the file of `bareprof run --each`, which lists tests and, for each test, the
 * text to type into the console. plan.c describes the format of the file.
 */
#ifndef BAREPROF_HOST_PLAN_H
#define BAREPROF_HOST_PLAN_H

#include "bytes.h"
#include "error.h"

#include <regex.h>

struct pattern {
	char *text; /* NULL: not given */
	regex_t regex;
};

struct plan_test {
	char *name;
	struct buffer text; /* text to type */
};

/* Escapes in texts are decoded. Texts that are not given are empty. */
struct plan {
	struct pattern ready;
	struct pattern pass;
	struct pattern fail;
	struct buffer reset;
	struct buffer dump;
	struct buffer end;
	double timeout; /* seconds; 0: not given */
	struct plan_test *tests;
	size_t count;
	size_t room;
};

/*
 * plan_read - reads the file at @path into @plan. The caller frees @plan with plan_free(), also after an error. Errors:
 * SYSTEM, INVALID_INPUT.
 */
enum status plan_read(struct plan *plan, const char *path, struct error *error);
void plan_free(struct plan *plan);

#endif
