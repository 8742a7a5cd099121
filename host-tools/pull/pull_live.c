/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_live.c - `bareprof pull` from a target that is sending now. choose_target() selects the dump that is written to
 * OUT. If this dump is incomplete, no other dump is written to OUT in its place. Without --dump, the other complete
 * dumps are written to files of their own, because the target may not be able to send them again.
 */
#include "pull_live.h"
#include "arguments.h"
#include "ask.h"
#include "baud_detect.h"
#include "child.h"
#include "clock.h"
#include "console_log.h"
#include "exit.h"
#include "live.h"
#include "output.h"
#include "pull_then.h"
#include "save.h"
#include "source.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct pull_state {
	const struct pull_live *pull;
	struct source source;
	struct console console;
	struct progress_line progress;
	struct dump_progress dumps;
	struct baud_detect baud;
	struct dump_receiver dump;
	enum live_end end;
	int error_number; /* errno if reading the source failed; 0: the peer closed the connection */
	bool warned; /* the user was warned of a wrong baud rate */
	double heard; /* when the last bytes came; 0: pull has just begun to listen */
	bool hinted; /* the user was told that the target does not answer to --send */
	bool gave_up; /* an incomplete dump ended, and then no block arrived for the seconds of --wait */
	struct ask ask; /* if --ask is given: the requests for missing blocks */
};

/*
 * The minimum numbers of bytes for recognising a wrong baud rate. NOISE is the number while pull listens. NOISE_END is
 * the number at the end, when no more bytes will arrive.
 */
#define NOISE     512
#define NOISE_END 32

/* pull says it if no byte comes for this number of seconds, and no dump has begun. */
#define SILENCE 10

static bool looks_wrong(const struct pull_state *state, size_t bytes_min)
{
	return state->source.baud && baud_detect_is_wrong(&state->baud, bytes_min) && !state->dump.scan.blocks &&
	       !console_amid_frame(&state->console);
}

/* Appends text such as "this looks like another baud rate than 115200; try 57600 or 38400". */
static void add_rates(const struct pull_state *state, struct buffer *text)
{
	buffer_printf(text, "the console seems to have another baud rate than %u; try ", state->source.baud);
	source_propose(state->source.baud, baud_detect_factor(&state->baud), text);
}

static void warn_of_baud(struct pull_state *state)
{
	struct buffer text = {0};

	add_rates(state, &text);
	progress_line_clear(&state->progress);
	complain(state->pull->name, "%s", buffer_string(&text));
	buffer_free(&text);
	state->warned = true;
}

/* A target that has just started may not read its console yet, so the text of --send can get lost. */
static void hint_at_silence(struct pull_state *state, struct bytes bytes)
{
	double now = seconds_now();

	if (bytes.size || !state->heard)
		state->heard = now;
	if (state->hinted || !state->pull->send || state->pull->ask || state->dumps.count ||
		now - state->heard < SILENCE)
		return;
	progress_line_clear(&state->progress);
	complain(state->pull->name,
		"no byte came for %d seconds; the target may have missed the text of --send: with --ask, pull types it "
		"again",
		SILENCE);
	state->hinted = true;
}

/* Removes the progress line before text of the console is shown in its place. */
static void show_text(void *context, struct bytes text)
{
	struct pull_state *state = context;

	progress_line_clear(&state->progress);
	console_text(&state->console, text);
}

static bool on_data(void *context, struct bytes bytes)
{
	struct pull_state *state = context;

	baud_detect_add(&state->baud, bytes);
	if (!state->warned && looks_wrong(state, NOISE))
		warn_of_baud(state);
	hint_at_silence(state, bytes);
	if (state->pull->until)
		return state->console.until_seen;
	if (state->pull->ask)
		state->gave_up = !ask_for_missing(&state->ask, bytes);
	else if (dump_progress_stopped(&state->dumps, state->pull->wait) && !console_amid_block(&state->console))
		state->gave_up = true;
	if (state->gave_up)
		return true;
	return state->pull->all ? state->dumps.done && !state->dumps.open : state->dumps.done;
}

