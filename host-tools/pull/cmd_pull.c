/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_pull.c - `bareprof pull`: from a saved log or capture to a .profraw. What
 * is different with a target that is talking is in pull_live.c, and with images on
 * this machine in pull_running.c.
 */
#include "cmd_pull.h"
#include "commands.h"
#include "elf_files.h"
#include "exit.h"
#include "input.h"
#include "output.h"
#include "source.h"
#include "arguments.h"

#include <bareprof/wire.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *out_path;
static const char *log_path;
static const char *all_path;
static const char *session_tag;
static const char *send_text;
static const char *until_text;
static const char *then_text;
static const char *timeout_text;
static const char *from_text;
static bool capture;
static bool only_list;
static const char *elf_paths[OPTION_TIMES + 1];
static const char *elf_folder;
static const char *left_out_path;
static bool has_elfs;
static bool partial;

static const struct option options[] = {
	{"output", 'o', "OUT", "the .profraw to write (default: FILE with .profraw at its end)", NULL, &out_path},
	{"session", 's', "TAG", "take this dump, not the last one; of several images TAG.IMAGE", NULL, &session_tag},
	{"all", 'a', "DIR", "write each dump as DIR/TAG.profraw", NULL, &all_path},
	{"list", 'l', NULL, "list the dumps that are in FILE, write nothing", &only_list, NULL},
	{"elf", 0, "ELF", "the program, for captures of counters; repeatable", &has_elfs, elf_paths},
	{"elf-dir", 0, "DIR", "look for the program in DIR and all below, by its build id", NULL, &elf_folder},
	{"partial", 0, NULL, "of an incomplete capture of counters take the functions that came whole", &partial, NULL},
	{"left-out", 0, "FILE", "write the names of functions that --partial leaves out to FILE", NULL, &left_out_path},
	{"from", 0, "WAY", "from what runs on this machine: debugfs, debugfs:DIR, or xen", NULL, &from_text},
	{"capture", 0, NULL, "with --from: a capture of counters, not the .profraw", &capture, NULL},
	{"log", 0, "LOG", "write what is not part of a dump to LOG", NULL, &log_path},
	{"send", 0, "TEXT", "live: type TEXT first, to make the target dump", NULL, &send_text},
	{"until", 'u', "TEXT", "live: go on until a line of the console has TEXT in it", NULL, &until_text},
	{"then", 0, "TEXT", "live: type TEXT when all that was pulled is complete and written", NULL, &then_text},
	{"timeout", 't', "SECONDS", "live: give up after so long (default: never)", NULL, &timeout_text},
	{NULL, 0, NULL, NULL, NULL, NULL},
};

static void keep_text(void *log, struct bytes text)
{
	buffer_add(log, text.data, text.size);
}

/* The input's name with .profraw for its ending; the caller frees it. */
static char *default_name(const char *input)
{
	const char *slash = strrchr(input, '/');
	const char *base = slash ? slash + 1 : input;
	const char *dot = strrchr(base, '.');

	if (!strcmp(input, "-"))
		return format("bareprof.profraw");
	return format("%.*s.profraw", (int)(dot && dot > base ? dot - input : (ptrdiff_t)strlen(input)), input);
}

static void list_begin(const struct session *session)
{
	const struct begin *begin = &session->begin;
	unsigned int version = (unsigned int)(begin->version & BAREPROF_VERSION_NUMBER);

	if (version)
		printf("raw version %u, ", version);
	printf("%u-bit, %" PRIu64 " bytes%s", begin->width * 8u, begin->streams.stream[0].size,
		session->counters ? " of counters" : "");
	if (streams_find(&begin->streams, BAREPROF_STREAM_VALUES))
		printf(", %" PRIu64 " values",
			streams_size(&begin->streams, BAREPROF_STREAM_VALUES) / BAREPROF_VALUE_PAIR);
	printf("  ");
}

