/* SPDX-License-Identifier: BSD-2-Clause */
/* probe_view.c - groups probes by function, and finds the names to print. */
#include "probe_view.h"
#include "demangle.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *keep_name(struct arena *arena, struct bytes name)
{
	char *copy = arena_take(arena, name.size + 1);

	memcpy(copy, name.data, name.size);
	copy[name.size] = 0;
	printable(copy);
	return copy;
}

static void take_names(struct probe_view *view, bool linkage)
{
	const struct probe_functions *functions = &view->probes->functions;
	const char **names = allocate(functions->count + 1, sizeof(*names));
	size_t i;

	for (i = 0; i < functions->count; i++)
		names[i] = keep_name(&view->arena, functions->descriptors[i].name);
	if (!linkage)
		view->mangled = !source_names(names, functions->count, &view->arena);
	view->names = allocate(functions->count + 1, sizeof(*view->names));
	for (i = 0; i < functions->count; i++)
		view->names[i] = (struct bytes){(const uint8_t *)names[i], strlen(names[i])};
	free(names);
}

/* Finds the descriptor of each node once, because names are printed much more often. */
static void find_descriptors(struct probe_view *view)
{
	const struct probes *probes = view->probes;
	size_t i;

	view->descriptors = allocate(probes->node_count + 1, sizeof(*view->descriptors));
	for (i = 0; i < probes->node_count; i++) {
		const struct probe_descriptor *found = probe_descriptor(&probes->functions, probes->nodes[i].guid);

		view->descriptors[i] = found ? (uint32_t)(found - probes->functions.descriptors) : PROBE_NO_PARENT;
	}
}

/* qsort() passes no context to compare_groups(). */
static const struct probe_view *sorted;

static int compare_groups(const void *left, const void *right)
{
	const struct probe_group *a = left;
	const struct probe_group *b = right;

	if (a->count && b->count) {
		uint64_t first = sorted->probes->probes[sorted->order[a->start]].address;
		uint64_t second = sorted->probes->probes[sorted->order[b->start]].address;

		if (first != second)
			return first < second ? -1 : 1;
	} else if (a->count || b->count) {
		return a->count ? -1 : 1;
	}
	return compare_uint(a->node, b->node);
}

static void make_groups(struct probe_view *view)
{
	const struct probes *probes = view->probes;
	uint32_t *group = allocate(probes->node_count + 1, sizeof(*group)); /* of each node */
	size_t at = 0;
	size_t i;

	view->groups = allocate(probes->records + 1, sizeof(*view->groups));
	view->order = allocate(probes->count + 1, sizeof(*view->order));
	for (i = 0; i < probes->node_count; i++) {
		uint32_t parent = probes->nodes[i].parent;

		if (parent == PROBE_NO_PARENT) {
			view->groups[view->group_count].node = (uint32_t)i;
			group[i] = (uint32_t)view->group_count++;
		} else {
			group[i] = group[parent];
			view->groups[group[i]].copies++;
		}
	}
	for (i = 0; i < probes->count; i++)
		view->groups[group[probes->probes[i].node]].count++;
	for (i = 0; i < view->group_count; i++) {
		view->groups[i].start = at;
		at += view->groups[i].count;
		view->groups[i].count = 0;
	}
	for (i = 0; i < probes->count; i++) {
		struct probe_group *of = &view->groups[group[probes->probes[i].node]];

		view->order[of->start + of->count++] = i;
	}
	free(group);
	sorted = view;
	qsort(view->groups, view->group_count, sizeof(*view->groups), compare_groups);
}

void probe_view_make(struct probe_view *view, const struct probes *probes, bool linkage)
{
	memset(view, 0, sizeof(*view));
	view->probes = probes;
	take_names(view, linkage);
	find_descriptors(view);
	make_groups(view);
}

void probe_view_free(struct probe_view *view)
{
	free(view->names);
	free(view->descriptors);
	free(view->order);
	free(view->groups);
	arena_free(&view->arena);
}

void probe_view_name(const struct probe_view *view, uint32_t node, struct buffer *out)
{
	uint32_t descriptor = view->descriptors[node];
	struct bytes name = descriptor == PROBE_NO_PARENT ? probe_view_linkage(view, node) : view->names[descriptor];

	if (name.size)
		buffer_add(out, name.data, name.size);
	else
		buffer_printf(out, "0x%016" PRIx64, view->probes->nodes[node].guid);
}

struct bytes probe_view_linkage(const struct probe_view *view, uint32_t node)
{
	uint32_t index = view->descriptors[node];

	if (index == PROBE_NO_PARENT)
		return probe_name(view->probes, view->probes->nodes[node].guid);
	return view->probes->functions.descriptors[index].name;
}

void probe_view_chain(const struct probe_view *view, uint32_t node, struct buffer *out)
{
	uint32_t chain[PROBE_DEPTH_MAX];
	size_t count = probe_chain(view->probes, node, chain);
	size_t i;

	for (i = 1; i < count; i++) {
		buffer_add(out, " @ ", 3);
		probe_view_name(view, chain[i - 1], out);
		buffer_add(out, ":", 1);
		buffer_add_number(out, view->probes->nodes[chain[i]].call, 10);
	}
}

const char *probe_type_name(unsigned int type)
{
	static const char *const names[PROBE_TYPES] = {
		[PROBE_BLOCK] = "Block",
		[PROBE_INDIRECT_CALL] = "IndirectCall",
		[PROBE_DIRECT_CALL] = "DirectCall",
	};

	return names[type];
}
