/* SPDX-License-Identifier: BSD-2-Clause */
/* probes_text.c - lists functions and their probes for people. */
#include "probes_print.h"

#include <inttypes.h>
#include <stdio.h>

#define OUTPUT_MAX 65536u

static const char *const types[PROBE_TYPES] = {
	[PROBE_BLOCK] = "block",
	[PROBE_INDIRECT_CALL] = "indirect call",
	[PROBE_DIRECT_CALL] = "call",
};

bool probes_matches(const struct probe_view *view, uint32_t node, const regex_t *regex)
{
	struct bytes linkage = probe_view_linkage(view, node);
	struct buffer text = {0};
	bool matches;

	if (!regex)
		return true;
	probe_view_name(view, node, &text);
	matches = !regexec(regex, buffer_string(&text), 0, NULL, 0);
	text.size = 0;
	buffer_add(&text, linkage.data, linkage.size);
	matches = matches || !regexec(regex, buffer_string(&text), 0, NULL, 0);
	buffer_free(&text);
	return matches;
}

/* Appends the line of a probe. A copy of a function has its name, and the chain of calls through which it came. */
static void add_probe(struct buffer *out, const struct probe_view *view, const struct probe *probe, uint32_t top)
{
	buffer_add(out, "  0x", 4);
	buffer_add_number(out, probe->address, 16);
	buffer_add(out, "  ", 2);
	buffer_add_text(out, types[probe->type]);
	buffer_add(out, " ", 1);
	buffer_add_number(out, probe->index, 10);
	if (probe->discriminator)
		buffer_printf(out, ", discriminator %" PRIu32, probe->discriminator);
	if (probe->node != top) {
		buffer_add_text(out, " of ");
		probe_view_name(view, probe->node, out);
		buffer_add_text(out, ", inlined");
		probe_view_chain(view, probe->node, out);
	}
	buffer_add(out, "\n", 1);
}

/* A function can have many long lines, so they are printed before all of them are made. */
static void print_above(struct buffer *out, size_t limit)
{
	if (out->size <= limit)
		return;
	fwrite(out->data, 1, out->size, stdout);
	out->size = 0;
}

static void add_group(struct buffer *out, const struct probe_view *view, const struct probe_group *group)
{
	uint32_t descriptor = view->descriptors[group->node];
	size_t i;

	probe_view_name(view, group->node, out);
	buffer_printf(out, ": %zu probe%s", group->count, group->count == 1 ? "" : "s");
	if (group->copies)
		buffer_printf(out, ", %zu inlined %s", group->copies, group->copies == 1 ? "copy" : "copies");
	if (descriptor != PROBE_NO_PARENT)
		buffer_printf(out, ", hash 0x%" PRIx64, view->probes->functions.descriptors[descriptor].hash);
	buffer_add(out, "\n", 1);
	for (i = 0; i < group->count; i++) {
		add_probe(out, view, &view->probes->probes[view->order[group->start + i]], group->node);
		print_above(out, OUTPUT_MAX);
	}
}

size_t probes_print_text(const struct probe_view *view, const regex_t *regex)
{
	struct buffer out = {0};
	size_t shown = 0;
	size_t i;

	for (i = 0; i < view->group_count; i++) {
		if (!probes_matches(view, view->groups[i].node, regex))
			continue;
		shown++;
		add_group(&out, view, &view->groups[i]);
	}
	print_above(&out, 0);
	buffer_free(&out);
	return shown;
}
