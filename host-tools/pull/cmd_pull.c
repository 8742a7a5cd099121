/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_pull.c - `bareprof pull`: decides whether the source is a file, a live source or an image on this machine, and
 * checks that the options can be combined.
 */
#include "ask.h"
#include "commands.h"
#include "counts_warning.h"
#include "elf_files.h"
#include "exit.h"
#include "input.h"
#include "memories.h"
#include "output.h"
#include "pull_file.h"
#include "pull_live.h"
#include "pull_outside.h"
#include "pull_running.h"
#include "pull_watch.h"
#include "source_name.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *out_path;
static const char *log_path;
static const char *all_path;
static const char *dump_tag;
static const char *send_text;
static const char *until_text;
static const char *ask_text;
static const char *then_text;
static double timeout;
static double wait_time;
static const char *from_text;
static bool capture;
static const char *symbols_path;
static const char *slide_text;
static const char *tables_text;
static const char *leave_text;
static bool reset;
static bool only_list;
static const char *elf_paths[OPTION_TIMES + 1];
static const char *elf_folder;
static const char *left_out_path;
static bool partial;
static double watch_interval;
static bool json;

static const struct option options[] = {
	{OPT_OUTPUT(
		"output", 'o', "OUT", &out_path, "write the .profraw to OUT (default: FILE with extension .profraw)")},
	{OPT_TEXT("dump", 'd', "TAG", &dump_tag,
		 "take the dump TAG, not the last one; TAG.IMAGE for one of several images"),
		.old_name = "session", .old_letter = 's'},
	{OPT_FILE("all", 'a', "DIR", &all_path, "write each dump as DIR/TAG.profraw")},
	{OPT_FLAG("list", 'l', &only_list, "list the dumps in FILE and write nothing")},
	{OPT_LIST(
		"elf", 0, "ELF", elf_paths, "add records and names from the program ELF to captures; may be repeated")},
	{OPT_FILE("elf-dir", 0, "DIR", &elf_folder, "search DIR and its subfolders for the program, by build id")},
	{OPT_FLAG("partial", 0, &partial, "accept an incomplete capture; keep the functions that arrived completely")},
	{OPT_OUTPUT("left-out", 0, "FILE", &left_out_path,
		"write to FILE the names of the functions that --partial leaves out")},
	{OPT_TEXT("from", 0, "BACKEND", &from_text,
		"read images from debugfs, xen, gdb:, qmp:, core:, kdump:, ram: or proc: (see below)")},
	{OPT_FLAG("capture", 0, &capture, "with --from: write a capture of counters instead of a .profraw")},
	{OPT_FILE("symbols", 0, "LIST", &symbols_path,
		"with --from: take records from memory too; LIST is from nm, System.map or /proc/kallsyms")},
	{OPT_TEXT("slide", 0, "DISTANCE", &slide_text,
		"with --from: the program runs at DISTANCE from the addresses in ELF")},
	{OPT_TEXT("page-tables", 0, "REGISTERS", &tables_text,
		"with --from: translate addresses with the tables of these registers, such as cr3=0x1000")},
	{OPT_TEXT("leave", 0, "STATE", &leave_text,
		"with --from: leave the target running or stopped (default: as found)")},
	{OPT_FLAG("reset", 0, &reset, "with --from gdb: reset the counters when the profile is written")},
	{OPT_OUTPUT("log", 0, "LOG", &log_path, "write the text that is not part of a dump to LOG")},
	{OPT_TEXT("send", 0, "TEXT", &send_text, "live: type TEXT first, to make the target dump")},
	{OPT_TEXT("until", 'u', "TEXT", &until_text, "live: listen until a line of the console contains TEXT")},
	{OPT_TEXT("ask", 0, "TEXT", &ask_text,
		"live: type TEXT, with the missing blocks in place of %s, until all are there")},
	{OPT_SECONDS("wait", 0, "SECONDS", &wait_time, "live: wait SECONDS for missing blocks (default: 3)")},
	{OPT_TEXT("then", 0, "TEXT", &then_text, "live: type TEXT when the profile is complete and written")},
	{OPT_SECONDS("timeout", 't', "SECONDS", &timeout, "live: give up after SECONDS (default: never)")},
	{OPT_SECONDS("watch", 'w', "SECONDS", &watch_interval,
		"look every SECONDS, and show the functions and lines that ran since the last look")},
	{OPT_FLAG("json", 0, &json, "with --watch: print a line of JSON for each look")},
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

/* Returns an option that was given and is only for memory that is read from outside, or NULL. */
static const char *only_for_memory(void)
{
	return symbols_path  ? "symbols"
	       : slide_text  ? "slide"
	       : leave_text  ? "leave"
	       : tables_text ? "page-tables"
	       : reset       ? "reset"
	                     : NULL;
}

/* Returns an option that was given and cannot be combined with --from, or NULL. */
static const char *useless(void)
{
	return dump_tag                  ? "dump"
	       : only_list               ? "list"
	       : partial                 ? "partial"
	       : left_out_path           ? "left-out"
	       : log_path                ? "log"
	       : send_text               ? "send"
	       : until_text              ? "until"
	       : ask_text                ? "ask"
	       : then_text               ? "then"
	       : timeout > 0             ? "timeout"
	       : wait_time > 0           ? "wait"
	       : memory_named(from_text) ? NULL
	                                 : only_for_memory();
}

/* Reads the options that only memory has. Prints errors. */
static enum status read_options(struct outside_options *read)
{
	*read = (struct outside_options){.reset = reset, .hints = {.slide_given = slide_text, .tables = tables_text}};
	if (slide_text && !parse_address(slide_text, &read->hints.slide)) {
		complain(NULL, "--slide %s is not a number; use one such as 0x1e00000", slide_text);
		return STATUS_USAGE;
	}
	if (!leave_text)
		return STATUS_OK;
	read->leave = strcmp(leave_text, "running") ? LEAVE_STOPPED : LEAVE_RUNNING;
	if (read->leave == LEAVE_RUNNING || !strcmp(leave_text, "stopped"))
		return STATUS_OK;
	complain(NULL, "--leave takes running or stopped, not '%s'", leave_text);
	return STATUS_USAGE;
}

/* Reads the memory of a target that --from names. */
static enum status pull_memory(const struct pull_running *pull)
{
	struct outside_options read;

	return read_options(&read) == STATUS_OK ? pull_outside(pull, &read) : STATUS_USAGE;
}

/* Returns an option that was given and cannot be combined with --watch, or NULL. */
static const char *useless_with_watch(void)
{
	return dump_tag        ? "dump"
	       : all_path      ? "all"
	       : only_list     ? "list"
	       : partial       ? "partial"
	       : left_out_path ? "left-out"
	       : until_text    ? "until"
	       : ask_text      ? "ask"
	       : then_text     ? "then"
	       : timeout > 0   ? "timeout"
	       : wait_time > 0 ? "wait"
	       : reset         ? "reset"
	                       : NULL;
}

static enum status pull_again(char **operands, const struct completion_options *completion)
{
	struct pull_watch watch = {.interval = watch_interval,
		.json = json,
		.out = out_path,
		.from = from_text,
		.names = operands,
		.send = send_text,
		.log = log_path,
		.only_for_memory = only_for_memory(),
		.capture = capture,
		.completion = *completion};

	if (!useless_with_watch())
		return read_options(&watch.memory) == STATUS_OK ? pull_watch(&watch) : STATUS_USAGE;
	complain(NULL, "--%s cannot be combined with --watch", useless_with_watch());
	return STATUS_USAGE;
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
		return memory_named(from_text) ? pull_memory(&pull) : pull_running(&pull);
	complain(NULL, "--%s cannot be combined with --from", useless());
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
		.ask = ask_text,
		.then = then_text,
		.timeout = timeout,
		.wait = wait_time > 0 ? wait_time : DUMP_GRACE,
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

	if (!send_text && !until_text && !ask_text && !then_text && timeout <= 0 && wait_time <= 0)
		return pull_file(&pull);
	complain(name,
		"is not a live source: --send, --until, --ask, --wait, --then and --timeout need tty:, tcp: or unix:");
	return STATUS_USAGE;
}

/*
 * If the user probably meant @name as a live source, prints a message that proposes the right name, and returns true.
 */
static bool refuse_with_hint(const char *name)
{
	struct buffer hint = {0};
	bool has_hint;

	source_hint(name, &hint);
	has_hint = hint.size > 0;
	if (has_hint)
		complain(name, "does not exist; if this is a live source, %s", buffer_string(&hint));
	buffer_free(&hint);
	return has_hint;
}

static enum status pull_named(const char *name, const struct completion_options *completion)
{
	char *live = source_name(name);
	enum status status = STATUS_USAGE;

	if (live)
		status = pull_target(live, completion);
	else if (!refuse_with_hint(name))
		status = pull_saved(name, completion);
	free(live);
	return status;
}

/* Checks the text of --ask. Prints errors. */
static enum status check_ask(void)
{
	const char *other = all_path ? "all" : until_text ? "until" : only_list ? "list" : NULL;

	if (!ask_text)
		return STATUS_OK;
	if (option_check_typed("ask", ask_text) != STATUS_OK)
		return STATUS_USAGE;
	if (!ask_has_place(ask_text)) {
		complain(NULL, "--ask '%s' does not contain %%s exactly once; use a text such as 'cov block %%s\\n'",
			ask_text);
		return STATUS_USAGE;
	}
	if (!other)
		return STATUS_OK;
	complain(NULL,
		"--ask cannot be combined with --%s: pull asks for the blocks of one dump, and ends when it is "
		"complete",
		other);
	return STATUS_USAGE;
}

static enum status pull_any(char **operands, const struct completion_options *completion)
{
	int given;

	if (watch_interval > 0)
		return pull_again(operands, completion);
	if (json) {
		complain(NULL, "--json needs --watch");
		return STATUS_USAGE;
	}
	if (from_text)
		return pull_images(operands, completion);
	if (capture) {
		complain(NULL,
			"--capture needs --from; to pull from a file, leave out --capture: pull detects whether the "
			"file is a capture");
		return STATUS_USAGE;
	}
	for (given = 0; operands[given]; given++)
		;
	if (given != 1) {
		command_usage(&command_pull, given);
		return STATUS_USAGE;
	}
	if (option_check_typed("send", send_text) != STATUS_OK || option_check_typed("then", then_text) != STATUS_OK ||
		check_ask() != STATUS_OK)
		return STATUS_USAGE;
	if (all_path && (out_path || dump_tag || only_list)) {
		complain(NULL, "--all cannot be combined with --output, --dump or --list: --all writes every dump");
		return STATUS_USAGE;
	}
	if (then_text && (only_list || partial)) {
		complain(NULL,
			"--then cannot be combined with --%s: the target would reset counters that pull "
			"has not saved",
			only_list ? "list" : "partial");
		return STATUS_USAGE;
	}
	return pull_named(operands[0], completion);
}

static enum status open_symbols(struct programs *programs)
{
	struct error error;
	enum status status = programs_symbols(programs, symbols_path, &error);

	if (status != STATUS_OK)
		error_print(input_name(symbols_path), &error);
	return status;
}

static enum status pull(char **operands)
{
	struct completion_report report = {0};
	struct programs programs;
	const struct completion_options completion = {.programs = &programs,
		.partial = partial,
		.nameless = true,
		.report = &report,
		.check = counts_warning};
	enum status status;

	programs_start(&programs);
	status = elf_files_open(&programs, elf_paths, elf_folder);
	if (status == STATUS_OK && symbols_path)
		status = open_symbols(&programs);
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
	.summary = "write the .profraw from a console, a log, a capture or a running image",
	.operands = "FILE|-|tty:DEVICE[@BAUD]|tcp:HOST:PORT|unix:PATH | --from BACKEND [NAME...]",
	.operands_min = 0,
	.operands_max = INT_MAX,
	.help = "FILE is anything that contains a dump: a console log with other text in it, frames\n"
		"from a byte channel, a capture file, or several of these joined. Blocks may be out of\n"
		"order or repeated. A profile is written only if all blocks of its dump are there and\n"
		"intact; otherwise the missing blocks are listed.\n\n"
		"A capture of counters becomes a .profraw with the ELF file of the program, which must\n"
		"come from the same build. Without the ELF file, the capture itself is written to OUT\n"
		"(default: FILE with extension .capture), for 'bareprof merge', 'show' or 'report'.\n"
		"With --partial, an incomplete capture becomes a profile without values and without\n"
		"the functions whose counters are missing; 'merge', 'convert', 'show' and\n"
		"'report' do the same.\n\n"
		"If FILE has several dumps, pull takes the one that started last. With --elf or\n"
		"--elf-dir, it takes the last one that has the build id of an ELF file, if there is\n"
		"one. If the dump is incomplete, pull takes an older dump only if --dump names it.\n"
		"--all writes every complete dump; the exit code is 0 if all dumps are complete,\n"
		"else 1.\n\n"
		"tty: (8N1, 115200 baud by default), tcp: and unix: are live sources. The path of a\n"
		"serial line or socket needs no prefix. The console, without the lines or frames of the\n"
		"dump, goes to standard output, or with --log only to LOG. pull ends when a dump is\n"
		"complete, or with --all when every dump that began is complete. If a dump has losses,\n"
		"and no more of its blocks arrive for 3 seconds after its end, pull reports the losses\n"
		"and ends with 1. With --until, pull listens up to that line and takes the last dump.\n"
		"Other complete dumps are kept as OUT.TAG. OUT is bareprof.profraw by default. TEXT to\n"
		"type may contain \\n, \\r, \\t, \\\\ and \\xHH.\n\n"
		"On a line that loses or damages blocks, --ask makes pull ask for missing blocks when\n"
		"the target has sent the dump, as in --ask 'cov block %s\\n', until all have arrived. %s\n"
		"stands for blocks such as 3,7-9 and a checksum, which bareprof_answer() on the target\n"
		"reads. A request without an answer is typed again after a pause, which doubles up to the\n"
		"seconds of --wait. If the target stays silent for as long before its first block, the\n"
		"text of --send is typed again. pull gives up after 16 texts that brought no block. The\n"
		"blocks fit together if no code counts from the dump to the last answer. If a target\n"
		"cannot be asked, let it send the same dump again and again: pull ends when it has every\n"
		"block. If there are pauses of more than 3 seconds between, use --wait.\n\n"
		"Use --then if the target must not reset its counters, or free memory, before the host\n"
		"has the counts. TEXT is typed only if the exit code is going to be 0.\n\n"
		"Press Ctrl-C to end early: complete dumps are kept and the others reported. The exit\n"
		"code is 0 if OUT was written, else 1. It is 1 if the target goes away too early, and\n"
		"5 if --timeout expires, even if OUT was written before the line of --until came.\n\n"
		"--from debugfs is for Linux with bareprof (ports/linux), on the machine itself. The\n"
		"profile of each image NAME, a module or vmlinux, goes to NAME.profraw in this folder,\n"
		"or with --all in DIR. Without NAME, all images are pulled. OUT may be given with a\n"
		"single NAME. A profile may be larger than memory. With --capture, pull writes\n"
		"NAME.capture, to be completed on a machine that has the ELF file; with --elf or\n"
		"--elf-dir it completes the capture here. If a module was loaded several times, its\n"
		"file may have several profiles or captures; 'bareprof pull --all' separates captures.\n"
		"If counters are reset meanwhile, pull reads the profile again, up to three times.\n"
		"With '-o -', as over ssh, pull writes bytes before it can notice errors: they are a\n"
		"profile only if the exit code is 0. If an image has only a machine profile, pull\n"
		"writes NAME.mipraw, which 'bareprof mip merge' reads.\n\n"
		"--from xen is for the control domain (dom0) of the Xen hypervisor, whose image is\n"
		"called xen. OUT may be given without this name. Xen needs bareprof (ports/xen), or its\n"
		"own coverage, which has no captures and is read in one call. xen:DEVICE names a device\n"
		"other than /dev/xen/privcmd.\n\n"
		"The other backends read the memory of a target from outside. The target needs no code\n"
		"of bareprof, only the linker fragment. Give its ELF file with --elf; bareprof checks\n"
		"that the build id in memory is that of the file. If NAME.elf is the ELF file, the\n"
		"counters go to NAME.profraw, a machine profile to NAME.mipraw, and samples to\n"
		"NAME.capture; with --capture, all go to NAME.capture. OUT gets the first of them.\n\n"
		"  gdb:HOST:PORT      a stub of gdb, such as OpenOCD or 'qemu -gdb tcp::PORT'\n"
		"  gdb:unix:PATH      the same through a socket; gdb:tty:DEVICE[@BAUD]: a serial line\n"
		"  gdb:|COMMAND       the same through a program that gdb would start as 'target remote |'\n"
		"  qmp:PATH           the monitor of QEMU on this machine, a socket of -qmp\n"
		"  core:FILE          an ELF core of a program or of a whole machine\n"
		"  kdump:FILE         a kernel dump of makedumpfile, diskdump or QEMU, read by libkdumpfile\n"
		"  ram:FILE@ADDRESS   a copy of the memory from ADDRESS on\n"
		"  proc:              the running Linux kernel, through /proc/kcore\n\n"
		"Modules of Linux need their kernel: --elf vmlinux --elf minix.ko. vmlinux needs debug\n"
		"information.\n\n"
		"If there is no ELF file, --symbols gives the bounds of the sections. Then the records and\n"
		"names are read from memory, too.\n\n"
		"gdb: and qmp: stop the target while they read. It runs on if it was running before. If\n"
		"this cannot be known, --leave decides. A program that was moved is found by its build\n"
		"id: in cores and copies everywhere, and else where Linux may move an x86_64 kernel.\n"
		"--slide is the distance by which it was moved. --page-tables takes registers of the CPU,\n"
		"separated by commas: cr3= and cr4= for x86_64; ttbr0=, ttbr1= and tcr= for AArch64;\n"
		"ttbr0=, ttbr1= and ttbcr= for Arm; or offset=, a virtual minus a physical address.\n"
		"--reset sets all counts in memory to their start values when the files are written, and\n"
		"only then lets the target run. The target does not know of this reset, so do not add\n"
		"captures that it sent before in the same boot to those after it.\n\n"
		"--watch looks at the target again and again until Ctrl-C, and shows the functions and\n"
		"lines that ran for the first time since the last look. It needs --elf or --elf-dir.\n"
		"What ran before the first look is the base line. Counters that were reset are noticed:\n"
		"then all that ran since the reset is new. On a terminal, a list scrolls above a line\n"
		"with the totals of 'report', which leaves out lines of macros; the new lines have them.\n"
		"From a live source, each look types the text of --send; without --send, each dump that\n"
		"the target sends is a look. The console goes only to LOG. gdb: and qmp: connect and\n"
		"stop the target only while they read. A look that fails is reported; if no look\n"
		"succeeds for a minute, or the first one of --from fails, pull ends. -o writes the last\n"
		"profile at the end. The exit code is 0 if a look succeeded.\n",
	.options = options,
	.run = pull,
};
