/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ask.c - decides when to ask for which blocks. A block that still comes by itself need not be asked for, so pull waits
 * until the dump has ended, or until the target is silent for longer than it was between its blocks.
 */
#include "ask.h"
#include "arguments.h"
#include "clock.h"

#include <bareprof/capture.h>

/* The list of blocks in a request has at most this many characters, because consoles have short lines. */
#define LIST 40
/* Give up after so many texts in a row that brought no block. Of texts that get lost with their answers half of the
 * time, 16 in a row get lost once in 65,536 times. */
#define TRIES 16
/* The shortest time to wait for an answer, and for more blocks of a dump whose end has not come, in seconds. */
#define ANSWER 0.25
#define MORE   1.0

bool ask_has_place(const char *text)
{
	struct buffer plain = argument_text(text);
	const char *place = strstr(buffer_string(&plain), "%s");
	bool once = place && !strstr(place + 2, "%s");

	buffer_free(&plain);
	return once;
}

void ask_start(struct ask *ask, struct live *live, struct dump_progress *dumps, const char *text, double wait)
{
	*ask = (struct ask){
		.live = live,
		.dumps = dumps,
		.text = argument_text(text),
		.send = live->send,
		.wait = wait,
		.heard = seconds_now(),
		.last = -1,
	};
	ask->active = ask->heard;
}

void ask_free(struct ask *ask)
{
	buffer_free(&ask->text);
	buffer_free(&ask->typed);
}

/* Returns the incomplete dump to ask for, which is the one that the target sent last. NULL: there is none. */
static const struct dump_state *wanted_dump(const struct dump_progress *dumps)
{
	const struct dump_state *dump = dumps->current;

	if (!dump || dump->complete || (dumps->wanted && !sent_dump_named(dumps->wanted, dump->tag, dump->image)))
		return NULL;
	return dump;
}

/* Notes the time at which parts of dumps arrive, and the longest silence between them. */
static void note_activity(struct ask *ask, struct bytes bytes, double now)
{
	const struct scan *scan = ask->live->console->scan;
	size_t seen = scan->blocks + scan->damaged_lines + scan->damaged_frames;

	if (bytes.size)
		ask->heard = now;
	if (seen == ask->seen && !(bytes.size && console_amid_block(ask->live->console)))
		return;
	/* A silence after lost requests tells nothing about the target. */
	if (ask->seen && !ask->tries && now - ask->active > ask->gap)
		ask->gap = now - ask->active;
	ask->seen = seen;
	ask->active = now;
}

/* Returns the time to wait after the last activity. It doubles with each text that brought no block. */
static double patience(const struct ask *ask, double shortest)
{
	double time = 3 * ask->gap > shortest ? 3 * ask->gap : shortest;
	unsigned int i;

	for (i = 0; i < ask->tries && time < ask->wait; i++)
		time *= 2;
	return time < ask->wait ? time : ask->wait;
}

static void type(struct ask *ask, struct bytes text)
{
	ask->live->send = text;
	ask->active = ask->heard = seconds_now();
}

/* Types a request for the missing blocks of @dump, as many as one request can name. Returns false if it can name none. */
static bool type_request(struct ask *ask, const struct dump_state *dump)
{
	const char *text = buffer_string(&ask->text);
	const char *place = strstr(text, "%s");
	struct buffer list = {0};

	ask->last = dump_progress_missing(dump, &list, LIST);
	ask->blocks = dump->blocks;
	ask->dumps->requests++;
	ask->typed.size = 0;
	/* If the end of the last request got lost, the target waits for it, and would append this request. */
	if (ask->tries)
		buffer_add_text(&ask->typed, place + 2);
	buffer_add(&ask->typed, text, (size_t)(place - text));
	buffer_printf(&ask->typed, "%s.%u", buffer_string(&list), bareprof_crc32c(dump->tag, list.data, list.size));
	buffer_add_text(&ask->typed, place + 2);
	type(ask, (struct bytes){ask->typed.data, ask->typed.size});
	buffer_free(&list);
	return ask->last >= 0;
}

/* No block has arrived yet, so the dump has no name to ask for. Types the text of --send again after a silence. */
static bool ask_for_dump(struct ask *ask, double now)
{
	if (!ask->send.size || now - ask->heard < ask->wait)
		return true;
	if (++ask->tries >= TRIES)
		return false;
	type(ask, ask->send);
	return true;
}

bool ask_for_missing(struct ask *ask, struct bytes bytes)
{
	const struct dump_state *dump = wanted_dump(ask->dumps);
	double now = seconds_now();
	bool ended;

	note_activity(ask, bytes, now);
	if (ask->dumps->done)
		return true;
	if (ask->live->send.size) {
		ask->active = ask->heard = now;
		return true;
	}
	if (!dump)
		return ask->dumps->count || ask_for_dump(ask, now);
	if (dump->blocks != ask->blocks)
		ask->tries = 0;
	/* If the last block of the answer is there, the answer is over, even if others of its blocks are missing. */
	ended = ask->last < 0 ? dump->ended : dump_progress_has(dump, (uint64_t)ask->last);
	if (!ended && now - ask->active < patience(ask, ask->last < 0 ? MORE : ANSWER))
		return true;
	if (ask->last >= 0 && dump->blocks == ask->blocks && ++ask->tries >= TRIES)
		return false;
	return type_request(ask, dump);
}