static void list_session(const struct session *session)
{
	struct buffer text = {0};

	printf("%08" PRIx32 "  image %" PRIu32 "  ", session->tag, session->image);
	if (session->begin_block && session->begin.width)
		list_begin(session);
	if (session->state == SESSION_INCOMPLETE)
		session_missing(session, &text);
	printf("%s\n", session->state == SESSION_COMPLETE     ? "complete"
		       : session->state == SESSION_INCOMPLETE ? buffer_string(&text)
							      : session->problem.text);
	buffer_free(&text);
}

enum status pull_list(struct dump *dump, struct error *error)
{
	size_t i;

	dump_sort(dump);
	if (!dump->capture.session_count)
		return dump_finish(dump, NULL, error);
	for (i = 0; i < dump->capture.session_count; i++)
		list_session(&dump->capture.sessions[i]);
	return STATUS_OK;
}

void pull_tell(const struct dump *dump, const char *path)
{
	struct remarks *remarks = dump->completing.remarks;
	struct buffer text = {0};

	dump_describe(dump, &text);
	complain(path, "%s", buffer_string(&text));
	buffer_free(&text);
	if (!remarks)
		return;
	tell_remarks(path, remarks);
	remarks->text.size = 0;
}

char *pull_name(const struct dump *dump, const char *path, bool named)
{
	static const char ending[] = ".profraw";
	size_t n = strlen(path);

	if (named || !dump->kept || n < sizeof(ending) || strcmp(path + n - sizeof(ending) + 1, ending))
		return format("%s", path);
	return format("%.*s.capture", (int)(n - sizeof(ending) + 1), path);
}

/* Write the chosen dump to @path; *@subject is what an error is about. */
static enum status write_profile(struct dump *dump, char **path, const char **subject, struct error *error)
{
	enum status status = dump_finish(dump, session_tag, error);
	char *name;

	if (status != STATUS_OK)
		return status;
	name = pull_name(dump, *path, out_path);
	free(*path);
	*path = name;
	status = output_write(name, (struct bytes){dump->stream.data, dump->stream.size}, error);
	if (status == STATUS_OK)
		pull_tell(dump, name);
	else
		*subject = name;
	return status;
}

static enum status pull_bytes(struct bytes bytes, const char *input, char **path, const struct completing *completing)
{
	const char *subject = input_name(input);
	struct buffer log = {0};
	struct error error;
	struct dump dump;
	enum status status;

	dump_start(&dump, log_path ? keep_text : NULL, &log);
	dump.completing = *completing;
	dump.keeps = true;
	scan_bytes(&dump.scan, bytes);
	dump_sort(&dump);
	if (all_path && dump.capture.session_count) {
		status = pull_all(&dump, subject, all_path);
	} else {
		status = only_list ? pull_list(&dump, &error) : write_profile(&dump, path, &subject, &error);
		if (status != STATUS_OK)
			error_print(subject, &error);
	}
	if (log_path && output_write(log_path, (struct bytes){log.data, log.size}, &error) != STATUS_OK) {
		error_print(log_path, &error);
		status = STATUS_SYSTEM;
	}
	buffer_free(&log);
	dump_free(&dump);
	return status;
}

static enum status pull_file(char **operands, const struct completing *completing)
{
	const char *name = input_name(operands[0]);
	char *path = out_path ? format("%s", out_path) : default_name(operands[0]);
	struct input input;
	struct error error;
	enum status status = input_read(&input, operands[0], &error);

	if (status == STATUS_OK && all_path) {
		name = all_path;
		status = pull_all_possible(all_path, &error);
	}
	if (status == STATUS_OK && raw_magic(input.bytes))
		status = error_set(&error, STATUS_BAD, "is a .profraw already, there is nothing to pull");
	else if (status == STATUS_OK && !out_path && !only_list && !strcmp(path, operands[0]))
		status = error_set(&error, STATUS_USAGE, "would be overwritten; name the output with -o");
	if (status == STATUS_OK)
		status = pull_bytes(input.bytes, operands[0], &path, completing);
	else
		error_print(name, &error);
	input_free(&input);
	free(path);
	return status;
}

