/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_run_once.c - `bareprof run` without --each: boots the guest, waits for the end of the run, and writes the profile
 * of one dump. The options determine when the run ends.
 */
#include "arguments.h"
#include "board_binary.h"
#include "clock.h"
#include "cmd_run.h"
#include "counts_warning.h"
#include "exit.h"
#include "guest_memory.h"
#include "input.h"
#include "output.h"
#include "test_driver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * After the complete dump of --until-dump, the guest runs on for this time, in seconds. If the guest ends right after
 * its dump, perhaps with a failure, it does so within this time, and bareprof notices it.
 */
#define SETTLED 0.2
/* The maximum number of bytes of the console's last line in a message. */
#define LINE 100

/* One try of a run. */
struct single_run {
	struct run *run;
	const char *out;
	char *capture_name; /* default file name for a capture; NULL: not used */
	struct guest guest;
	struct console console;
	struct dump_receiver dump; /* all blocks: those of the console, and at the end those of the side channel */
	struct dump_progress progress; /* the blocks in @dump */
	struct side_channel channel;
	uint64_t channel_size; /* number of bytes in the side channel's file at the end */
	double done; /* seconds_now() when the dump of --until-dump was complete; 0: it was not complete */
	bool gave_up; /* the guest sent the END of a dump that lacks blocks, and then sent no more blocks */
	bool reached; /* the guest did what --until or --until-dump waits for */
	struct guest_memory memory; /* the profile in the memory of the guest */
	bool from_memory; /* the profile that was written is the one in @memory */
	struct transcript transcript;
	struct buffer typed; /* text to type into the console */
	struct completion_report report;
	bool reads_stdin;
	bool written; /* the profile was written */
	bool may_retry; /* another try may succeed */
};

/* Adds the blocks from the side channel's file. The file contains no console text. */
static void add_side_channel(struct single_run *once)
{
	struct input input;
	struct error unused;

	if (input_read(&input, once->channel.path, &unused) != STATUS_OK)
		return;
	once->channel_size = input.bytes.size;
	once->dump.scan.text = NULL;
	scan_bytes(&once->dump.scan, input.bytes);
	input_free(&input);
}

static bool has_given_up(const struct single_run *once)
{
	const struct dump_progress *by_channel = &once->channel.arrival.progress;

	return (dump_progress_stopped(&once->progress, DUMP_GRACE) && !console_amid_block(&once->console)) ||
	       dump_progress_stopped(by_channel, DUMP_GRACE);
}

/* Returns whether --until or --until-dump ends the run now. */
static bool may_end(void *context)
{
	struct single_run *once = context;

	if (once->run->until) {
		once->reached = once->console.until_seen;
		return once->reached;
	}
	side_channel_poll(&once->channel, &once->run->programs, false);
	if (!once->reached && (once->progress.done || once->channel.arrival.progress.done)) {
		once->reached = true;
		once->done = seconds_now();
	}
	if (once->reached)
		return seconds_now() - once->done > SETTLED;
	once->gave_up = has_given_up(once);
	return once->gave_up;
}

/*
 * Reads the memory of the guest if the user asked for it, or if the guest sent no dump or did not send its last dump
 * completely. The dump of a guest that is still in order is the better profile: the guest chose the moment.
 */
static void read_memory(struct single_run *once)
{
	const struct dump_progress *by_channel = &once->channel.arrival.progress;

	if (!once->run->from_outside) {
		side_channel_poll(&once->channel, &once->run->programs, true);
		if (once->run->until_dump && once->reached)
			return;
		if ((once->progress.done || by_channel->done) && !once->progress.open && !by_channel->open)
			return;
	}
	guest_memory_read(&once->memory, &once->guest, &once->run->programs);
}

/* Boots the guest and runs it to its end. */
static enum status boot_and_wait(struct single_run *once, struct error *error)
{
	const struct run *run = once->run;
	bool waits = run->until || run->until_dump;
	char *binary = NULL;
	enum status status = side_channel_open(&once->channel, error);

	if (status == STATUS_OK)
		status = board_binary(&run->board, run->elf, once->channel.folder, &binary, error);
	side_channel_expect(&once->channel, &once->run->programs);
	once->guest.paths = (struct board_paths){run->elf, binary, once->channel.path};
	once->guest.folder = once->channel.folder;
	if (status == STATUS_OK)
		status = qemu_start(&once->guest, error);
	free(binary);
	if (status != STATUS_OK)
		return status;
	qemu_type(&once->guest, (struct bytes){once->typed.data, once->typed.size});
	qemu_wait(&once->guest, seconds_now() + run->timeout, waits ? may_end : NULL, once);
	read_memory(once);
	qemu_end(&once->guest);
	add_side_channel(once);
	/*
	 * The last bytes before the end may have contained the line of --until, or the end of the dump. So check once
	 * more.
	 */
	once->reached |= once->console.until_seen || (run->until_dump && once->progress.done);
	return STATUS_OK;
}