static void listen_to(struct pull_state *state)
{
	const struct pull_live *pull = state->pull;
	struct buffer typed = argument_text(pull->send ? pull->send : "");
	struct live live = {
		.fd = state->source.fd,
		.console = &state->console,
		.progress = &state->progress,
		.send = {typed.data, typed.size},
		.timeout = pull->timeout,
		.on_data = on_data,
		.context = state,
	};

	if (pull->ask)
		ask_start(&state->ask, &live, &state->dumps, pull->ask, pull->wait);
	progress_line_start(&state->progress, &state->dumps);
	state->end = live_run(&live);
	state->error_number = live.error_number;
	/*
	 * The last bytes before the end may have contained the wanted dump or the text of --until, so check once more.
	 */
	if (state->end != LIVE_DONE && on_data(state, (struct bytes){NULL, 0}))
		state->end = LIVE_DONE;
	buffer_free(&typed);
}

/* The dump from which OUT is made. */
struct target {
	const struct sent_dump *sent; /* NULL: no dump could be chosen */
	enum status status; /* OK: a profile can be made from the dump */
	struct error error; /* the reason why no profile can be made */
};

static enum status explain_no_dump(struct pull_state *state, struct error *error)
{
	struct buffer text = {0};

	/*
	 * If lines were damaged, report the error of dump_receiver_finish(), because that error mentions the damaged
	 * lines.
	 */
	if (state->dump.scan.damaged_lines)
		return dump_receiver_finish(&state->dump, NULL, error);
	buffer_add_text(&text, "no dump arrived, neither lines with '" BAREPROF_TEXT_MARKER "' nor frames");
	if (looks_wrong(state, NOISE_END)) {
		buffer_add_text(&text, "; ");
		add_rates(state, &text);
	}
	error_set(error, STATUS_INVALID_INPUT, "%s", buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/*
 * Returns the dump that started last, except dumps of machine profiles and of samples. Returns NULL if all dumps are
 * such dumps, or if none is.
 */
static const struct sent_dump *last_other_dump(const struct capture *capture)
{
	const struct sent_dump *last = NULL;
	bool any = false;
	size_t i;

	for (i = 0; i < capture->sent_count; i++)
		if (sent_dump_reader(&capture->sent_dumps[i]))
			any = true;
		else
			last = &capture->sent_dumps[i];
	return any ? last : NULL;
}

/*
 * Chooses the dump from which OUT is made. If --dump is given, chooses the dump that --dump names. If neither --dump
 * nor --until is given, the first complete dump ended the listening, so chooses this first complete dump. If --until is
 * given without --dump, or if no dump is complete, chooses the dump that started last. If there are dumps of machine
 * profiles and others, only the others are chosen.
 */
static struct target choose_target(struct pull_state *state)
{
	const struct pull_live *pull = state->pull;
	const struct capture *capture = &state->dump.capture;
	const char *name = pull->dump;
	struct target target = {0};
	struct buffer text = {0};
	char first[32];

	if (!capture->sent_count) {
		target.status = explain_no_dump(state, &target.error);
		return target;
	}
	if (!name && !pull->until && state->dumps.done) {
		snprintf(first, sizeof(first), "%08" PRIx32 ".%" PRIu32, state->dumps.tag, state->dumps.image);
		name = first;
	} else if (!name && last_other_dump(capture)) {
		const struct sent_dump *other = last_other_dump(capture);

		snprintf(first, sizeof(first), "%08" PRIx32 ".%" PRIu32, other->tag, other->image);
		name = first;
	}
	target.status = sent_dump_choose(&target.sent, capture, name, pull->completion.partial, &target.error);
	if (target.status != STATUS_INVALID_INPUT)
		return target;
	/* The text of sent_dump_choose() contains advice for saved logs, so replace this text. */
	if (target.sent)
		sent_dump_problem(target.sent, &text);
	else
		buffer_add_text(&text, target.error.text);
	dump_receiver_damage(&state->dump, &text);
	error_set(&target.error, target.status, "%.3900s", buffer_string(&text));
	buffer_free(&text);
	return target;
}

static enum status write_out(struct pull_state *state, const char *wanted)
{
	struct buffer *stream = &state->dump.stream;
	char *path = save_name(&state->dump, wanted, state->pull->named);
	struct error error;
	enum status status = output_write(path, (struct bytes){stream->data, stream->size}, &error);

	if (status == STATUS_OK)
		save_report(&state->dump, path);
	else
		error_print(path, &error);
	buffer_free(stream);
	free(path);
	return status;
}

static enum status keep_one(struct pull_state *state, const struct sent_dump *sent)
{
	char *path = format("%s.%08" PRIx32, state->pull->out, sent->tag);
	struct error error;
	enum status status = dump_receiver_rebuild(&state->dump, sent, &error);

	if (status == STATUS_OK)
		status = write_out(state, path);
	else
		error_print(state->pull->name, &error);
	free(path);
	return status;
}

/* Writes each complete dump except @target to a file of its own. Reports the incomplete dumps. */
static enum status keep_others(struct pull_state *state, const struct sent_dump *target)
{
	const struct capture *capture = &state->dump.capture;
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < capture->sent_count; i++) {
		const struct sent_dump *sent = &capture->sent_dumps[i];
		struct buffer text = {0};

		if (sent == target)
			continue;
		if (sent->state == DUMP_COMPLETE) {
			if (keep_one(state, sent) != STATUS_OK)
				status = STATUS_SYSTEM;
		} else {
			sent_dump_problem(sent, &text);
			if (sent > target && !state->pull->until)
				buffer_add_text(&text, "; to wait for it, use --until or --all");
			complain(state->pull->name, "%.3900s", buffer_string(&text));
			buffer_free(&text);
		}
	}
	return status;
}

/* Appends the reason why the listening ended. If a complete dump or --until ended it, appends nothing. */
static void add_end(const struct pull_state *state, struct buffer *text)
{
	switch (state->end) {
	case LIVE_GONE:
		buffer_printf(
			text, state->error_number ? "went away (%s)" : "went away", strerror(state->error_number));
		break;
	case LIVE_TIMEOUT:
		buffer_printf(text, "timed out after %g s", state->pull->timeout);
		break;
	case LIVE_INTERRUPTED:
		buffer_add_text(text, "was interrupted");
		break;
	default:
		if (state->gave_up && state->pull->ask)
			buffer_printf(text, "stopped answering: the last %u %s no block", state->ask.tries,
				state->dumps.count ? "requests brought" : "texts of --send brought");
		else if (state->gave_up)
			buffer_printf(text, "sent no more blocks for %g s after the end of a dump", state->pull->wait);
		break;
	}
}

/*
 * Reports in one sentence the reason why the listening ended. If @missing is not NULL, the sentence also contains this
 * error, because of which there is no profile.
 */
static void report_end(const struct pull_state *state, const struct error *missing)
{
	struct buffer text = {0};

	add_end(state, &text);
	if (text.size && state->pull->until)
		buffer_printf(&text, " before a line with '%.200s' arrived", state->pull->until);
	if (text.size && missing)
		buffer_add_text(&text, ": ");
	if (missing)
		buffer_printf(&text, "%.3500s", missing->text);
	if (missing && state->gave_up)
		buffer_add_text(&text, state->pull->ask ? "; check that the target reads the requests, and dump again"
							: "; dump again, or use --until or --wait to listen longer");
	if (text.size)
		complain(state->pull->name, "%s", buffer_string(&text));
	buffer_free(&text);
}

/*
 * Returns the exit code of the command. If @status is OK or INVALID_INPUT and the listening timed out, returns
 * EXIT_TIMEOUT. If @status is OK but the source went away, returns INVALID_INPUT. Otherwise returns @status.
 */
static enum status with_end(const struct pull_state *state, enum status status)
{
	if (state->end == LIVE_TIMEOUT && (status == STATUS_OK || status == STATUS_INVALID_INPUT))
		return EXIT_TIMEOUT;
	if (state->end == LIVE_GONE && status == STATUS_OK)
		return STATUS_INVALID_INPUT;
	return status;
}

/* Writes the chosen dump to OUT. Without --dump, also writes the other complete dumps to files beside OUT. */
static enum status save_target(struct pull_state *state)
{
	const struct pull_live *pull = state->pull;
	struct target target = choose_target(state);
	enum status status = target.status;
	enum status others = STATUS_OK;

