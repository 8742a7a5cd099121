/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_live.c - `bareprof pull` from a target that is talking. It cannot be
 * asked again, so whatever is complete is kept; but OUT is only ever the dump
 * that was meant.
 */
#include "pull_live.h"
#include "arguments.h"
#include "baud_detect.h"
#include "child.h"
#include "exit.h"
#include "live.h"
#include "output.h"
#include "save.h"
#include "source.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct pulling {
	const struct pull_live *pull;
	struct source source;
	struct console console;
	struct progress progress;
	struct watch watch;
	struct noise noise;
	struct dump dump;
	enum live_end end;
	int why; /* errno if it is gone */
	bool warned;
	const struct live *answer; /* to --then */
	unsigned int quiet;
};

/* So much must look like a wrong rate before it is said, or at the end, when no more will come. */
#define NOISE     512
#define NOISE_END 32

/* What --then says is taken and done if so often there is nothing to hear; seconds for that. */
#define QUIET  4
#define ANSWER 5.0

static bool looks_wrong(const struct pulling *pulling, size_t least)
{
	return pulling->source.baud && noise_found(&pulling->noise, least) && !pulling->dump.scan.blocks &&
	       !console_amid_frame(&pulling->console);
}

/* "this looks like another baud rate than 115200; try 57600 or 38400" */
static void add_rates(const struct pulling *pulling, struct buffer *text)
{
	buffer_printf(text, "this looks like another baud rate than %u; try ", pulling->source.baud);
	source_propose(pulling->source.baud, noise_factor(&pulling->noise), text);
}

static void warn(struct pulling *pulling)
{
	struct buffer text = {0};

	add_rates(pulling, &text);
	progress_clear(&pulling->progress);
	complain(pulling->pull->name, "%s", buffer_string(&text));
	buffer_free(&text);
	pulling->warned = true;
}

/* The progress line goes only where something else must stand. */
static void show_text(void *context, struct bytes text)
{
	struct pulling *pulling = context;

	progress_clear(&pulling->progress);
	console_text(&pulling->console, text);
}

static bool heard(void *context, struct bytes bytes)
{
	struct pulling *pulling = context;

	noise_add(&pulling->noise, bytes);
	if (!pulling->warned && looks_wrong(pulling, NOISE))
		warn(pulling);
	if (pulling->pull->until)
		return pulling->console.seen;
	return pulling->pull->all ? pulling->watch.done && !pulling->watch.open : pulling->watch.done;
}

static void listen_to(struct pulling *pulling)
{
	const struct pull_live *pull = pulling->pull;
	struct buffer typed = argument_text(pull->send ? pull->send : "");
	struct live live = {
		.fd = pulling->source.fd,
		.console = &pulling->console,
		.progress = &pulling->progress,
		.send = {typed.data, typed.size},
		.timeout = pull->timeout,
		.heard = heard,
		.context = pulling,
	};

	progress_start(&pulling->progress, &pulling->watch);
	pulling->end = live_run(&live);
	pulling->why = live.why;
	/* What asked for more may have come with the very last bytes. */
	if (pulling->end != LIVE_DONE && heard(pulling, (struct bytes){NULL, 0}))
		pulling->end = LIVE_DONE;
	buffer_free(&typed);
}

/* Put the dump @tag, or with NULL the one that was meant, together; or why that cannot be. */
static enum status finish(struct pulling *pulling, const char *tag, struct error *error)
{
	struct dump *dump = &pulling->dump;
	enum status status = dump_finish(dump, tag, error);
	size_t count = dump->capture.session_count;
	struct buffer text = {0};

	if (status != STATUS_BAD)
		return status;
	if (!count && !dump->scan.damaged_lines) {
		buffer_add_text(&text, "no dump came, neither lines with '" BAREPROF_TEXT_MARKER "' nor frames");
		if (looks_wrong(pulling, NOISE_END)) {
			buffer_add_text(&text, "; ");
			add_rates(pulling, &text);
		}
		error_set(error, status, "%s", buffer_string(&text));
		buffer_free(&text);
		return status;
	}
	/* Advice for logs does not help here. */
	if (count && dump->session && dump->session->state != SESSION_COMPLETE) {
		session_problem(dump->session, &text);
		dump_damage(dump, &text);
		error_set(error, status, "%.3900s", buffer_string(&text));
		buffer_free(&text);
	}
	return status;
}