static enum status write_left_out(const struct remarks *remarks)
{
	struct error error;
	enum status status =
		output_write(left_out_path, (struct bytes){remarks->left_out.data, remarks->left_out.size}, &error);

	if (status != STATUS_OK)
		error_print(left_out_path, &error);
	return status;
}

/* Which of the options was given that is of no use with --from? NULL: none. */
static const char *useless(void)
{
	return session_tag     ? "session"
	       : only_list     ? "list"
	       : partial       ? "partial"
	       : left_out_path ? "left-out"
	       : log_path      ? "log"
	       : send_text     ? "send"
	       : until_text    ? "until"
	       : then_text     ? "then"
	       : timeout_text  ? "timeout"
	                       : NULL;
}

static enum status pull_running(char **operands, const struct completing *completing)
{
	const struct pull_from pull = {
		.from = from_text,
		.names = operands,
		.out = out_path,
		.all = all_path,
		.capture = capture,
		.completing = *completing,
	};

	if (!useless())
		return pull_from(&pull);
	complain(NULL, "--%s is for dumps that arrived somewhere: leave it out with --from", useless());
	return STATUS_USAGE;
}

static enum status pull_any(char **operands, const struct completing *completing)
{
	struct pull_live live = {
		.name = operands[0],
		.out = out_path ? out_path : "bareprof.profraw",
		.all = all_path,
		.log = log_path,
		.session = session_tag,
		.send = send_text,
		.until = until_text,
		.then = then_text,
		.only_list = only_list,
		.named = out_path,
		.completing = *completing,
	};

	if (from_text)
		return pull_running(operands, completing);
	if (capture) {
		complain(NULL, "--capture goes with --from: what FILE has is told by itself");
		return STATUS_USAGE;
	}
	if (!operands[0] || operands[1]) {
		command_usage(&command_pull);
		return STATUS_USAGE;
	}
	if (all_path && (out_path || session_tag || only_list)) {
		complain(NULL, "--all takes every dump: leave out --output, --session and --list");
		return STATUS_USAGE;
	}
	if (then_text && (only_list || partial)) {
		complain(NULL, "--then lets the target forget what was written here: leave out --%s",
			only_list ? "list" : "partial");
		return STATUS_USAGE;
	}
	if (source_is_live(operands[0])) {
		if (timeout_text && !value_seconds(timeout_text, &live.timeout))
			return STATUS_USAGE;
		return pull_live(&live);
	}
	if (send_text || until_text || then_text || timeout_text) {
		complain(operands[0],
			"is no live source: --send, --until, --then and --timeout are for tty:, tcp: and unix:");
		return STATUS_USAGE;
	}
	return pull_file(operands, completing);
}

static enum status pull(char **operands)
{
	struct remarks remarks = {0};
	struct programs programs;
	const struct completing completing = {.programs = &programs, .partial = partial, .remarks = &remarks};
	enum status status;

	programs_start(&programs);
	status = elf_files_open(&programs, elf_paths, elf_folder);
	if (status == STATUS_OK)
		status = pull_any(operands, &completing);
	if (status == STATUS_OK && left_out_path)
		status = write_left_out(&remarks);
	programs_free(&programs);
	remarks_free(&remarks);
	return status;
}

const struct command command_pull = {
	.name = "pull",
	.summary = "get the .profraw out of a console, its log, or a capture",
	.operands = "FILE|-|tty:DEVICE[@BAUD]|tcp:HOST:PORT|unix:PATH | --from debugfs[:DIR]|xen [NAME...]",
	.operands_least = 0,
	.operands_most = INT_MAX,
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
		"an older one is not taken in its place unless --session names it. --all takes\n"
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
