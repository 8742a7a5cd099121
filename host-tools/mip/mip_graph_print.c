/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_graph_print.c - prints a call graph as a table, in the language of Graphviz, and as JSON. docs/JSON.md describes
 * the JSON, and docs/mip-graph.schema.json is its schema.
 */
#include "json.h"
#include "mip_graph.h"

#include <inttypes.h>
#include <stdio.h>

#define SCHEMA "bareprof-mip-graph-1"

/* The estimates are not exact, so digits after the point would say nothing. */
static uint64_t rounded(double number)
{
	return number < 0x1p63 ? (uint64_t)(number + 0.5) : UINT64_MAX;
}

static uint64_t count_samples(const struct mip_graph *graph)
{
	uint64_t samples = 0;
	size_t i;

	for (i = 0; i < graph->profile->edge_count; i++)
		samples = add_saturating(samples, graph->profile->edges[i].samples);
	return samples;
}

void mip_graph_text(const struct mip_graph *graph)
{
	size_t i;

	printf("%14s %10s %10s  CALLER -> CALLEE\n", "CALLS", "+-", "SAMPLES");
	for (i = 0; i < graph->arc_count; i++) {
		const struct mip_arc *arc = &graph->arcs[i];

		printf("%14" PRIu64 " %10" PRIu64 " %10" PRIu64 "  %s -> %s", rounded(arc->calls), rounded(arc->error),
			arc->samples, graph->nodes[arc->caller].shown, graph->nodes[arc->callee].shown);
		if (arc->site)
			printf(" (returns to 0x%" PRIx64 ")", arc->site);
		putchar('\n');
	}
	printf("%" PRIu64 " samples of %zu functions; raw profiles: %" PRIu64 "\n", count_samples(graph),
		graph->node_count, graph->profile->merged);
}

static void put_quoted(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putchar('\\');
		putchar(*text == '\n' ? ' ' : *text);
	}
	putchar('"');
}

/* The widest line is the edge with the most calls. */
void mip_graph_dot(const struct mip_graph *graph)
{
	double most = graph->arc_count ? graph->arcs[0].calls : 0;
	size_t i;

	printf("digraph calls {\n\tnode [shape=box];\n");
	for (i = 0; i < graph->node_count; i++) {
		printf("\tn%zu [label=", i);
		put_quoted(graph->nodes[i].shown);
		printf("];\n");
	}
	for (i = 0; i < graph->arc_count; i++) {
		const struct mip_arc *arc = &graph->arcs[i];

		printf("\tn%zu -> n%zu [label=\"%" PRIu64 "\", penwidth=%.1f];\n", arc->caller, arc->callee,
			rounded(arc->calls), most > 0 ? 0.5 + 4 * arc->calls / most : 0.5);
	}
	printf("}\n");
}

static void put_node(struct json *json, const struct mip_node *node)
{
	json_open(json, NULL, '{');
	json->compact = true;
	if (node->name) {
		json_text(json, "name", node->name);
		json_text(json, "demangled", node->shown);
		json_hex(json, "address", node->address);
	} else {
		json_null(json, "name");
	}
	json_bool(json, "in_map", node->function != NULL);
	if (node->function && node->function->kinds & BAREPROF_MIP_KIND_COUNT)
		json_number(json, "calls", node->function->calls);
	json_close(json, '}');
	json->compact = false;
}

static void put_arc(struct json *json, const struct mip_arc *arc)
{
	json_open(json, NULL, '{');
	json->compact = true;
	json_number(json, "caller", arc->caller);
	json_number(json, "callee", arc->callee);
	if (arc->site)
		json_hex(json, "site", arc->site);
	json_number(json, "samples", arc->samples);
	json_number(json, "calls", rounded(arc->calls));
	json_number(json, "error", rounded(arc->error));
	json_close(json, '}');
	json->compact = false;
}

void mip_graph_json(const struct mip_graph *graph)
{
	struct json json = {.stream = stdout};
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	json_number(&json, "raw_profiles", graph->profile->merged);
	json_number(&json, "samples", count_samples(graph));
	json_open(&json, "functions", '[');
	for (i = 0; i < graph->node_count; i++)
		put_node(&json, &graph->nodes[i]);
	json_close(&json, ']');
	json_open(&json, "edges", '[');
	for (i = 0; i < graph->arc_count; i++)
		put_arc(&json, &graph->arcs[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