/* Boots the guest, runs it to its end and collects all blocks. */
static enum status boot_and_collect(struct single_run *once, struct error *error)
{
	struct run *run = once->run;
	struct buffer from_stdin = {0};
	enum status status;

	once->console = (struct console){
		.scan = &once->dump.scan,
		.show = stdout,
		.transcript = &once->transcript,
		.log = run->log,
		.until = run->until,
	};
	dump_receiver_start(&once->dump, console_text, &once->console);
	once->dump.keep_raw_capture = true;
	once->dump.completion = (struct completion_options){
		.programs = &run->programs, .nameless = true, .report = &once->report, .check = counts_warning};
	once->progress.capture = &once->dump.capture;
	once->dump.scan.block = dump_progress_block;
	once->dump.scan.context = &once->progress;
	once->guest = (struct guest){
		.board = &run->board,
		.more = run->more,
		.console = &once->console,
		.reads_stdin = once->reads_stdin,
		.from_stdin = &from_stdin,
		.wants_monitor = run->from_outside ? MONITOR_ALWAYS
	                         : run->no_outside ? MONITOR_NEVER
	                                           : MONITOR_IF_QEMU,
	};
	status = boot_and_wait(once, error);
	/* Keep the bytes from standard input for another try, because standard input can be read only once. */
	buffer_add(&once->typed, from_stdin.data, from_stdin.size);
	buffer_free(&from_stdin);
	side_channel_remove(&once->channel);
	return status;
}

/* Appends at most LINE bytes from the end of the console's last line. Empty lines at the end are skipped. */
static void add_last_line(const struct single_run *once, struct buffer *text)
{
	const char *start = (const char *)once->transcript.text.data;
	size_t end = once->transcript.text.size;
	size_t from;

	while (end && strchr("\r\n", start[end - 1]))
		end--;
	for (from = end; from && end - from < LINE && !strchr("\r\n", start[from - 1]); from--)
		;
	if (end)
		buffer_printf(text, ", whose last line is '%.*s'", (int)(end - from), start + from);
}

/*
 * Returns true if --until-dump was given, but the run ended without a complete dump, because of the timeout or because
 * the guest sent no more blocks. In this case, judge_wait() writes the start of the message.
 */
static bool waited_in_vain(const struct single_run *once)
{
	return once->run->until_dump && !once->reached && (once->gave_up || once->guest.end == GUEST_TIMEOUT);
}

/* Appends what the user can do if the guest sends no dump. */
static void advise(const struct run *run, struct buffer *text)
{
	if (run->other_machine)
		buffer_printf(text,
			"; the board %s is for %s programs, but this program is for %s: choose another board with "
			"--board",
			run->board.name, run->board.machine, run->other_machine);
	else
		buffer_printf(text,
			"; check that it calls bareprof and that its sink is the console or side channel of the board "
			"%s; if it needs another machine, for example with virtualization, add QEMU's options after --",
			run->board.name);
}

/*
 * Sets @error to the reason why no block of a dump arrived. With --until-dump, the reason also describes the guest's
 * output that is not part of a dump.
 */
static enum status explain_silence(const struct single_run *once, struct error *error)
{
	uint64_t shown = once->transcript.left_out + once->transcript.text.size;
	const struct run *run = once->run;
	struct buffer text = {0};

