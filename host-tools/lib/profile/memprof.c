/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memprof.c - keep a section whose insides are not looked at.
 */
#include "memprof.h"
#include "indexed.h"

#include <string.h>

static void keep(struct model *model, const struct memprof *memprof)
{
	uint8_t *copy;

	/* Which of two would be the first depends on the order: then there is none. */
	model->memprof.inputs += memprof->inputs;
	if (model->memprof.inputs != 1)
		return;
	copy = arena_take(&model->arena, memprof->section.size);
	if (memprof->section.size)
		memcpy(copy, memprof->section.data, memprof->section.size);
	model->memprof = *memprof;
	model->memprof.section.data = copy;
}

void memprof_add(
	struct model *model, const struct reading *reading, struct bytes section, uint64_t offset, unsigned int version)
{
	const struct memprof memprof = {.inputs = 1, .section = section, .offset = offset, .version = version};

	if (reading_takes_rest(reading))
		keep(model, &memprof);
}

void memprof_join(struct model *model, const struct model *from)
{
	if (from->memprof.inputs)
		keep(model, &from->memprof);
}

const char *memprof_loss(const struct model *model, unsigned int version)
{
	if (!model->memprof.inputs)
		return NULL;
	if (!version)
		return "it has no place there";
	if (model->memprof.inputs > 1)
		return "more than one input has one; merge what they were made of with llvm-profdata";
	/* The section's own version is that of the release that wrote it, or less. */
	if (version < model->memprof.version)
		return "releases older than the one that wrote it may not know its version";
	if (indexed_table_end(model, version) > model->memprof.offset)
		return "what stands before it has grown, and its offsets hold only where it was; add it to "
		       "the counts with llvm-profdata";
	return NULL;
}
