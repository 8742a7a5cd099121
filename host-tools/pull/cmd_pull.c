/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_pull.c - `bareprof pull`: whether from a file, a target that is talking or an image
 * on this machine, and which options go with which.
 */
#include "commands.h"
#include "elf_files.h"
#include "exit.h"
#include "output.h"
#include "pull_file.h"
#include "pull_live.h"
#include "pull_running.h"
#include "source.h"

#include <limits.h>

static const char *out_path;
static const char *log_path;
static const char *all_path;
static const char *dump_tag;
static const char *send_text;
static const char *until_text;
static const char *then_text;
static double timeout;
static const char *from_text;
static bool capture;
static bool only_list;
static const char *elf_paths[OPTION_TIMES + 1];
static const char *elf_folder;
static const char *left_out_path;
static bool partial;

static const struct option options[] = {
	{OPT_FILE("output", 'o', "OUT", &out_path, "the .profraw to write (default: FILE with .profraw at its end)")},
	{OPT_TEXT("dump", 'd', "TAG", &dump_tag, "take this dump, not the last one; of several images TAG.IMAGE"),
		.old_name = "session", .old_letter = 's'},
	{OPT_FILE("all", 'a', "DIR", &all_path, "write each dump as DIR/TAG.profraw")},
	{OPT_FLAG("list", 'l', &only_list, "list the dumps that are in FILE, write nothing")},
	{OPT_LIST("elf", 0, "ELF", elf_paths, "the program, for captures of counters; repeatable")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "look for the program in DIR and all below, by its build id")},
	{OPT_FLAG("partial", 0, &partial, "of an incomplete capture of counters take the functions that came whole")},
	{OPT_FILE("left-out", 0, "FILE", &left_out_path,
		"write the names of functions that --partial leaves out to FILE")},
	{OPT_TEXT("from", 0, "WAY", &from_text, "from what runs on this machine: debugfs, debugfs:DIR, or xen")},
	{OPT_FLAG("capture", 0, &capture, "with --from: a capture of counters, not the .profraw")},
	{OPT_FILE("log", 0, "LOG", &log_path, "write what is not part of a dump to LOG")},
	{OPT_TEXT("send", 0, "TEXT", &send_text, "live: type TEXT first, to make the target dump")},
	{OPT_TEXT("until", 'u', "TEXT", &until_text, "live: go on until a line of the console has TEXT in it")},
	{OPT_TEXT("then", 0, "TEXT", &then_text, "live: type TEXT when all that was pulled is complete and written")},
	{OPT_SECONDS("timeout", 't', "SECONDS", &timeout, "live: give up after so long (default: never)")},
	{OPT_END},
};

static enum status write_left_out(const struct completion_report *report)
{
	struct error error;
	enum status status =
		output_write(left_out_path, (struct bytes){report->left_out.data, report->left_out.size}, &error);

	if (status != STATUS_OK)
		error_print(left_out_path, &error);
	return status;
}

/* Which of the options was given that is of no use with --from? NULL: none. */
static const char *useless(void)
{
	return dump_tag        ? "dump"
	       : only_list     ? "list"
	       : partial       ? "partial"
	       : left_out_path ? "left-out"
	       : log_path      ? "log"
	       : send_text     ? "send"
	       : until_text    ? "until"
	       : then_text     ? "then"
	       : timeout > 0   ? "timeout"
	                       : NULL;
}

static enum status pull_images(char **operands, const struct completion_options *completion)
{
	const struct pull_running pull = {
		.from = from_text,
		.names = operands,
		.out = out_path,
		.all = all_path,
		.capture = capture,
		.completion = *completion,
	};

	if (!useless())
		return pull_running(&pull);
	complain(NULL, "--%s is for dumps that arrived somewhere: leave it out with --from", useless());
	return STATUS_USAGE;
}

static enum status pull_target(const char *name, const struct completion_options *completion)
{
	const struct pull_live pull = {
		.name = name,
		.out = out_path ? out_path : "bareprof.profraw",
		.all = all_path,
		.log = log_path,
		.dump = dump_tag,
		.send = send_text,
		.until = until_text,
		.then = then_text,
		.timeout = timeout,
		.only_list = only_list,
		.named = out_path,
		.completion = *completion,
	};

	return pull_live(&pull);
}

static enum status pull_saved(const char *name, const struct completion_options *completion)
{
	const struct pull_file pull = {
		.name = name,
		.out = out_path,
		.all = all_path,
		.log = log_path,
		.dump = dump_tag,
		.only_list = only_list,
		.completion = *completion,
	};

	if (!send_text && !until_text && !then_text && timeout <= 0)
		return pull_file(&pull);
	complain(name, "is no live source: --send, --until, --then and --timeout are for tty:, tcp: and unix:");
	return STATUS_USAGE;
}

