/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memprof.c - copies the memory profile of an input without looking into it.
 */
#include "memprof.h"

#include <string.h>

void memprof_add(struct memprof *memprof, struct arena *arena, const struct memprof *from)
{
	uint8_t *copy;

	/*
	 * If two inputs have a memory profile, the order of the inputs decides which memory profile is copied.
	 * Therefore, in this case, no memory profile is written (index_unsupported.c).
	 */
	memprof->inputs += from->inputs;
	if (!from->inputs || memprof->inputs != 1)
		return;
	copy = arena_take(arena, from->section.size);
	if (from->section.size)
		memcpy(copy, from->section.data, from->section.size);
	*memprof = *from;
	memprof->section.data = copy;
}