static enum status write_out(struct pulling *pulling, const char *wanted)
{
	struct buffer *stream = &pulling->dump.stream;
	char *path = save_name(&pulling->dump, wanted, pulling->pull->named);
	struct error error;
	enum status status = output_write(path, (struct bytes){stream->data, stream->size}, &error);

	if (status == STATUS_OK)
		save_report(&pulling->dump, path);
	else
		error_print(path, &error);
	buffer_free(stream);
	free(path);
	return status;
}

static enum status keep(struct pulling *pulling, const struct session *session)
{
	char *path = format("%s.%08" PRIx32, pulling->pull->out, session->tag);
	struct error error;
	enum status status = dump_take(&pulling->dump, session, &error);

	if (status == STATUS_OK)
		status = write_out(pulling, path);
	else
		error_print(pulling->pull->name, &error);
	free(path);
	return status;
}

/* Of the dumps beside @meant, keep the complete ones under names of their own, and name the others. */
static enum status keep_others(struct pulling *pulling, const struct session *meant)
{
	const struct capture *capture = &pulling->dump.capture;
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < capture->session_count; i++) {
		const struct session *session = &capture->sessions[i];
		struct buffer text = {0};

		if (session != meant && session->state == SESSION_COMPLETE) {
			if (keep(pulling, session) != STATUS_OK)
				status = STATUS_SYSTEM;
		} else if (session != meant) {
			session_problem(session, &text);
			if (session > meant && !pulling->pull->until)
				buffer_add_text(&text, "; with --until or --all it would have been waited for");
			complain(pulling->pull->name, "%.3900s", buffer_string(&text));
			buffer_free(&text);
		}
	}
	return status;
}

/* How it ended, if not as it should: appends to @text. */
static void add_end(const struct pulling *pulling, struct buffer *text)
{
	switch (pulling->end) {
	case LIVE_GONE:
		buffer_printf(text, pulling->why ? "went away (%s)" : "went away", strerror(pulling->why));
		break;
	case LIVE_TIMEOUT:
		buffer_printf(text, "time was up after %g s", pulling->pull->timeout);
		break;
	case LIVE_INTERRUPTED:
		buffer_add_text(text, "was interrupted");
		break;
	default:
		break;
	}
}

/* The sentence on how it ended and on what is missing; @missing may be NULL. */
static void say_end(const struct pulling *pulling, const struct error *missing)
{
	struct buffer text = {0};

	add_end(pulling, &text);
	if (text.size && pulling->pull->until)
		buffer_printf(&text, " before a line with '%.200s' came", pulling->pull->until);
	if (text.size && missing)
		buffer_add_text(&text, ": ");
	if (missing)
		buffer_printf(&text, "%.3500s", missing->text);
	if (text.size)
		complain(pulling->pull->name, "%s", buffer_string(&text));
	buffer_free(&text);
}

/* The exit code, if that also depends on how it ended. */
static enum status with_end(const struct pulling *pulling, enum status status)
{
	if (pulling->end == LIVE_TIMEOUT && (status == STATUS_OK || status == STATUS_BAD))
		return STATUS_TIMEOUT;
	if (pulling->end == LIVE_GONE && status == STATUS_OK)
		return STATUS_BAD;
	return status;
}

/* The dump that was meant as OUT; the others beside it, if no single one was asked for. */
static enum status save_chosen(struct pulling *pulling)
{
	const struct pull_live *pull = pulling->pull;
	char *tag = pull->dump ? format("%s", pull->dump) : NULL;
	struct error error;
	enum status status;
	enum status others = STATUS_OK;
	bool came;

	if (!tag && !pull->until && pulling->watch.done)
		tag = format("%08" PRIx32 ".%" PRIu32, pulling->watch.tag, pulling->watch.image);
	status = finish(pulling, tag, &error);
	came = status == STATUS_OK;
	say_end(pulling, came ? NULL : &error);
	if (came)
		status = write_out(pulling, pull->out);
	if (!pull->dump)
		others = keep_others(pulling, pulling->dump.session);
	free(tag);
	return status != STATUS_OK ? status : others;
}

/* With --list or --all; without any dump it is as if one was meant. */
static enum status save_each(struct pulling *pulling)
{
	const struct pull_live *pull = pulling->pull;
	struct error error;

