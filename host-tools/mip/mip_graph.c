/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_graph.c - finds the callers of call sites, and estimates the number of calls of each edge. */
#include "mip_graph.h"

#include <stdlib.h>
#include <string.h>

/* The code of a function. A call site is the address after the call, so it can be the end, but not the start. */
struct code {
	uint64_t start;
	uint64_t end;
	const char *name; /* of a symbol that is not in the map */
	const struct mip_function *function;
	size_t node; /* index of the node, plus 1; 0: none yet */
};

struct codes {
	struct code *list; /* sorted by start; those of the map come first */
	size_t count;
};

static int compare_codes(const void *left, const void *right)
{
	const struct code *a = left;
	const struct code *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (b->function != NULL) - (a->function != NULL);
}

static int compare_starts(const void *left, const void *right)
{
	const struct code *a = left;
	const struct code *b = right;

	return compare_uint(a->start, b->start);
}

static struct codes list_codes(const struct mip_profile *profile, const struct image *image)
{
	struct codes codes = {
		.list = allocate(profile->count + (image ? image->symbol_count : 0), sizeof(*codes.list))};
	size_t i;

	for (i = 0; i < profile->count; i++) {
		const struct mip_function *function = &profile->functions[i];

		codes.list[codes.count++] =
			(struct code){function->address, function->address + function->size, NULL, function, 0};
	}
	for (i = 0; image && i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];

		if (symbol->function && symbol->size)
			codes.list[codes.count++] =
				(struct code){symbol->value, symbol->value + symbol->size, symbol->name, NULL, 0};
	}
	qsort(codes.list, codes.count, sizeof(*codes.list), compare_codes);
	return codes;
}

/*
 * Returns the code that contains the call before @site, or NULL. If several symbols contain it, returns the one that
 * starts last.
 */
static struct code *find_code(const struct codes *codes, uint64_t site)
{
	struct code key = {.start = site};
	size_t i = lower_bound(&key, codes->list, codes->count, sizeof(*codes->list), compare_starts);
	size_t tries = 16;

	while (i-- && tries--) {
		struct code *code = &codes->list[i];

		if (site > code->end)
			continue;
		/* If several functions have one address, the first one is that of the map. */
		while (code > codes->list && code[-1].start == code->start && code[-1].end >= site)
			code--;
		return code;
	}
	return NULL;
}

static size_t add_node(struct mip_graph *graph, struct mip_node node)
{
	graph->nodes = array_grow(graph->nodes, graph->node_count, &graph->node_room, sizeof(*graph->nodes));
	graph->nodes[graph->node_count] = node;
	return graph->node_count++;
}

static struct mip_node function_node(
	const struct mip_graph *graph, const struct mip_sources *sources, const struct mip_function *function)
{
	return (struct mip_node){(const char *)function->name.data,
		sources->list[function - graph->profile->functions].name, function->address, function};
}

/* Returns the index of the node of @code, and adds it if necessary. */
static size_t code_node(struct mip_graph *graph, const struct mip_sources *sources, struct code *code)
{
	if (!code->node) {
		struct mip_node node = {code->name, code->name, code->start, NULL};

		code->node = 1 + add_node(graph, code->function ? function_node(graph, sources, code->function) : node);
	}
	return code->node - 1;
}

/* The C library of some systems has sqrt() in a library of its own. */
static double square_root(double x)
{
	double root = x > 1 ? x : 1;
	int i;

	for (i = 0; i < 200 && x > 0; i++)
		root = (root + x / root) / 2;
	return x > 0 ? root : 0;
}

/*
 * Sets the number of calls of @arc, and its error. The callee has @samples samples. If n of N calls are samples, the
 * standard deviation of a share p is sqrt(p (1 - p) / n), and less if n is a large part of N. For the error, p is
 * computed with one more sample on the arc and one more on another arc. Otherwise the error would be 0 if the arc had
 * all of a few samples.
 */