static enum status pull_any(char **operands, const struct completion_options *completion)
{
	if (from_text)
		return pull_images(operands, completion);
	if (capture) {
		complain(NULL, "--capture goes with --from: what FILE has is told by itself");
		return STATUS_USAGE;
	}
	if (!operands[0] || operands[1]) {
		command_usage(&command_pull);
		return STATUS_USAGE;
	}
	if (all_path && (out_path || dump_tag || only_list)) {
		complain(NULL, "--all takes every dump: leave out --output, --dump and --list");
		return STATUS_USAGE;
	}
	if (then_text && (only_list || partial)) {
		complain(NULL, "--then lets the target forget what was written here: leave out --%s",
			only_list ? "list" : "partial");
		return STATUS_USAGE;
	}
	return source_is_live(operands[0]) ? pull_target(operands[0], completion) : pull_saved(operands[0], completion);
}

static enum status pull(char **operands)
{
	struct completion_report report = {0};
	struct programs programs;
	const struct completion_options completion = {.programs = &programs, .partial = partial, .report = &report};
	enum status status;

	programs_start(&programs);
	status = elf_files_open(&programs, elf_paths, elf_folder);
	if (status == STATUS_OK)
		status = pull_any(operands, &completion);
	if (status == STATUS_OK && left_out_path)
		status = write_left_out(&report);
	programs_free(&programs);
	completion_report_free(&report);
	return status;
}

const struct command command_pull = {
	.name = "pull",
	.summary = "get the .profraw out of a console, its log, or a capture",
	.operands = "FILE|-|tty:DEVICE[@BAUD]|tcp:HOST:PORT|unix:PATH | --from debugfs[:DIR]|xen [NAME...]",
	.operands_min = 0,
	.operands_max = INT_MAX,
	.help = "FILE is anything that a dump went into: a console log with its lines among\n"
		"others, frames from a byte channel, a capture file, or several of them joined.\n"
		"Blocks may be out of order and doubled. A profile is only written if every\n"
		"block of it is there and intact; if not, each missing one is named.\n\n"
		"A capture of counters needs the ELF file of the program, of the very build, to\n"
		"become a .profraw; without one, OUT gets the capture, for 'bareprof merge', 'show'\n"
		"or 'report' (default: FILE with .capture at its end). With --partial one that is\n"
		"incomplete gives a profile without the functions of which something is missing, and\n"
		"without values. So it is with 'merge', 'convert', 'show' and 'report'.\n\n"
		"Of several dumps the one that was started last is taken. If it is incomplete,\n"
		"an older one is not taken in its place unless --dump names it. --all takes\n"
		"each; then the exit code is 0 if all are complete, else 1.\n\n"
		"tty: (8N1; 115200 baud if none is given), tcp: and unix: are live: the console\n"
		"goes to standard output, or with --log only to LOG, without the lines of the\n"
		"dump, which may be text lines or frames. It ends as soon as a dump is complete,\n"
		"with --all when each that began is; with --until it goes on to that line and\n"
		"takes the last dump. Each other complete one is kept as OUT.TAG. OUT is\n"
		"bareprof.profraw if not named. TEXT to type may have \\n, \\r, \\t, \\\\ and \\xHH.\n"
		"--then is for a target that is to reset its counters, or free memory, only once the\n"
		"host has them: it is typed when the exit code is going to be 0, and else never.\n"
		"Ctrl-C keeps what is complete and says what is not: the exit code is 0 if OUT\n"
		"was written, else 1. If the target goes away too early it is 1, if time is up it\n"
		"is 5, also where OUT was written before --until came true.\n\n"
		"--from debugfs is for Linux with bareprof in it (ports/linux), on that machine: of\n"
		"each NAME, a module or vmlinux, or without one of all that there are, the profile\n"
		"goes to NAME.profraw here, or with --all in DIR; of a single NAME to OUT. It may be\n"
		"larger than memory. With --capture it is NAME.capture, for any other machine that has\n"
		"the ELF file, or with --elf or --elf-dir a .profraw again. If a module was loaded several\n"
		"times there can be several in one file: 'bareprof pull --all' takes captures apart.\n"
		"Where counters are reset meanwhile it is read once more, up to three times. With\n"
		"'-o -', as over ssh, what came before an error is out: only exit code 0 says that it is\n"
		"a profile.\n\n"
		"--from xen is for dom0, of the hypervisor, whose name is xen: with bareprof in it\n"
		"(ports/xen), or with Xen's own coverage, which has no captures and is read as a whole.\n"
		"xen:DEVICE is another device than /dev/xen/privcmd.\n",
	.options = options,
	.run = pull,
};
