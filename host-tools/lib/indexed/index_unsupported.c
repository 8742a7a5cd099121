/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * index_unsupported.c - lists the data that an index version cannot hold.
 */
#include "index_unsupported.h"
#include "indexed.h"
#include "versions.h"

static void add_to_list(struct buffer *text, const char *what)
{
	buffer_printf(text, "%s%s", text->size ? ", " : "", what);
}

const char *memprof_unsupported(const struct memprof *memprof, unsigned int version, uint64_t table_end)
{
	if (!memprof->inputs)
		return NULL;
	if (memprof->inputs > 1)
		return "more than one input has a memory profile; use llvm-profdata to merge the profiles from which "
		       "these inputs were made";
	/*
	 * The memory profile has a version of its own, which is not read. This test uses the index version of the input
	 * that contained the memory profile. A release that reads this index version can also read the memory profile.
	 */
	if (version < memprof->version)
		return "releases of LLVM before the one that wrote this memory profile may not know its version";
	if (table_end > memprof->offset)
		return "the data before the memory profile has grown, but a memory profile is valid only at its old "
		       "offset; add the "
		       "memory profile to the counts with llvm-profdata";
	return NULL;
}

void index_unsupported(const struct model *model, unsigned int version, struct buffer *list)
{
	struct contents contents = contents_of(model);
	const struct {
		bool lost;
		const char *what;
	} part[] = {
		{contents.bitmaps && version < INDEXED_BITMAPS, "MC/DC bitmaps"},
		{contents.vtables && version < INDEXED_VTABLES, "vtable values"},
		{contents.traces && version < INDEXED_TRACES, "temporal traces"},
		{contents.build_ids && version < INDEXED_BUILD_IDS, "build ids"},
		{contents.loops && version < INDEXED_LOOPS, "the flag of counted loop entries"},
	};
	const char *memprof = NULL;
	size_t i;

	for (i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		if (part[i].lost)
			add_to_list(list, part[i].what);
	if (model->memprof.inputs)
		memprof = memprof_unsupported(&model->memprof, version, indexed_table_end(model, version));
	if (memprof)
		buffer_printf(list, "%sthe memory profile (memprof): %s", list->size ? ", " : "", memprof);
}
