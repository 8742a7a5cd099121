/* SPDX-License-Identifier: BSD-2-Clause */
/* pull_watch.c - checks the options of `bareprof pull --watch`, and chooses the loop that reads the target. */
#include "pull_watch.h"
#include "child.h"
#include "exit.h"
#include "memories.h"
#include "options.h"
#include "output.h"
#include "source_name.h"
#include "watch_sources.h"

#include <stdlib.h>

/* The shortest time between two looks, in seconds. */
#define WATCH_MIN 0.1

/* Returns an option that was given and is not for this kind of source, or NULL. */
static const char *useless(const struct pull_watch *watch)
{
	if (!watch->from)
		return watch->capture ? "capture" : watch->only_for_memory;
	return watch->send ? "send" : watch->log ? "log" : memory_named(watch->from) ? NULL : watch->only_for_memory;
}

static bool never_changes(const char *from)
{
	return starts_with(from, "core:") || starts_with(from, "kdump:");
}

static enum status check_options(const struct pull_watch *watch)
{
	if (watch->interval < WATCH_MIN)
		complain(NULL, "--watch takes at least %g seconds", WATCH_MIN);
	else if (!watch->from && (!watch->names[0] || watch->names[1]))
		complain(NULL, "--watch needs one live source, such as tty:/dev/ttyUSB0, or --from");
	else if (useless(watch))
		complain(NULL, "--%s cannot be combined with %s", useless(watch),
			watch->from ? "--watch and --from" : "--watch of a live source");
	else if (watch->from && never_changes(watch->from))
		complain(NULL, "--watch cannot be combined with --from %s, because such a file does not change",
			watch->from);
	else if (!programs_any(watch->completion.programs))
		complain(
			NULL, "--watch needs --elf or --elf-dir, because the lines are in the ELF file of the program");
	else
		return option_check_typed("send", watch->send);
	return STATUS_USAGE;
}

static enum status check_outputs(const struct pull_watch *watch)
{
	const char *subject = watch->out;
	struct error error;
	enum status status = watch->out ? output_possible(watch->out, &error) : STATUS_OK;

	if (status == STATUS_OK && watch->log) {
		subject = watch->log;
		status = output_possible(watch->log, &error);
	}
	if (status != STATUS_OK)
		error_print(subject, &error);
	return status;
}

static enum status run(struct watch_session *session, const struct pull_watch *watch, const char *name)
{
	enum status status = session_start(session);

	if (status != STATUS_OK)
		return status;
	if (name)
		return watch_live(session, watch, name);
	return memory_named(watch->from) ? watch_outside(session, watch) : watch_running(session, watch);
}

enum status pull_watch(const struct pull_watch *watch)
{
	struct watch_session session = {.interval = watch->interval,
		.out = watch->out,
		.view = {.json = watch->json},
		.programs = {.completion = watch->completion}};
	enum status status = check_options(watch);
	char *name = NULL;

	if (status == STATUS_OK && !watch->from) {
		name = source_name(watch->names[0]);
		session.patient = true;
		if (!name) {
			complain(watch->names[0], "is not a live source: --watch needs tty:, tcp: or unix:, or --from");
			status = STATUS_USAGE;
		}
	}
	if (status == STATUS_OK)
		status = check_outputs(watch);
	if (status == STATUS_OK) {
		/* Each look judges the counts itself, so they need not be checked before. */
		session.programs.completion.check = NULL;
		/* Ctrl-C ends the watching, and then the last profile is written. */
		catch_signals();
		status = session_end(&session, run(&session, watch, name));
	}
	free(name);
	return status;
}
