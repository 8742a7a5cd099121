/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_run.c - `bareprof run`: boot a program in QEMU, get its profile out, and
 * end as the guest did.
 */
#include "boards.h"
#include "child.h"
#include "commands.h"
#include "dump.h"
#include "elf.h"
#include "input.h"
#include "output.h"
#include "qemu.h"
#include "values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_DEFAULT "60"

static const char *board_name;
static const char *out_path;
static const char *log_path;
static const char *send_text;
static const char *timeout_text = TIMEOUT_DEFAULT;
static char **qemu_words;

static const struct option options[] = {
	{"board", 'b', "BOARD", "the board to boot (default: by the machine of ELF)", NULL, &board_name},
	{"timeout", 't', "SECONDS", "stop a guest that takes longer (default: " TIMEOUT_DEFAULT ")", NULL,
		&timeout_text},
	{"send", 0, "TEXT", "type TEXT into the console, in place of standard input", NULL, &send_text},
	{"output", 'o', "OUT", "the .profraw to write (default: ELF's name, in this folder)", NULL, &out_path},
	{"log", 0, "LOG", "write all that the console said to LOG, dump included", NULL, &log_path},
	{NULL, 0, NULL, NULL, NULL, NULL},
};

struct run {
	const char *elf_path;
	const char *machine;
	struct board board;
	struct guest guest;
	struct dump dump;
	char *out;
	bool written; /* the profile is there */
};

/* The program's name with .profraw, in the current folder. */
static char *default_name(const char *elf)
{
	const char *slash = strrchr(elf, '/');
	const char *base = slash ? slash + 1 : elf;
	size_t n = strlen(base);

	if (n > 4 && !strcmp(base + n - 4, ".elf"))
		n -= 4;
	return format("%.*s.profraw", (int)n, base);
}

/* Blocks that came by the side channel. It has no log text. */
static void add_side_channel(struct run *run)
{
	struct input input;
	struct error unused;

	if (input_read(&input, run->guest.dump, &unused) != STATUS_OK)
		return;
	run->dump.scan.text = NULL;
	scan_bytes(&run->dump.scan, input.bytes);
	input_free(&input);
}

static enum status make_side_channel(char **folder, char **path, struct error *error)
{
	enum status status = temporary_folder(folder, error);

	if (status != STATUS_OK)
		return status;
	*path = format("%s/dump", *folder);
	return output_write(*path, (struct bytes){NULL, 0}, error);
}

static enum status open_log(FILE **log, struct error *error)
{
	*log = log_path ? fopen(log_path, "we") : NULL;
	if (log_path && !*log)
		return error_set(error, STATUS_SYSTEM, "the log %s cannot be opened: %s", log_path, strerror(errno));
	return STATUS_OK;
}

/* Boot it and gather all blocks. */
static enum status boot(struct run *run, struct error *error)
{
	struct buffer typed = value_text(send_text ? send_text : "");
	struct bytes send = {typed.data, typed.size};
	struct console console = {.scan = &run->dump.scan, .show = stdout};
	char *folder = NULL;
	char *path = NULL;
	enum status status = open_log(&console.log, error);

	dump_start(&run->dump, console_text, &console);
	if (status == STATUS_OK)
		status = make_side_channel(&folder, &path, error);
	run->guest.dump = path;
	run->guest.send = send_text ? &send : NULL;
	if (status == STATUS_OK)
		status = qemu_run(&run->guest, &console, error);
	console_end(&console);
	if (status == STATUS_OK)
		add_side_channel(run);
	if (console.log && fclose(console.log) && status == STATUS_OK)
		status = error_set(error, STATUS_SYSTEM, "the log %s cannot be written: %s", log_path, strerror(errno));
	temporary_remove(folder);
	free(folder);
	free(path);
	buffer_free(&typed);
	return status;
}

/* Write the profile if a whole one came; else @error says what is wrong. */
static enum status save(struct run *run, struct error *error)
{
	struct bytes *stream = &(struct bytes){NULL, 0};
	struct buffer text = {0};
	struct error why;
	enum status status;

