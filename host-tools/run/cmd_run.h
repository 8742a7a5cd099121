/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_run.h - declarations for the two modes of `bareprof run`. Without --each, it writes one profile for the whole
 * run. With --each, it writes one profile for each test.
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
	char *name; /* file name of @elf without folder and .elf */
	struct board board;
	struct programs programs; /* ELF files; their records and names complete the captures of counters */
	char *const *more; /* more arguments for QEMU, ended by NULL */
	/* argument of --output; if it is not given, the default file name, or NULL with --each */
	const char *out;
	bool named; /* --output was given */
	char *other_machine; /* machine of @elf, if @board is for other machines; otherwise NULL */
	struct plan plan; /* the contents of the file of --each */
	FILE *log; /* may be NULL */
	const char *send; /* text to type, with escapes; NULL: standard input is typed; not used with --each */
	const char *until; /* stop the guest after a console line with this text; NULL: not given */
	bool until_dump; /* stop the guest after its first complete dump */
	bool from_outside; /* read the profile from memory at the end, even if the guest sent a dump */
	bool no_outside; /* never read memory */
	double timeout; /* seconds; 0: not given */
	unsigned int retries; /* maximum number of further tries after a failure */
	struct results results;
};

/* The default timeout, in seconds. */
#define RUN_TIMEOUT 60

/* run_once - makes one run, and further tries if it fails. Returns the exit code of the program. */
enum status run_once(struct run *run);

/* run_each - runs every test of run->plan. Returns the exit code of the program. */
enum status run_each(struct run *run);

#endif
