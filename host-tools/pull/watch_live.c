/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch_live.c - watches a live source. The connection stays open, and the console is read all the time, so that no dump and
 * no text of the log is lost between two looks.
 */
#include "arguments.h"
#include "arriving.h"
#include "child.h"
#include "clock.h"
#include "console_log.h"
#include "exit.h"
#include "live.h"
#include "output.h"
#include "source.h"
#include "watch_sources.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * A look fails if the target does not begin its dump within this time after the text was typed, or if it stops within a dump
 * for this time, in seconds.
 */
#define ANSWER 10.0

/* Seconds between two updates of the line that shows the progress of a dump. */
#define PROGRESS 0.2

struct watching {
	struct watch_session *session;
	const char *name; /* of the source */
	const char *log;
	struct source source;
	struct scan scan;
	struct console console;
	struct progress_line progress; /* it is never shown, because the session has a line of its own */
	struct arriving arriving;
	struct live live;
	struct buffer typed; /* the text to type for each look */
	bool asked; /* the text was typed, and no dump is complete since then */
	double asked_at; /* seconds_now() when it was typed */
	double shown_at; /* seconds_now() when the progress was shown */
};

/* Looks at a dump, all of whose blocks have arrived. */
static void look_at(struct watching *watching, struct arriving_dump *arrived)
{
	struct watch_session *session = watching->session;
	struct dump_receiver dump;
	enum status status;

	dump_receiver_start(&dump, NULL, NULL);
	dump.completion = session->programs.completion;
	dump.capture = arrived->capture;
	arrived->capture = (struct capture){.count = 0};
	dump_receiver_sort(&dump);
	session_begin(session);
	status = watch_add_dump(&session->programs, watching->name, &dump, &dump.capture.sent_dumps[0]);
	session_done(session, status);
	dump_receiver_free(&dump);
	arriving_free(arrived);
}

/* Ends a look that failed because of @reason. */
static void fail(struct watching *watching, const char *reason)
{
	session_begin(watching->session);
	complain(watching->name, "%s", reason);
	session_done(watching->session, STATUS_INVALID_INPUT);
	watching->asked = false;
}

/* Reports the dumps that will not become complete, and looks at those that are complete. */
static void take_dumps(struct watching *watching)
{
	for (;;) {
		bool may_go_on = console_amid_block(&watching->console);
		struct arriving_dump *dump = may_go_on ? NULL : arriving_stalled(&watching->arriving, ANSWER);

		dump = dump ? dump : arriving_take(&watching->arriving);
		if (!dump)
			return;
		watching->asked = false;
		/* watch_add_dump() tells what an incomplete dump lacks. */
		look_at(watching, dump);
	}
}

/* Types the text for the next look, if it is due and no dump is arriving. */
static void ask(struct watching *watching)
{
	struct watch_session *session = watching->session;
	double now = seconds_now();

	if (!watching->typed.size || watching->asked || now < session->next || watching->arriving.count)
		return;
	watching->live.send = (struct bytes){watching->typed.data, watching->typed.size};
	watching->asked = true;
	watching->asked_at = now;
}

static void show_progress(struct watching *watching)
{
	const struct dump_state *dump = arriving_latest(&watching->arriving);
	double now = seconds_now();
	struct buffer text = {0};

	if (!dump || now - watching->shown_at < PROGRESS)
		return;
	watching->shown_at = now;
	buffer_printf(&text, "%" PRIu64, dump->blocks);
	if (dump->last)
		buffer_printf(&text, " of %" PRIu64, dump->last + 1);
	buffer_add_text(&text, " blocks");
	view_status(&watching->session->view, buffer_string(&text));
	buffer_free(&text);
}

/* Is called with each piece of the console, and 20 times a second while it is silent. Returns true to end. */
static bool on_data(void *context, struct bytes bytes)
{
	struct watching *watching = context;

	(void)bytes;
	take_dumps(watching);
	/* Text that the target does not take, for example because of flow control, is not typed twice. */
	if (watching->asked && !watching->arriving.count && seconds_now() - watching->asked_at > ANSWER) {
		watching->live.send.size = 0;
		fail(watching, "no dump arrived within 10 seconds after the text of --send was typed");
	}
	ask(watching);
	show_progress(watching);
	return !session_goes_on(watching->session);
}

static enum status listen_to(struct watching *watching)
{
	enum live_end end;

	watching->live = (struct live){
		.fd = watching->source.fd,
		.console = &watching->console,
		.progress = &watching->progress,
		.on_data = on_data,
		.context = watching,
	};
	end = live_run(&watching->live);
	if (end != LIVE_GONE)
		return STATUS_OK;
	take_dumps(watching);
	complain(watching->name, watching->live.error_number ? "went away: %s" : "went away",
		strerror(watching->live.error_number));
	return STATUS_INVALID_INPUT;
}

/* Opens the source and the log. Prints errors. */
static enum status prepare(struct watching *watching)
{
	const char *subject = watching->name;
	struct error error;
	enum status status = source_open(&watching->source, watching->name, &error);

	if (status == STATUS_OK && watching->log) {
		subject = watching->log;
		status = console_log_open(&watching->console, watching->log, &error);
	}
	if (status != STATUS_OK)
		error_print(subject, &error);
	return status;
}

enum status watch_live(struct watch_session *session, const struct pull_watch *watch, const char *name)
{
	struct watching watching = {
		.session = session,
		.name = name,
		.log = watch->log,
		.source = {.fd = -1},
		.typed = argument_text(watch->send ? watch->send : ""),
	};
	enum status status;

	watching.scan = (struct scan){.block = arriving_block,
		.context = &watching.arriving,
		.text = console_text,
		.text_context = &watching.console};
	watching.console.scan = &watching.scan;
	status = prepare(&watching);
	if (status == STATUS_OK)
		status = listen_to(&watching);
	source_close(&watching.source);
	status = console_log_close(&watching.console, watching.log, status);
	arriving_clear(&watching.arriving);
	scan_free(&watching.scan);
	buffer_free(&watching.typed);
	return status;
}
