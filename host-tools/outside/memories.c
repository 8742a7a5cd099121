/* SPDX-License-Identifier: BSD-2-Clause */
/* memories.c - the table of all kinds of memory. */
#include "memories.h"
#include "memory_core.h"
#include "memory_gdb.h"
#include "memory_kdump.h"
#include "memory_qmp.h"

#include <stdlib.h>

static const struct memory_source *const sources[] = {
	&memory_gdb, &memory_qmp, &memory_core, &memory_kdump, &memory_proc, &memory_ram};
#define SOURCES (sizeof(sources) / sizeof(*sources))

static const struct memory_source *source_of(const char *text)
{
	size_t n = strcspn(text, ":");
	size_t i;

	for (i = 0; i < SOURCES && text[n]; i++)
		if (strlen(sources[i]->name) == n && !strncmp(sources[i]->name, text, n))
			return sources[i];
	return NULL;
}

bool memory_named(const char *text)
{
	return source_of(text);
}

void memory_forms(struct buffer *text)
{
	size_t i;

	for (i = 0; i < SOURCES; i++)
		buffer_printf(text, "%s%s", i ? ", " : "", sources[i]->form);
}

enum status memory_open(struct memory *memory, const char *text, struct error *error)
{
	*memory = (struct memory){.source = source_of(text), .name = format("%s", text)};
	return memory->source->open(memory, strchr(text, ':') + 1, error);
}
