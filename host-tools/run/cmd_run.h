/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_run.h - what `bareprof run` does in both of its ways: one dump, and with
 * --each one for each test.
 */
#ifndef BAREPROF_HOST_CMD_RUN_H
#define BAREPROF_HOST_CMD_RUN_H

#include "boards.h"
#include "elf_files.h"
#include "plan.h"
#include "results.h"

#include <stdio.h>

struct run {
	const char *elf;
	char *name; /* its name without folder and .elf */
	struct board board;
	struct programs programs; /* for captures of counters */
	char *const *more; /* words for QEMU, NULL at their end */
	const char *out; /* NULL: not named */
	struct plan plan; /* of --each */
	FILE *log; /* may be NULL */
	double timeout; /* seconds; 0: not said */
	unsigned int retries;
	struct results results;
};

/* Used where no other is said: seconds. */
#define RUN_TIMEOUT 60

/* run_each - run every test of run->plan; returns what the program is to exit with. */
enum status run_each(struct run *run);

#endif
