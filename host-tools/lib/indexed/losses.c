/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * losses.c - what does not fit into an index version, or into text.
 */
#include "losses.h"
#include "indexed.h"
#include "memprof.h"
#include "versions.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Of a name that is told, so much is. */
#define NAME_SHOWN 200u

static void add(struct buffer *text, const char *what)
{
	buffer_printf(text, "%s%s", text->size ? ", " : "", what);
}

static void index_losses(const struct model *model, unsigned int version, struct buffer *text)
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
	size_t i;

	for (i = 0; i < sizeof(part) / sizeof(part[0]); i++)
		if (part[i].lost)
			add(text, part[i].what);
}

static bool is_number(struct bytes name)
{
	size_t i = 0;

	while (i < name.size && isdigit(name.data[i]))
		i++;
	return i == name.size;
}

/* Text has no quotes. Does this name, as a line, read as itself, as a name? */
static bool is_line(struct bytes name)
{
	return name.size && !strchr("#:$", name.data[0]) && !memchr(name.data, 0, name.size) &&
	       !memchr(name.data, '\n', name.size) && !memchr(name.data, '\r', name.size) && !is_number(name) &&
	       (name.size != strlen(TEXT_UNKNOWN) || memcmp(name.data, TEXT_UNKNOWN, name.size));
}

/* As one of several in a line, with commas between. */
static bool is_item(struct bytes name)
{
	return !memchr(name.data, ',', name.size) && !isspace(name.data[0]) && !isspace(name.data[name.size - 1]);
}

/* Those that text cannot say, and the first of them. */
struct odd {
	uint64_t count;
	struct bytes first;
};

static void note(struct odd *odd, struct bytes name)
{
	if (!odd->count++)
		odd->first = name;
}

static void add_odd(struct buffer *text, const char *what, const struct odd *odd)
{
	if (!odd->count)
		return;
	add(text, what);
	buffer_printf(text, " (%" PRIu64, odd->count);
	if (odd->first.size)
		buffer_printf(text, ", the first of them '%.*s'",
			(int)(odd->first.size < NAME_SHOWN ? odd->first.size : NAME_SHOWN),
			(const char *)odd->first.data);
	buffer_add_text(text, ")");
}

static void text_losses(struct model *model, struct buffer *text)
{
	struct odd empty = {0};
	struct odd unsaid = {0};
	struct odd unnamed = {0};
	struct odd hollow = {0};
	size_t i;
	size_t j;

	for (i = 0; i < model->count; i++) {
		if (!model->functions[i].counter_count)
			note(&empty, model->functions[i].name);
		else if (!is_line(model->functions[i].name))
			note(&unsaid, model->functions[i].name);
	}
	for (i = 0; i < model->trace_count; i++) {
		if (!model->traces[i].count)
			note(&hollow, (struct bytes){NULL, 0});
		for (j = 0; j < model->traces[i].count; j++) {
			struct bytes name = model_name(model, model->traces[i].references[j]);

			if (!name.size)
				note(&unnamed, name);
			else if (is_line(name) && !is_item(name))
				note(&unsaid, name);
		}
	}
	add_odd(text, "functions without counters", &empty);
	add_odd(text, "names that lines of text cannot hold", &unsaid);
	add_odd(text, "temporal traces without functions", &hollow);
	add_odd(text, "functions of temporal traces that are not in the profile and so have no name", &unnamed);
}

void losses_of(struct model *model, unsigned int version, struct buffer *text)
{
	const char *memprof = memprof_loss(model, version);

	if (version)
		index_losses(model, version, text);
	else
		text_losses(model, text);
	if (memprof) {
		add(text, "the memory profile (memprof): ");
		buffer_add_text(text, memprof);
	}
}
