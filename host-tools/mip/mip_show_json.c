/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_show_json.c - prints a machine profile for programs. docs/JSON.md describes the JSON, and docs/mip.schema.json is
 * its schema.
 */
#include "json.h"
#include "mip_show.h"

#include <stdio.h>
#include <stdlib.h>

#define SCHEMA "bareprof-mip-1"

static void put_kinds(struct json *json, uint32_t kinds)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} names[] = {
		{BAREPROF_MIP_KIND_COVERAGE, "coverage"},
		{BAREPROF_MIP_KIND_BLOCKS, "blocks"},
		{BAREPROF_MIP_KIND_ORDER, "order"},
		{BAREPROF_MIP_KIND_COUNT, "count"},
		{BAREPROF_MIP_KIND_RETURNS, "returns"},
		{BAREPROF_MIP_KIND_WRAPS, "wraps"},
	};
	size_t i;

	json_open(json, "kinds", '[');
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (kinds & names[i].bit)
			json_text(json, NULL, names[i].name);
	json_close(json, ']');
}

static void put_id(struct json *json, const struct buffer *id)
{
	struct buffer text = {0};

	buffer_add_hex(&text, (struct bytes){id->data, id->size});
	if (id->size)
		json_text(json, "build_id", buffer_string(&text));
	else
		json_null(json, "build_id");
	buffer_free(&text);
}

static void put_sections(struct json *json, const struct mip_profile *profile)
{
	static const char *const names[MIP_SECTIONS] = {"coverage", "calls", "blocks"};
	unsigned int i;

	json_open(json, "sections", '{');
	for (i = 0; i <= MIP_BLOCKS; i++) {
		json_open(json, names[i], '{');
		json->compact = true;
		json_hex(json, "address", profile->section[i].address);
		json_number(json, "size", profile->section[i].size);
		json_close(json, '}');
		json->compact = false;
	}
	json_close(json, '}');
}

static void put_blocks(struct json *json, const struct mip_function *function)
{
	struct mip_block *blocks;
	uint32_t count = mip_shown_blocks(function, &blocks);
	uint32_t i;

	json_open(json, "blocks", '[');
	for (i = 0; i < count; i++) {
		json_open(json, NULL, '{');
		json->compact = true;
		json_number(json, "offset", blocks[i].offset);
		if (function->kinds & BAREPROF_MIP_KIND_WRAPS && !blocks[i].ran)
			json_null(json, "ran");
		else
			json_bool(json, "ran", blocks[i].ran);
		json_close(json, '}');
		json->compact = false;
	}
	json_close(json, ']');
	free(blocks);
}

static void put_function(struct json *json, const struct mip_shown *shown, size_t index)
{
	const struct mip_function *function = &shown->profile->functions[index];
	const struct mip_source *source = &shown->sources->list[index];

	json_open(json, NULL, '{');
	json_bytes(json, "name", function->name);
	json_text(json, "demangled", source->name);
	if (source->file) {
		json_text(json, "file", source->file);
		json_number(json, "line", source->line);
	}
	json_hex(json, "address", function->address);
	json_number(json, "size", function->size);
	put_kinds(json, function->kinds);
	if (!function->kinds) {
		json_number(json, "reason", function->reason);
		json_text(json, "left_out", mip_reason_text(function->reason));
		json_close(json, '}');
		return;
	}
	json_number(json, "start_value", function->start);
	json_number(json, "raw_offset", function->raw);
	if (mip_run_known(function))
		json_bool(json, "ran", mip_ran(function));
	else
		json_null(json, "ran");
	json_number(json, "runs", function->runs);
	json_number(json, "calls", function->calls);
	json_bool(json, "calls_at_least", function->at_least);
	json_number(json, "order_sum", function->order_sum);
	json_number(json, "orders", function->orders);
	if (shown->profile->kinds & BAREPROF_MIP_KIND_BLOCKS) {
		json_number(json, "signature", function->signature);
		put_blocks(json, function);
	}
	json_close(json, '}');
}

static void put_totals(struct json *json, const struct mip_profile *profile)
{
	struct mip_totals totals = mip_count(profile);

	json_open(json, "totals", '{');
	json_number(json, "functions", totals.functions);
	json_number(json, "functions_run", totals.ran);
	json_number(json, "left_out", totals.left_out);
	json_number(json, "calls", totals.calls);
	json_close(json, '}');
}

void mip_show_json(const struct mip_shown *shown)
{
	const struct mip_profile *profile = shown->profile;
	struct json json = {.stream = stdout};
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	json_number(&json, "version", profile->version);
	json_number(&json, "pointer_bits", profile->width * 8);
	json_number(&json, "machine", profile->machine);
	put_kinds(&json, profile->kinds);
	put_id(&json, &profile->id);
	json_hex(&json, "module", profile->module);
	json_bool(&json, "relative", profile->relative);
	json_bool(&json, "guessed", profile->guessed);
	json_bool(&json, "numbered", profile->numbered);
	json_number(&json, "raw_profiles", profile->merged);
	put_sections(&json, profile);
	put_totals(&json, profile);
	json_open(&json, "functions", '[');
	for (i = 0; i < shown->count; i++)
		put_function(&json, shown, shown->list[i]);
	json_close(&json, ']');
	json_close(&json, '}');
}
