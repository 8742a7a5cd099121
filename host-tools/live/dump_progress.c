/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_progress.c - which indices came, as ranges: a dump in order is one range, and
 * each block costs as much as it takes to make that range longer.
 */
#include "dump_progress.h"
#include "clock.h"

#include <bareprof/wire.h>
#include <stdlib.h>
#include <string.h>

static struct watched *find(struct watch *watch, const struct block *block)
{
	struct watched *session;
	size_t i;

	/* The last ones first: it is one of them nearly always. */
	for (i = watch->count; i--;)
		if (watch->sessions[i].tag == block->tag && watch->sessions[i].image == block->image)
			return &watch->sessions[i];
	watch->sessions = grow(watch->sessions, watch->count, &watch->room, sizeof(*watch->sessions));
	session = &watch->sessions[watch->count++];
	watch->open++;
	*session = (struct watched){.image = block->image, .tag = block->tag, .start = seconds_now()};
	return session;
}

/* Add @index to the ranges; false if it was there. */
static bool add_index(struct watched *session, uint64_t index)
{
	struct range *have;
	size_t at = session->have_count;
	bool joins_left;
	bool joins_right;

	while (at && session->have[at - 1].first > index)
		at--;
	have = session->have;
	if (at && have[at - 1].last >= index)
		return false;
	joins_left = at && have[at - 1].last + 1 == index;
	joins_right = at < session->have_count && have[at].first - 1 == index;
	if (joins_left && joins_right) {
		have[at - 1].last = have[at].last;
		memmove(&have[at], &have[at + 1], (--session->have_count - at) * sizeof(*have));
	} else if (joins_left) {
		have[at - 1].last = index;
	} else if (joins_right) {
		have[at].first = index;
	} else {
		session->have = have = grow(have, session->have_count, &session->have_room, sizeof(*have));
		memmove(&have[at + 1], &have[at], (session->have_count++ - at) * sizeof(*have));
		have[at] = (struct range){index, index};
	}
	return true;
}

static bool is_complete(const struct watched *session)
{
	return session->ended && session->have_count == 1 && !session->have->first &&
	       session->have->last >= session->last;
}

void watch_block(void *context, const struct block *block)
{
	struct watch *watch = context;
	struct watched *session;
	struct begin begin;

	capture_add(watch->capture, block);
	/* Other types have indices of their own. */
	if (block->type < BAREPROF_BLOCK_BEGIN || block->type > BAREPROF_BLOCK_END)
		return;
	session = find(watch, block);
	watch->current = session;
	if (!add_index(session, block->index))
		return;
	session->blocks++;
	session->bytes += block->payload.size;
	if (block->type == BAREPROF_BLOCK_BEGIN && !session->ended && begin_read(&begin, block->payload) &&
		begin.format == BAREPROF_WIRE_VERSION && begin.span)
		session->last = begin_last(&begin);
	if (block->type == BAREPROF_BLOCK_END) {
		session->last = block->index;
		session->ended = true;
	}
	if (session->complete || !is_complete(session))
		return;
	session->complete = true;
	watch->open--;
	if (!watch->done && (!watch->wanted || session_named(watch->wanted, session->tag, session->image))) {
		watch->done = true;
		watch->tag = session->tag;
		watch->image = session->image;
	}
}

void watch_free(struct watch *watch)
{
	size_t i;

	for (i = 0; i < watch->count; i++)
		free(watch->sessions[i].have);
	free(watch->sessions);
	*watch = (struct watch){0};
}
