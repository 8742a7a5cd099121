/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes_json.c - prints probes for programs. docs/JSON.md describes the JSON, and docs/probes.schema.json is its
 * schema.
 */
#include "json.h"
#include "probes_print.h"

#include <stdio.h>

#define SCHEMA "bareprof-probes-1"

static void put_name(struct json *json, const struct probe_view *view, uint32_t node)
{
	struct bytes linkage = probe_view_linkage(view, node);

	if (linkage.size)
		json_bytes(json, "function", linkage);
	else
		json_null(json, "function");
}

static void put_chain(struct json *json, const struct probe_view *view, uint32_t node)
{
	uint32_t chain[PROBE_DEPTH_MAX];
	size_t count = probe_chain(view->probes, node, chain);
	size_t i;

	json_open(json, "inlined", '[');
	for (i = 1; i < count; i++) {
		json_open(json, NULL, '{');
		put_name(json, view, chain[i - 1]);
		json_hex(json, "guid", view->probes->nodes[chain[i - 1]].guid);
		json_number(json, "call", view->probes->nodes[chain[i]].call);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_probe(struct json *json, const struct probe_view *view, const struct probe *probe)
{
	static const char *const types[PROBE_TYPES] = {
		[PROBE_BLOCK] = "block",
		[PROBE_INDIRECT_CALL] = "indirect-call",
		[PROBE_DIRECT_CALL] = "call",
	};

	json_open(json, NULL, '{');
	json->compact = true;
	json_hex(json, "address", probe->address);
	put_name(json, view, probe->node);
	json_hex(json, "guid", view->probes->nodes[probe->node].guid);
	json_number(json, "index", probe->index);
	json_text(json, "type", types[probe->type]);
	if (probe->discriminator)
		json_number(json, "discriminator", probe->discriminator);
	put_chain(json, view, probe->node);
	json_close(json, '}');
	json->compact = false;
}

static void put_group(struct json *json, const struct probe_view *view, const struct probe_group *group)
{
	uint32_t descriptor = view->descriptors[group->node];
	struct buffer name = {0};
	size_t i;

	json_open(json, NULL, '{');
	probe_view_name(view, group->node, &name);
	json_text(json, "name", buffer_string(&name));
	buffer_free(&name);
	put_name(json, view, group->node);
	json_hex(json, "guid", view->probes->nodes[group->node].guid);
	if (descriptor != PROBE_NO_PARENT)
		json_hex(json, "hash", view->probes->functions.descriptors[descriptor].hash);
	else
		json_null(json, "hash");
	json_open(json, "probes", '[');
	for (i = 0; i < group->count; i++)
		put_probe(json, view, &view->probes->probes[view->order[group->start + i]]);
	json_close(json, ']');
	json_close(json, '}');
}

/* A function without code of its own was inlined everywhere, or the linker dropped it. */
static void put_descriptors(struct json *json, const struct probe_functions *functions, const struct probe_view *view)
{
	size_t i;

	json_open(json, "descriptors", '[');
	for (i = 0; i < functions->count; i++) {
		json_open(json, NULL, '{');
		json->compact = true;
		json_bytes(json, "name", view->names[i]);
		json_bytes(json, "function", functions->descriptors[i].name);
		json_hex(json, "guid", functions->descriptors[i].guid);
		json_hex(json, "hash", functions->descriptors[i].hash);
		json_close(json, '}');
		json->compact = false;
	}
	json_close(json, ']');
}

size_t probes_print_json(const struct probe_view *view, const struct image *image, const regex_t *regex)
{
	struct json json = {.stream = stdout};
	size_t shown = 0;
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	json_number(&json, "pointer_bits", image->width * 8);
	json_number(&json, "lost_records", view->probes->lost_records);
	json_number(&json, "lost_probes", view->probes->lost_probes);
	json_open(&json, "functions", '[');
	for (i = 0; i < view->group_count; i++)
		if (probes_matches(view, view->groups[i].node, regex)) {
			put_group(&json, view, &view->groups[i]);
			shown++;
		}
	json_close(&json, ']');
	put_descriptors(&json, &view->probes->functions, view);
	json_close(&json, '}');
	return shown;
}