	if (status == STATUS_OK)
		status = dump_receiver_rebuild(&state->dump, target.sent, &target.error);
	report_end(state, status == STATUS_OK ? NULL : &target.error);
	if (status == STATUS_OK)
		status = write_out(state, pull->out);
	if (!pull->dump)
		others = keep_others(state, target.sent);
	return status != STATUS_OK ? status : others;
}

/* With --list, lists each dump. With --all, writes each dump. */
static enum status save_each(struct pull_state *state)
{
	const struct pull_live *pull = state->pull;
	struct error error;

	report_end(state, NULL);
	return pull->only_list ? save_list(&state->dump, &error) : save_all(&state->dump, pull->name, pull->all);
}

static enum status save_dumps(struct pull_state *state)
{
	const struct pull_live *pull = state->pull;

	dump_receiver_sort(&state->dump);
	if (state->dumps.requests && state->dumps.done)
		complain(pull->name, "all blocks have arrived; %u %s for lost blocks", state->dumps.requests,
			state->dumps.requests == 1 ? "request asked" : "requests asked");
	if ((pull->only_list || pull->all) && state->dump.capture.sent_count)
		return with_end(state, save_each(state));
	return with_end(state, save_target(state));
}

/*
 * Checks the options, and opens the outputs and the source. All of this happens before the target is asked for a dump,
 * so that errors are found early.
 */
static enum status prepare(struct pull_state *state)
{
	const struct pull_live *pull = state->pull;
	const char *subject = pull->name;
	struct error error;
	enum status status = STATUS_OK;

