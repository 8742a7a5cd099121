/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_run.c - `bareprof run`: boots a program in QEMU, writes its profile, and exits with the status of the guest. This
 * file reads the options. cmd_run_once.c makes one run, or with --each, cmd_run_each.c runs each test.
 */
#include "cmd_run.h"
#include "arguments.h"
#include "clock.h"
#include "commands.h"
#include "elf_files.h"
#include "elf_info.h"
#include "exit.h"
#include "input.h"
#include "junit.h"
#include "output.h"
#include "test_driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RETRIES_MAX 100

static const char *board_name;
static const char *out_path;
static const char *log_path;
static const char *elf_path;
static const char *elf_folder;
static const char *send_text;
static const char *until_text;
static bool until_dump;
static bool from_outside;
static bool no_outside;
static double timeout;
static const char *each_path;
static uint64_t retries;
static const char *junit_path;
static char **qemu_words;

static const struct option options[] = {
	{OPT_TEXT("board", 'b', "BOARD", &board_name, "boot this board (default: the one for the machine of ELF)")},
	{OPT_SECONDS("timeout", 't', "SECONDS", &timeout, "stop a guest or a test after SECONDS (default: 60)")},
	{OPT_TEXT("send", 0, "TEXT", &send_text, "type TEXT into the console instead of standard input")},
	{OPT_FLAG("until-dump", 0, &until_dump, "stop the guest when a dump is complete, and write that dump")},
	{OPT_TEXT("until", 'u', "TEXT", &until_text, "stop the guest when a line of the console contains TEXT")},
	{OPT_FLAG("from-outside", 0, &from_outside, "read the profile from the memory of the guest, not from a dump")},
	{OPT_FLAG("no-outside", 0, &no_outside,
		"do not read the memory of a guest that hangs, and add no options to QEMU")},
	{OPT_FILE("each", 0, "FILE", &each_path, "run the tests that FILE describes, and write a profile for each")},
	{OPT_NUMBER(
		"retries", 0, "N", &retries, 0, RETRIES_MAX, "repeat a failed run or test up to N times (default: 0)")},
	{OPT_OUTPUT(
		"output", 'o', "OUT", &out_path, "write the .profraw to OUT (default: name of ELF, in this folder)")},
	{OPT_FILE("elf", 0, "FILE", &elf_path, "read the records from FILE, if ELF was stripped")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "search DIR and its subfolders for FILE, by build id")},
	{OPT_OUTPUT("log", 0, "LOG", &log_path, "write the whole console, with the dump, to LOG")},
	{OPT_OUTPUT("junit", 0, "XML", &junit_path, "write a JUnit report to XML")},
	{OPT_END},
};

/* Returns the file name of @elf without folder and .elf. The caller frees the name. */
static char *bare_name(const char *elf)
{
	const char *slash = strrchr(elf, '/');
	const char *base = slash ? slash + 1 : elf;
	size_t n = strlen(base);

	if (n > 4 && !strcmp(base + n - 4, ".elf"))
		n -= 4;
	return format("%.*s", (int)n, base);
}

/* Checks that the profile can be written. Otherwise the guest would run in vain, perhaps for an hour. */
static enum status check_out(const char *out)
{
	struct error error;
	enum status status = output_possible(out, &error);

	if (status != STATUS_OK)
		error_print(out, &error);
	return status;
}

static enum status open_log(struct run *run)
{
	run->log = log_path ? fopen(log_path, "we") : NULL;
	if (!log_path || run->log)
		return STATUS_OK;
	complain(log_path, "the log cannot be opened: %s", strerror(errno));
	return STATUS_SYSTEM;
}

static enum status close_log(struct run *run, enum status status)
{
	bool failed = run->log && (fflush(run->log) || ferror(run->log));

	if (!run->log || (!fclose(run->log) && !failed))
		return status;
	/* The error may come from any earlier write, so errno may not contain its reason. */
	complain(log_path, "the log could not be written completely; check that there is room for it");
	return status == STATUS_OK ? STATUS_SYSTEM : status;
}

static enum status write_junit(const struct run *run, enum status status)
{
	struct error error;

	if (!junit_path || !run->results.count || junit_write(junit_path, &run->results, &error) == STATUS_OK)
		return status;
	error_print(junit_path, &error);
	return status == STATUS_OK ? STATUS_SYSTEM : status;
}

static enum status check_options(void)
{
	struct error error;

	if (option_check_typed("send", send_text) != STATUS_OK)
		return STATUS_USAGE;
	if (send_text && each_path) {
		complain(NULL, "--each and --send cannot be combined: with --each, FILE has the text to type");
		return STATUS_USAGE;
	}
	if (each_path && (until_dump || until_text)) {
		complain(NULL, "--each and --%s cannot be combined: with --each, FILE tells when a test ends",
			until_dump ? "until-dump" : "until");
		return STATUS_USAGE;
	}
	if (from_outside && (until_dump || no_outside || each_path)) {
		complain(NULL, "--from-outside and --%s cannot be combined",
			until_dump   ? "until-dump"
			: no_outside ? "no-outside"
				     : "each");
		return STATUS_USAGE;
	}
	if (until_dump && until_text) {
		complain(NULL,
			"--until-dump and --until cannot be combined: use --until alone, with text that the guest "
			"prints after its dump");
		return STATUS_USAGE;
	}
	if (junit_path && output_possible(junit_path, &error) != STATUS_OK) {
		error_print(junit_path, &error);
		return STATUS_SYSTEM;
	}
	return STATUS_OK;
}

