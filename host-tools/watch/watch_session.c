/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_session.c - times looks, shows them, and ends a session whose looks fail for too long. */
#include "watch_session.h"
#include "child.h"
#include "clock.h"
#include "exit.h"
#include "output.h"

#include <poll.h>
#include <stdlib.h>

/* A session ends if its looks have failed for this time, in seconds, and at least this number of times. */
#define GIVE_UP_SECONDS  60.0
#define GIVE_UP_FAILURES 3u

/* Signals are noticed after at most this time, in milliseconds. */
#define WAIT_STEP 200

static bool has_said(const struct buffer *said, const char *message)
{
	size_t at;

	for (at = 0; at < said->size; at += strlen((const char *)said->data + at) + 1)
		if (!strcmp((const char *)said->data + at, message))
			return true;
	return false;
}

/* Decides about a message: each one is printed once, as long as the looks that follow would print it again. */
static bool on_message(void *context, const char *message)
{
	struct watch_session *session = context;
	bool repeated;

	if (session->reading && caught_signal())
		return false;
	repeated = has_said(&session->said, message) || has_said(&session->said_before, message);
	buffer_add(&session->said, message, strlen(message) + 1);
	if (!session->failure && !strstr(message, ": warning: "))
		session->failure = format("%s", message);
	if (!repeated)
		view_hide(&session->view);
	return !repeated;
}

enum status session_start(struct watch_session *session)
{
	enum status status = watch_programs_open(&session->programs);

	session->last_good = seconds_now();
	if (status != STATUS_OK)
		return status;
	view_start(&session->view);
	messages_ask(on_message, session);
	return STATUS_OK;
}

void session_begin(struct watch_session *session)
{
	struct buffer free_now = session->said_before;

	session->said_before = session->said;
	session->said = free_now;
	session->said.size = 0;
	free(session->failure);
	session->failure = NULL;
	session->look++;
	session->start = seconds_now();
	session->reading = true;
	watch_programs_clear(&session->programs);
}

/* The text has no number, so that it is printed only once. */
static void warn(const struct watch_program *program, const struct look *look)
{
	if (look->impossible)
		complain(program->watched.path,
			"warning: has functions with impossible counts, because code counted while they were read; "
			"some of their lines are shown as new only after a later look");
}

/* Looks at each program that has a profile. Returns whether all succeeded, and there was one. */
static bool show_programs(struct watch_session *session)
{
	bool good = true;
	bool any = false;
	size_t i;

	for (i = 0; i < session->programs.count; i++) {
		struct watch_program *program = session->programs.list[i];
		struct watched_profile profile = {
			{program->raw.data, program->raw.size}, program->generation, program->generation_known};
		struct look look = {.base = false};
		struct error error;

		if (!program->raw.size)
			continue;
		any = true;
		if (watched_look(&program->watched, &profile, &look, &error) == STATUS_OK) {
			watch_program_keep(program);
			view_look(&session->view, session->look, &program->watched, &look);
			warn(program, &look);
		} else {
			error_print(program->watched.path, &error);
			good = false;
		}
		look_free(&look);
	}
	return good && any;
}

void session_done(struct watch_session *session, enum status status)
{
	double now;
	bool good;

	session->reading = false;
	good = show_programs(session) && status == STATUS_OK;
	now = seconds_now();
	if (good) {
		session->good++;
		session->failures = 0;
		session->last_good = now;
	} else {
		session->failures++;
		view_failed(
			&session->view, session->look, session->failure ? session->failure : "there was no profile");
	}
	view_status(&session->view, "");
	/* A look that takes long, and may stop the target, must not take more than half of the time. */
	session->next = session->start + session->interval;
	if (session->next < now + (now - session->start))
		session->next = now + (now - session->start);
}

void session_interrupted(struct watch_session *session)
{
	session->reading = false;
	session->look--;
}

static bool gives_up(const struct watch_session *session)
{
	if (!session->good && !session->patient)
		return session->failures > 0;
	return session->failures >= GIVE_UP_FAILURES && seconds_now() - session->last_good > GIVE_UP_SECONDS;
}

bool session_goes_on(const struct watch_session *session)
{
	return !caught_signal() && !view_is_closed(&session->view) && !gives_up(session);
}

bool session_wait(struct watch_session *session)
{
	while (session_goes_on(session)) {
		double rest = session->next - seconds_now();

		if (rest <= 0)
			return true;
		poll(NULL, 0, rest * 1000 < WAIT_STEP ? (int)(rest * 1000) + 1 : WAIT_STEP);
	}
	return false;
}

static enum status save(struct watch_session *session)
{
	struct buffer all = {0};
	struct error error;
	enum status status;
	size_t i;

	for (i = 0; i < session->programs.count; i++)
		buffer_add(&all, session->programs.list[i]->last.data, session->programs.list[i]->last.size);
	status = output_write(session->out, (struct bytes){all.data, all.size}, &error);
	if (status == STATUS_OK)
		complain(output_name(session->out), "%zu bytes from the last look", all.size);
	else
		error_print(session->out, &error);
	buffer_free(&all);
	return status;
}

enum status session_end(struct watch_session *session, enum status status)
{
	bool gave_up = gives_up(session);

	view_end(&session->view);
	messages_ask(NULL, NULL);
	if (gave_up && session->good)
		complain(NULL, "no look succeeded for %.0f seconds, so --watch ends", GIVE_UP_SECONDS);
	if (status == STATUS_OK && session->view.write_error)
		status = STATUS_SYSTEM;
	if (status == STATUS_OK && (gave_up || !session->good))
		status = STATUS_INVALID_INPUT;
	if (session->out && session->good) {
		enum status saved = save(session);

		status = saved != STATUS_OK ? saved : status;
	}
	watch_programs_free(&session->programs);
	buffer_free(&session->said);
	buffer_free(&session->said_before);
	free(session->failure);
	return status;
}
