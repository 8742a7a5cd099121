/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memprof.c - keep a section whose insides are not looked at.
 */
#include "memprof.h"

#include <string.h>

void memprof_add(struct memprof *memprof, struct arena *arena, const struct memprof *from)
{
	uint8_t *copy;

	/* Which of two would be the first depends on the order: then there is none. */
	memprof->inputs += from->inputs;
	if (!from->inputs || memprof->inputs != 1)
		return;
	copy = arena_take(arena, from->section.size);
	if (from->section.size)
		memcpy(copy, from->section.data, from->section.size);
	*memprof = *from;
	memprof->section.data = copy;
}