	status = dump_finish(&run->dump, NULL, &why);
	if (status != STATUS_OK && !run->dump.capture.session_count && !run->dump.scan.damaged_lines)
		return error_set(error, status,
			"sent no dump; does it call bareprof, and is the board's console or side channel its sink?");
	if (status != STATUS_OK)
		return error_set(error, status, "sent no usable dump: %.3800s", why.text);
	*stream = (struct bytes){run->dump.stream.data, run->dump.stream.size};
	status = output_write(run->out, *stream, &why);
	if (status != STATUS_OK)
		return error_set(error, status, "sent a dump, but %.1000s %.1000s", run->out, why.text);
	run->written = true;
	dump_describe(&run->dump, &text);
	complain(run->out, "%s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_OK;
}

/* How the guest ended, in words if not well, and what we exit with for it. */
static enum status judge_end(const struct run *run)
{
	const char *saved = run->written ? "; its profile had already arrived and is written" : "";

	switch (run->guest.end) {
	case GUEST_TIMEOUT:
		complain(run->elf_path, "did not end within %s seconds and was stopped%s", timeout_text, saved);
		return STATUS_TIMEOUT;
	case GUEST_VANISHED:
		complain(run->elf_path, "was reset or switched off without a status, perhaps by a fault%s", saved);
		return STATUS_GUEST;
	case GUEST_NOT_STARTED:
		complain(run->elf_path, "could not be run: QEMU failed, see above%s", saved);
		return STATUS_SYSTEM;
	case GUEST_INTERRUPTED:
		complain(run->elf_path, "was stopped by a signal%s", saved);
		return STATUS_SYSTEM;
	default:
		if (run->guest.status)
			complain(run->elf_path, "ended with status %d%s", run->guest.status, saved);
		return (enum status)run->guest.status;
	}
}

static enum status run_guest(struct run *run)
{
	struct error error;
	enum status status = boot(run, &error);
	enum status saved;

	if (status != STATUS_OK) {
		error_print(run->elf_path, &error);
		return status;
	}
	saved = save(run, &error);
	/* Of a guest that never started there is no dump to be missed. */
	if (saved != STATUS_OK && run->guest.end != GUEST_NOT_STARTED)
		error_print(run->elf_path, &error);
	status = judge_end(run);
	return status != STATUS_OK ? status : saved;
}

static enum status run(char **operands)
{
	struct run run = {.elf_path = operands[0]};
	struct elf_info elf;
	struct error error;
	enum status status;

	if (!value_seconds(timeout_text, &run.guest.timeout))
		return STATUS_USAGE;
	status = elf_read(&elf, operands[0], &error);
	if (status != STATUS_OK) {
		error_print(operands[0], &error);
		return status;
	}
	status = board_find(&run.board, board_name, elf.machine, &error);
	elf_free(&elf);
	if (status == STATUS_OK) {
		catch_signals();
		run.out = out_path ? format("%s", out_path) : default_name(operands[0]);
		run.guest.board = &run.board;
		run.guest.elf = operands[0];
		run.guest.more = qemu_words;
		status = run_guest(&run);
		free(run.out);
		dump_free(&run.dump);
	} else {
		error_print(NULL, &error);
	}
	board_free(&run.board);
	die_of_signal();
	return status;
}

const struct command command_run = {
	.name = "run",
	.summary = "boot a program in QEMU and get its profile",
	.operands = "ELF",
	.operands_least = 1,
	.operands_most = 1,
	.passed_name = "QEMU ARGS",
	.passed = &qemu_words,
	.help = "The console goes to standard output without the lines of the dump; standard\n"
		"input, or TEXT (with \\n, \\r, \\t, \\\\ and \\xHH), goes to the console. The profile\n"
		"is written when all of it came, however the guest ends. The exit code is the\n"
		"guest's status if that is not 0; see 'bareprof help' for the others. QEMU ARGS\n"
		"are put behind those of the board.\n\n"
		"Boards are folders with a board.conf, in $BAREPROF_BOARDS, in ../qemu or in\n"
		"../share/bareprof/boards from where this program is.\n",
	.options = options,
	.run = run,
};