	buffer_add_text(&text, waited_in_vain(once) ? "no block of a dump arrived" : "sent no dump");
	if (run->until_dump && !shown && !once->channel_size)
		buffer_add_text(&text, ", and no other output, neither on its console nor in the side channel");
	else if (run->until_dump)
		buffer_printf(&text, ", only %" PRIu64 " bytes of other output", shown + once->channel_size);
	if (run->until_dump)
		add_last_line(once, &text);
	/* If there is a profile all the same, the user needs no advice. */
	if (!once->memory.capture.size)
		advise(run, &text);
	error_set(error, STATUS_INVALID_INPUT, "%.3900s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/*
 * Rebuilds the profile. With --until-dump, the profile comes from the first complete dump, otherwise from the dump that
 * started last.
 */
static enum status choose_dump(struct single_run *once, struct error *error)
{
	const struct dump_progress *progress = &once->progress;
	char name[32];

	snprintf(name, sizeof(name), "%08" PRIx32 ".%" PRIu32, progress->tag, progress->image);
	return dump_receiver_finish(&once->dump, once->run->until_dump && progress->done ? name : NULL, error);
}

/* Sets @error to the reason why the dump that started last is incomplete, without advice for saved logs. */
static enum status explain_incomplete(const struct single_run *once, struct error *error)
{
	const struct capture *capture = &once->dump.capture;
	struct buffer text = {0};

	sent_dump_problem(&capture->sent_dumps[capture->sent_count - 1], &text);
	dump_receiver_damage(&once->dump, &text);
	error_set(error, STATUS_INVALID_INPUT, "%.3900s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/*
 * A dump of a machine profile is written as a capture. Its default file name ends with .capture, because a .profraw is
 * another file format.
 */
static void name_output(struct single_run *once)
{
	if (!once->dump.is_capture || once->run->named)
		return;
	once->capture_name = format("%s.capture", once->run->name);
	once->out = once->capture_name;
}

/* Sets @error to the reason why there is no dump. @reason is why the dump that was chosen cannot be used. */
static enum status explain_dump(
	const struct single_run *once, enum status status, const struct error *reason, struct error *error)
{
	const struct dump_receiver *dump = &once->dump;

	if (!dump->capture.sent_count && !dump->scan.damaged_lines)
		return explain_silence(once, error);
	if (waited_in_vain(once) && dump->capture.sent_count)
		return explain_incomplete(once, error);
	return error_set(error, status, "%s%.3800s", waited_in_vain(once) ? "" : "sent no usable dump: ", reason->text);
}

/* Writes the profile of the dump that was chosen. */
static enum status write_profile(struct single_run *once, struct error *error)
{
	struct dump_receiver *dump = &once->dump;
	struct buffer text = {0};
	struct error reason;
	enum status status;

	name_output(once);
	status = output_write(once->out, (struct bytes){dump->stream.data, dump->stream.size}, &reason);
	if (status != STATUS_OK)
		return error_set(error, status, "%s, but %.1000s %.1000s",
			once->from_memory ? "has a profile in its memory" : "sent a dump", once->out, reason.text);
	once->written = true;
	if (once->from_memory)
		buffer_printf(&text, "%zu bytes from the memory of the guest", dump->stream.size);
	else
		dump_receiver_describe(dump, &text);
	complain(once->out, "%s", buffer_string(&text));
	buffer_free(&text);
	print_warnings(once->out, &once->report);
	return STATUS_OK;
}

/*
 * Writes the profile if a complete dump arrived, or if there is a profile in memory. Memory has all that a part of a dump
 * has, so it takes its place. If the guest sent no profile, @error is set to the reason.
 */
static enum status save_profile(struct single_run *once, struct error *error)
{
	struct error reason;
	enum status status = choose_dump(once, &reason);
	bool wanted = once->run->from_outside;
	enum status sent = status == STATUS_OK ? status : explain_dump(once, status, &reason, error);

	if (!once->memory.capture.size || (status == STATUS_OK && !wanted))
		return status == STATUS_OK ? write_profile(once, error) : sent;
	once->from_memory = true;
	guest_memory_use(&once->memory, &once->dump);
	status = dump_receiver_finish(&once->dump, NULL, &reason);
	if (status != STATUS_OK)
		return error_set(
			error, status, "has a profile in its memory that cannot be used: %.3800s", reason.text);
	status = write_profile(once, wanted ? error : &reason);
	/* The guest should have sent a dump, so this is a failure, although there is a profile. */
	return wanted || status != STATUS_OK ? status : sent;
}

/*
 * Returns the exit code for a run with --until or --until-dump whose guest did not end with a failure. If the guest did
 * not do what the option waits for, appends a sentence that says so.
 */
static enum status judge_wait(const struct single_run *once, struct buffer *text)
{
	const struct run *run = once->run;
	bool timed_out = once->guest.end == GUEST_TIMEOUT;

	if (once->reached)
		return STATUS_OK;
	if (once->gave_up)
		buffer_printf(text, "sent no more blocks for %g seconds after the end of its dump", DUMP_GRACE);
	else if (run->until && timed_out)
		buffer_printf(text, "wrote no line with '%.200s' within %g seconds and was stopped", run->until,
			run->timeout);
	else if (run->until)
		buffer_printf(text, "ended before a line with '%.200s' arrived", run->until);
	else if (timed_out)
		buffer_printf(text, "sent no complete dump within %g seconds and was stopped", run->timeout);
	return timed_out ? EXIT_TIMEOUT : run->until ? STATUS_INVALID_INPUT : STATUS_OK;
}

/* Returns the exit code for the way in which the guest ended. If the guest failed, appends a sentence about it. */
static enum status judge_end(const struct single_run *once, struct buffer *text)
{
	const struct guest *guest = &once->guest;
	const struct run *run = once->run;
	enum status status;

	if ((run->until || run->until_dump) && (guest->end == GUEST_RUNS || guest->end == GUEST_TIMEOUT ||
						       (guest->end == GUEST_EXITED && !guest->status))) {
		status = judge_wait(once, text);
	} else if (guest->end == GUEST_EXITED && !guest->status) {
		status = STATUS_OK;
	} else if (guest->end == GUEST_TIMEOUT && run->from_outside && once->from_memory) {
		/* The user has chosen this time for a guest that never ends. */
		status = STATUS_OK;
	} else {
		guest_end_text(guest, run->timeout, text);
		status = guest->end == GUEST_EXITED     ? (enum status)guest->status
		         : guest->end == GUEST_TIMEOUT  ? EXIT_TIMEOUT
		         : guest->end == GUEST_VANISHED ? EXIT_GUEST_FAILED
		                                        : STATUS_SYSTEM;
	}
	if (text->size && once->written && !once->from_memory)
		buffer_add_text(text, "; its profile had already arrived and is written");
	if (guest->end == GUEST_TIMEOUT && once->written && !once->from_memory && !run->until)
		buffer_add_text(text, ", use --until-dump if the program is never to end");
	return status;
}

/* Makes one try. If it fails, appends the failure to @text, and sets *@kind to the kind of failure. */
static enum status try_once(struct single_run *once, const char **kind, struct buffer *text)
{
	struct error error;
	enum status status = boot_and_collect(once, &error);
	enum status saved;

	*kind = "system";
	if (status != STATUS_OK) {
		buffer_add_text(text, error.text);
		return status;
	}
	saved = save_profile(once, &error);
	status = judge_end(once, text);
	*kind = status == STATUS_OK ? "dump" : once->guest.end == GUEST_TIMEOUT ? "timeout" : "guest";
	/* If the guest never started, do not report that it sent no dump. */
	if (saved != STATUS_OK && once->guest.end != GUEST_NOT_STARTED)
		buffer_printf(text, "%s%s", !text->size ? "" : waited_in_vain(once) ? ": " : ", and it ", error.text);
	if (text->size && (once->from_memory || !once->written))
		guest_memory_describe(&once->memory, text);
	once->may_retry =
		saved != STATUS_SYSTEM && once->guest.end != GUEST_NOT_STARTED && once->guest.end != GUEST_INTERRUPTED;
	return status != STATUS_OK ? status : saved;
}

enum status run_once(struct run *run)
{
	struct buffer typed = argument_text(run->send ? run->send : "");
	const char *out = run->out;
	struct result *result;
	enum status status;
	bool again;

	results_start(&run->results, 1);
	result = run->results.list;
	result->name = format("%s", run->name);
	run->timeout = run->timeout > 0 ? run->timeout : RUN_TIMEOUT;
	do {
		struct single_run once = {.run = run, .out = out, .typed = typed, .reads_stdin = !run->send};
		double start = seconds_now();
		struct buffer failure = {0};
		const char *kind;

		status = try_once(&once, &kind, &failure);
		typed = once.typed;
		if (once.written && !result->profile)
			result->profile = format("%s", once.out);
		again = status != STATUS_OK && once.may_retry && result->count < run->retries;
		if (failure.size && run->retries)
			complain(run->elf, "try %zu of %u: %s", result->count + 1, run->retries + 1,
				buffer_string(&failure));
		else if (failure.size)
			complain(run->elf, "%s", buffer_string(&failure));
		else if (result->count)
			complain(run->elf, "try %zu of %u passed: the result is flaky", result->count + 1,
				run->retries + 1);
		result_add(result, failure.size ? format("%s", buffer_string(&failure)) : NULL, kind,
			seconds_now() - start, &once.transcript);
		buffer_free(&failure);
		transcript_free(&once.transcript);
		dump_progress_free(&once.progress);
		dump_receiver_free(&once.dump);
		guest_memory_free(&once.memory);
		completion_report_free(&once.report);
		free(once.capture_name);
	} while (again);
	buffer_free(&typed);
	return status;
}