	say_end(pulling, NULL);
	return pull->only_list ? save_list(&pulling->dump, &error) : save_all(&pulling->dump, pull->name, pull->all);
}

static enum status save(struct pulling *pulling)
{
	const struct pull_live *pull = pulling->pull;

	dump_sort(&pulling->dump);
	if ((pull->only_list || pull->all) && pulling->dump.capture.session_count)
		return with_end(pulling, save_each(pulling));
	return with_end(pulling, save_chosen(pulling));
}

/* Nothing came, several times in a row, since all was typed and taken. */
static bool has_answered(void *context, struct bytes bytes)
{
	struct pulling *pulling = context;

	pulling->quiet =
		bytes.size || pulling->answer->send.size || !source_taken(&pulling->source) ? 0 : pulling->quiet + 1;
	return pulling->quiet > QUIET;
}

/*
 * Tell the target that it may let go of what is written here now, and hear what it
 * says: QEMU's serial lines forget what the guest has not read when we hang up.
 */
static enum status acknowledge(struct pulling *pulling)
{
	const struct pull_live *pull = pulling->pull;
	struct buffer typed = argument_text(pull->then);
	struct live live = {
		.fd = pulling->source.fd,
		.console = &pulling->console,
		.progress = &pulling->progress,
		.send = {typed.data, typed.size},
		.timeout = ANSWER,
		.heard = has_answered,
		.context = pulling,
	};
	bool taken;

	pulling->answer = &live;
	taken = live_run(&live) == LIVE_GONE || (!live.send.size && source_taken(&pulling->source));
	buffer_free(&typed);
	if (taken)
		return STATUS_OK;
	complain(pull->name, "all is written, but the target did not take what --then says: it has not let go of "
			     "its counters, and what it sends next has these in it again");
	return STATUS_BAD;
}

static enum status close_log(struct pulling *pulling, enum status status)
{
	FILE *log = pulling->console.show;
	int why = pulling->console.why;

	if (!pulling->pull->log || !log || log == stdout)
		return status;
	if (fclose(log) && !why)
		why = errno;
	if (!why)
		return status;
	complain(pulling->pull->log, "cannot be written: %s", strerror(why));
	return STATUS_SYSTEM;
}

/* All that can fail for other reasons than the target's, before it is asked. */
static enum status prepare(struct pulling *pulling)
{
	const struct pull_live *pull = pulling->pull;
	const char *subject = pull->name;
	struct error error;
	enum status status = STATUS_OK;

	if (pull->dump && !session_name_valid(pull->dump))
		status = error_set(&error, STATUS_USAGE, "'%s' is no dump: that is a tag of 8 digits", pull->dump);
	if (status == STATUS_OK && !pull->only_list) {
		subject = pull->all ? pull->all : pull->out;
		status = pull->all ? save_all_possible(pull->all, &error) : output_possible(pull->out, &error);
	}
	if (status == STATUS_OK && pull->log) {
		subject = pull->log;
		pulling->console.show = fopen(pull->log, "we");
		if (!pulling->console.show)
			status = error_set(&error, STATUS_SYSTEM, "cannot be opened: %s", strerror(errno));
	}
	if (status == STATUS_OK) {
		subject = pull->name;
		status = source_open(&pulling->source, pull->name, &error);
	}
	if (status != STATUS_OK)
		error_print(subject, &error);
	return status;
}

enum status pull_live(const struct pull_live *pull)
{
	struct pulling pulling = {.pull = pull, .source = {.fd = -1}};
	enum status status;

	catch_signals();
	pulling.console = (struct console){.scan = &pulling.dump.scan, .show = stdout, .until = pull->until};
	pulling.watch = (struct watch){.capture = &pulling.dump.capture, .wanted = pull->dump};
	dump_start(&pulling.dump, show_text, &pulling);
	pulling.dump.completing = pull->completing;
	pulling.dump.keeps = true;
	pulling.dump.scan.block = watch_block;
	pulling.dump.scan.context = &pulling.watch;
	status = prepare(&pulling);
	if (status == STATUS_OK) {
		listen_to(&pulling);
		status = save(&pulling);
		if (pull->then && status == STATUS_OK && pulling.end == LIVE_DONE)
			status = acknowledge(&pulling);
		source_close(&pulling.source);
	}
	status = close_log(&pulling, status);
	watch_free(&pulling.watch);
	dump_free(&pulling.dump);
	return status;
}
