/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_then.c - tells the target that its profile is written.
 */
#include "pull_then.h"
#include "arguments.h"
#include "exit.h"
#include "live.h"

/*
 * If the target has been silent for QUIET polls, it has handled the text of --then. Wait at most ANSWER seconds for
 * this silence.
 */
#define QUIET  4
#define ANSWER 5.0

struct answer {
	const struct source *source;
	const struct live *live;
	unsigned int quiet; /* number of polls since the last byte came or went */
};

/* Returns whether the target has been silent for more than QUIET polls since the last typed byte left this machine. */
static bool has_answered(void *context, struct bytes bytes)
{
	struct answer *answer = context;

	answer->quiet = bytes.size || answer->live->send.size || !source_taken(answer->source) ? 0 : answer->quiet + 1;
	return answer->quiet > QUIET;
}

enum status pull_then(const char *name, const char *then, struct source *source, struct console *console,
	struct progress_line *progress)
{
	struct buffer typed = argument_text(then);
	struct answer answer = {.source = source};
	struct live live = {
		.fd = source->fd,
		.console = console,
		.progress = progress,
		.send = {typed.data, typed.size},
		.timeout = ANSWER,
		.on_data = has_answered,
		.context = &answer,
	};
	bool taken;

	answer.live = &live;
	taken = live_run(&live) == LIVE_GONE || (!live.send.size && source_taken(source));
	buffer_free(&typed);
	if (taken)
		return STATUS_OK;
	complain(name, "the profile is written, but the target did not accept the text of --then: its counters "
		       "were not reset, so the next dump contains these counts again");
	return STATUS_INVALID_INPUT;
}