static enum status find_board(struct run *run)
{
	struct elf_info elf;
	struct error error;
	enum status status = elf_read(&elf, run->elf, &error);

	if (status != STATUS_OK) {
		error_print(run->elf, &error);
		return status;
	}
	status = board_find(&run->board, board_name, &elf, &error);
	if (status == STATUS_OK && !board_fits(&run->board, &elf))
		run->other_machine = format("%s", elf.machine);
	elf_free(&elf);
	if (status != STATUS_OK)
		error_print(NULL, &error);
	return status;
}

static enum status read_plan(struct run *run)
{
	struct error error;
	enum status status = each_path ? plan_read(&run->plan, each_path, &error) : STATUS_OK;

	if (status != STATUS_OK)
		error_print(input_name(each_path), &error);
	return status;
}

static enum status run(char **operands)
{
	const char *const programs[] = {elf_path ? elf_path : operands[0], NULL};
	struct run run = {
		.elf = operands[0],
		.more = qemu_words,
		.send = send_text,
		.until = until_text,
		.until_dump = until_dump,
		.from_outside = from_outside,
		.no_outside = no_outside,
		.timeout = timeout,
		.retries = (unsigned int)retries,
	};
	enum status status = check_options();
	char *out;

	programs_start(&run.programs);
	run.name = bare_name(run.elf);
	out = each_path || out_path ? NULL : format("%s.profraw", run.name);
	run.out = out ? out : out_path;
	run.named = out_path;

	if (status == STATUS_OK)
		status = find_board(&run);
	if (status == STATUS_OK)
		status = elf_files_open(&run.programs, programs, elf_folder);
	if (status == STATUS_OK)
		status = read_plan(&run);
	if (status == STATUS_OK && !each_path)
		status = check_out(run.out);
	if (status == STATUS_OK)
		status = open_log(&run);
	if (status == STATUS_OK) {
		catch_signals();
		run.results = (struct results){.suite = run.name, .board = run.board.name};
		status = each_path ? run_each(&run) : run_once(&run);
		status = close_log(&run, status);
		status = write_junit(&run, status);
		results_free(&run.results);
	}
	free(run.name);
	free(run.other_machine);
	free(out);
	programs_free(&run.programs);
	plan_free(&run.plan);
	board_free(&run.board);
	die_of_signal();
	return status;
}

const struct command command_run = {
	.name = "run",
	.summary = "boot a program in QEMU and write its profile",
	.operands = "ELF",
	.operands_min = 1,
	.operands_max = 1,
	.passed_name = "QEMU ARGS",
	.passed = &qemu_words,
	.help = "Boot ELF, copy its console to standard output without the lines of the dump, and\n"
		"type standard input, or TEXT, into it. TEXT may contain \\n, \\r, \\t, \\\\ and \\xHH.\n"
		"Write the profile if the dump is complete, however the guest ends. The exit code is\n"
		"the guest's status if that is not 0; 'bareprof help' lists the other codes. QEMU ARGS\n"
		"are appended to the board's command.\n\n"
		"A program that never exits is stopped at --timeout, and the exit code is 5. With\n"
		"--until-dump, it is stopped when its first complete dump has arrived. That dump\n"
		"goes to OUT, and the exit code is 0. If a dump has losses, and no more blocks\n"
		"arrive for 3 seconds after its end, run reports the losses and ends with 1. With\n"
		"--until, the program is stopped after a line with TEXT, and the dump that started\n"
		"last goes to OUT. To get every dump of a run, pass the file of --log to\n"
		"'bareprof pull --all'.\n\n"
		"If a guest hangs, is reset or switches itself off before its dump is complete, run\n"
		"reads the profile from its memory through QEMU's monitor, and says so. The exit code\n"
		"is that of the failure. With --from-outside, the guest needs no runtime: run always\n"
		"reads its memory when it ends, when --until comes or at --timeout, and then the exit\n"
		"code is 0. Memory is gone if QEMU ends at once, as with semihosting.\n\n"
		"With --each, run the tests one after the other in one guest, and write NAME.profraw\n"
		"for each test to the folder OUT (default: name of ELF with .tests). If a guest crashes,\n"
		"hangs or sends a damaged dump, only the current test fails, and a new guest is booted\n"
		"for the next one. Profiles of these tests from an earlier run are removed first. The\n"
		"exit code is 4 if a test failed, and 5 if the guest was not ready for a test in\n"
		"time. FILE has these lines:\n\n"
		"  ready = REGEX      matches the console's last line when it waits for input\n"
		"  reset = TEXT       typed before each test, to set the counters to 0\n"
		"  test NAME = TEXT   typed to run the test NAME\n"
		"  dump = TEXT        typed after each test\n"
		"  end = TEXT         typed after the last test\n"
		"  pass = REGEX       a test passes only if a line matches\n"
		"  fail = REGEX       a test fails if a line matches\n"
		"  timeout = SECONDS  for each test; --timeout takes precedence\n\n"
		"reset, dump and at least one test are required. Without ready, the reset, the test and\n"
		"the dump are typed at once. REGEX is an extended regular expression as in grep -E.\n"
		"Lines that start with # are comments. qemu/demo.each in the source tree is an\n"
		"example.\n\n"
		"With --retries, repeat a failed run or test in a new guest. Each try is reported. A\n"
		"test that passes only in a later try is flaky, which does not count as a failure.\n\n"
		"Boards are folders with a file board.conf. They are searched for in\n"
		"$BAREPROF_BOARDS, and in ../qemu and ../share/bareprof/boards relative to the\n"
		"folder of the program.\n",
	.options = options,
	.run = run,
};
