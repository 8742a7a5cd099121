/* SPDX-License-Identifier: BSD-2-Clause */
/* arriving.c - a list of dumps by tag and image. A second BEGIN of a dump starts it again. */
#include "arriving.h"
#include "clock.h"

#include <bareprof/wire.h>
#include <stdlib.h>

void arriving_free(struct arriving_dump *dump)
{
	dump_progress_free(&dump->progress);
	capture_free(&dump->capture);
	free(dump);
}

static struct arriving_dump *take(struct arriving_dump **list, size_t *count, size_t i)
{
	struct arriving_dump *dump = list[i];

	memmove(&list[i], &list[i + 1], (--*count - i) * sizeof(*list));
	return dump;
}

static void add(struct arriving *arriving, const struct block *block)
{
	struct arriving_dump *dump = allocate(1, sizeof(*dump));

	if (arriving->count == ARRIVING_MAX)
		arriving_free(take(arriving->list, &arriving->count, 0));
	dump->tag = block->tag;
	dump->image = block->image;
	dump->progress.capture = &dump->capture;
	arriving->list[arriving->count++] = dump;
}

/* Returns the index of the dump that @block belongs to. The dump is added if it is new. */
static size_t find_or_add(struct arriving *arriving, const struct block *block)
{
	size_t i;

	for (i = 0; i < arriving->count; i++) {
		struct arriving_dump *dump = arriving->list[i];

		if (dump->replaced || dump->tag != block->tag || dump->image != block->image)
			continue;
		if (block->type != BAREPROF_BLOCK_BEGIN || !dump->begun)
			return i;
		dump->replaced = true;
	}
	add(arriving, block);
	return arriving->count - 1;
}

void arriving_block(void *context, const struct block *block)
{
	struct arriving *arriving = context;
	struct arriving_dump *dump;
	size_t i;

	if (block->type < BAREPROF_BLOCK_BEGIN || block->type > BAREPROF_BLOCK_END)
		return;
	i = find_or_add(arriving, block);
	dump = arriving->list[i];
	dump->begun |= block->type == BAREPROF_BLOCK_BEGIN;
	dump_progress_block(&dump->progress, block);
	if (!dump->progress.done)
		return;
	if (arriving->complete_count == ARRIVING_MAX)
		arriving_free(take(arriving->complete, &arriving->complete_count, 0));
	arriving->complete[arriving->complete_count++] = take(arriving->list, &arriving->count, i);
}

struct arriving_dump *arriving_take(struct arriving *arriving)
{
	return arriving->complete_count ? take(arriving->complete, &arriving->complete_count, 0) : NULL;
}

struct arriving_dump *arriving_stalled(struct arriving *arriving, double seconds)
{
	double now = seconds_now();
	size_t i;

	for (i = 0; i < arriving->count; i++)
		if (arriving->list[i]->replaced || dump_progress_stopped(&arriving->list[i]->progress, DUMP_GRACE) ||
			now - arriving->list[i]->progress.latest > seconds)
			return take(arriving->list, &arriving->count, i);
	return NULL;
}

const struct dump_state *arriving_latest(const struct arriving *arriving)
{
	const struct dump_progress *latest = NULL;
	size_t i;

	for (i = 0; i < arriving->count; i++)
		if (!latest || arriving->list[i]->progress.latest > latest->latest)
			latest = &arriving->list[i]->progress;
	return latest ? latest->current : NULL;
}

void arriving_clear(struct arriving *arriving)
{
	while (arriving->complete_count)
		arriving_free(arriving_take(arriving));
	while (arriving->count)
		arriving_free(take(arriving->list, &arriving->count, 0));
}