static void estimate(struct mip_arc *arc, const struct mip_function *callee, uint64_t samples)
{
	double calls = (double)callee->calls;
	double share = (double)arc->samples / (double)samples;
	double p = ((double)arc->samples + 1) / ((double)samples + 2);
	double rest = calls > 1 && calls > (double)samples ? (calls - (double)samples) / (calls - 1) : 0;

	arc->calls = calls * share;
	arc->error = calls * square_root(p * (1 - p) / (double)samples * rest);
}

/* Arcs with the same ends become neighbors. */
static int compare_ends(const void *left, const void *right)
{
	const struct mip_arc *a = left;
	const struct mip_arc *b = right;

	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return compare_uint(a->site, b->site);
}

static int compare_calls(const void *left, const void *right)
{
	const struct mip_arc *a = left;
	const struct mip_arc *b = right;

	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return compare_ends(a, b);
}

/* Joins arcs with equal ends. */
static void join(struct mip_graph *graph, bool by_site)
{
	struct mip_arc *arcs = graph->arcs;
	size_t count = 0;
	size_t i;

	for (i = 0; i < graph->arc_count; i++) {
		struct mip_arc *last = count ? &arcs[count - 1] : NULL;

		if (last && last->callee == arcs[i].callee && last->caller == arcs[i].caller &&
			(!by_site || last->site == arcs[i].site)) {
			last->samples = add_saturating(last->samples, arcs[i].samples);
		} else {
			arcs[count] = arcs[i];
			arcs[count++].site = by_site ? arcs[i].site : 0;
		}
	}
	graph->arc_count = count;
}

static void weigh(struct mip_graph *graph)
{
	size_t first, end, i;

	for (first = 0; first < graph->arc_count; first = end) {
		uint64_t samples = 0;

		for (end = first; end < graph->arc_count && graph->arcs[end].callee == graph->arcs[first].callee; end++)
			samples = add_saturating(samples, graph->arcs[end].samples);
		for (i = first; i < end; i++)
			estimate(&graph->arcs[i], graph->nodes[graph->arcs[i].callee].function, samples);
	}
}

void mip_graph_make(struct mip_graph *graph, const struct mip_profile *profile, const struct mip_sources *sources,
	const struct image *image, bool by_site)
{
	struct codes codes = list_codes(profile, image);
	size_t *callees = allocate(profile->count, sizeof(*callees)); /* index of the node of each callee, plus 1 */
	size_t unknown = 0; /* the same for code that is not known */
	size_t i;

	*graph = (struct mip_graph){.profile = profile};
	/* Two functions of the map may have one address, so callees have nodes by their index. */
	for (i = 0; i < codes.count; i++)
		if (codes.list[i].function)
			callees[codes.list[i].function - profile->functions] = i + 1;
	graph->arcs = allocate(profile->edge_count + 1, sizeof(*graph->arcs));
	for (i = 0; i < profile->edge_count; i++) {
		const struct mip_edge *edge = &profile->edges[i];
		struct code *callee = &codes.list[callees[edge->callee] - 1];
		struct code *caller = edge->site ? find_code(&codes, edge->site) : NULL;
		struct mip_arc *arc = &graph->arcs[graph->arc_count++];

		if (!caller && !unknown)
			unknown = 1 + add_node(graph, (struct mip_node){NULL, "(not known)", 0, NULL});
		arc->callee = code_node(graph, sources, callee);
		arc->caller = caller ? code_node(graph, sources, caller) : unknown - 1;
		arc->site = edge->site;
		arc->samples = edge->samples;
	}
	qsort(graph->arcs, graph->arc_count, sizeof(*graph->arcs), compare_ends);
	join(graph, by_site);
	weigh(graph);
	qsort(graph->arcs, graph->arc_count, sizeof(*graph->arcs), compare_calls);
	free(codes.list);
	free(callees);
}

void mip_graph_free(struct mip_graph *graph)
{
	free(graph->nodes);
	free(graph->arcs);
	*graph = (struct mip_graph){0};
}
