/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_progress.c - stores the indices of blocks as ranges. If the blocks of a dump arrive in order, there is only one
 * range, so adding a block takes constant time.
 */
#include "dump_progress.h"
#include "clock.h"
#include "stream_slice.h"

#include <bareprof/wire.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct dump_state *find_or_add(struct dump_progress *progress, const struct block *block)
{
	struct dump_state *dump;
	size_t i;

	/* Search backwards, because the block nearly always belongs to one of the last dumps. */
	for (i = progress->count; i--;)
		if (progress->dumps[i].tag == block->tag && progress->dumps[i].image == block->image)
			return &progress->dumps[i];
	progress->dumps = array_grow(progress->dumps, progress->count, &progress->room, sizeof(*progress->dumps));
	dump = &progress->dumps[progress->count++];
	progress->open++;
	*dump = (struct dump_state){.image = block->image, .tag = block->tag, .start = seconds_now()};
	return dump;
}

/* Adds @index to the ranges. Returns false if a range already contained it. */
static bool add_index(struct dump_state *dump, uint64_t index)
{
	struct block_range *received;
	size_t at = dump->received_count;
	bool joins_left;
	bool joins_right;

	while (at && dump->received[at - 1].first > index)
		at--;
	received = dump->received;
	if (at && received[at - 1].last >= index)
		return false;
	joins_left = at && received[at - 1].last + 1 == index;
	joins_right = at < dump->received_count && received[at].first - 1 == index;
	if (joins_left && joins_right) {
		received[at - 1].last = received[at].last;
		memmove(&received[at], &received[at + 1], (--dump->received_count - at) * sizeof(*received));
	} else if (joins_left) {
		received[at - 1].last = index;
	} else if (joins_right) {
		received[at].first = index;
	} else {
		dump->received = received =
			array_grow(received, dump->received_count, &dump->received_room, sizeof(*received));
		memmove(&received[at + 1], &received[at], (dump->received_count++ - at) * sizeof(*received));
		received[at] = (struct block_range){index, index};
	}
	return true;
}

/* Adds the indices of all blocks for which @block stands. Returns the number of indices that are new. */
static unsigned int add_indices(struct dump_state *dump, const struct block *block)
{
	unsigned int count = block_count(block);
	unsigned int added = 0;
	unsigned int i;

	for (i = 0; i < count; i++)
		added += add_index(dump, block->index + i);
	return added;
}

static bool is_complete(const struct dump_state *dump)
{
	return dump->ended && dump->received_count == 1 && !dump->received->first && dump->received->last >= dump->last;
}

void dump_progress_block(void *context, const struct block *block)
{
	struct dump_progress *progress = context;
	struct dump_state *dump;
	struct begin begin;
	unsigned int added;

	capture_add(progress->capture, block);
	/*
	 * Blocks of other types do not belong to a dump. Their index is not a position in a dump, so it is not counted.
	 */
	if (block->type < BAREPROF_BLOCK_BEGIN || block->type > BAREPROF_BLOCK_END)
		return;
	dump = find_or_add(progress, block);
	progress->current = dump;
	progress->latest = seconds_now();
	added = add_indices(dump, block);
	if (!added)
		return;
	dump->blocks += added;
	dump->bytes += block->payload.size;
	if (block->type == BAREPROF_BLOCK_BEGIN && !dump->ended && begin_read(&begin, block->payload) &&
		begin.format == BAREPROF_WIRE_VERSION && begin.span)
		dump->last = begin_last(&begin);
	if (block->type == BAREPROF_BLOCK_END) {
		dump->last = block->index;
		dump->ended = true;
	}
	if (dump->complete || !is_complete(dump))
		return;
	dump->complete = true;
	progress->open--;
	if (!progress->done && (!progress->wanted || sent_dump_named(progress->wanted, dump->tag, dump->image))) {
		progress->done = true;
		progress->tag = dump->tag;
		progress->image = dump->image;
	}
}

/*
 * Returns whether the target has sent the dump to its end. That is the case if END or the block before END has arrived.
 */
static bool was_sent(const struct dump_state *dump)
{
	return dump->ended ||
	       (dump->last && dump->received_count && dump->received[dump->received_count - 1].last + 1 >= dump->last);
}

bool dump_progress_stopped(const struct dump_progress *progress, double seconds)
{
	size_t i;

	if (!progress->current || !was_sent(progress->current) || seconds_now() - progress->latest < seconds)
		return false;
	for (i = 0; i < progress->count; i++) {
		const struct dump_state *dump = &progress->dumps[i];

		if (!dump->complete && was_sent(dump) &&
			(!progress->wanted || sent_dump_named(progress->wanted, dump->tag, dump->image)))
			return true;
	}
	return false;
}

/* Appends the range from @first to @last to @list. Returns false if there is no room for it. */
static bool add_range(struct buffer *list, uint64_t first, uint64_t last, size_t max)
{
	size_t before = list->size;

	buffer_printf(list, "%s%" PRIu64, before ? "," : "", first);
	if (last > first)
		buffer_printf(list, "-%" PRIu64, last);
	if (list->size <= max)
		return true;
	list->size = before;
	return false;
}

int64_t dump_progress_missing(const struct dump_state *dump, struct buffer *list, size_t max)
{
	uint64_t next = 0; /* all blocks before @next have arrived, or are in the list */
	int64_t last = -1;
	size_t i;

	for (i = 0; i <= dump->received_count; i++) {
		bool more = i < dump->received_count;
		uint64_t end = more ? dump->received[i].first : dump->last ? dump->last + 1 : 0;

		if (end > next && end <= UINT32_MAX) {
			if (!add_range(list, next, end - 1, max))
				return last;
			last = (int64_t)end - 1;
		}
		if (more)
			next = dump->received[i].last + 1;
	}
	return last;
}

bool dump_progress_has(const struct dump_state *dump, uint64_t index)
{
	size_t i;

	for (i = 0; i < dump->received_count; i++)
		if (index >= dump->received[i].first && index <= dump->received[i].last)
			return true;
	return false;
}

void dump_progress_free(struct dump_progress *progress)
{
	size_t i;

	for (i = 0; i < progress->count; i++)
		free(progress->dumps[i].received);
	free(progress->dumps);
	*progress = (struct dump_progress){0};
}