	if (pull->dump && !sent_dump_name_valid(pull->dump))
		status = error_set(&error, STATUS_USAGE,
			"'%s' is not the name of a dump; the name is TAG or TAG.IMAGE, and TAG has 8 hexadecimal "
			"digits",
			pull->dump);
	if (status == STATUS_OK && !pull->only_list) {
		subject = pull->all ? pull->all : pull->out;
		status = pull->all ? save_all_possible(pull->all, &error) : output_possible(pull->out, &error);
	}
	if (status == STATUS_OK && pull->log) {
		subject = pull->log;
		status = output_possible(pull->log, &error);
	}
	if (status == STATUS_OK) {
		subject = pull->name;
		status = source_open(&state->source, pull->name, &error);
	}
	/* If the source cannot be opened, the log of an earlier call is kept. */
	if (status == STATUS_OK && pull->log) {
		subject = pull->log;
		status = console_log_open(&state->console, pull->log, &error);
		if (status != STATUS_OK)
			source_close(&state->source);
	}
	if (status != STATUS_OK)
		error_print(subject, &error);
	return status;
}

enum status pull_live(const struct pull_live *pull)
{
	struct pull_state state = {.pull = pull, .source = {.fd = -1}};
	enum status status;

	catch_signals();
	state.console = (struct console){.scan = &state.dump.scan, .show = stdout, .until = pull->until};
	state.dumps = (struct dump_progress){.capture = &state.dump.capture, .wanted = pull->dump};
	dump_receiver_start(&state.dump, show_text, &state);
	state.dump.completion = pull->completion;
	state.dump.keep_raw_capture = true;
	state.dump.asks = pull->ask;
	state.dump.scan.block = dump_progress_block;
	state.dump.scan.context = &state.dumps;
	status = prepare(&state);
	if (status == STATUS_OK) {
		listen_to(&state);
		status = save_dumps(&state);
		if (pull->then && status == STATUS_OK && state.end == LIVE_DONE)
			status = pull_then(pull->name, pull->then, &state.source, &state.console, &state.progress);
		source_close(&state.source);
	}
	status = console_log_close(&state.console, pull->log, status);
	ask_free(&state.ask);
	dump_progress_free(&state.dumps);
	dump_receiver_free(&state.dump);
	return status;
}
