/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show_json.c - prints a profile for programs. docs/JSON.md describes the JSON, and
 * docs/show.schema.json is its schema.
 */
#include "json.h"
#include "raw_release.h"
#include "show.h"

#include <stdio.h>

#define SCHEMA "bareprof-show-1"

static void put_words(struct json *json, const char *key, void (*words)(unsigned int version, struct buffer *text),
	unsigned int version)
{
	struct buffer text = {0};

	words(version, &text);
	json_text(json, key, buffer_string(&text));
	buffer_free(&text);
}

static void put_id(struct json *json, struct bytes id)
{
	struct buffer text = {0};

	buffer_add_hex(&text, id);
	json_text(json, NULL, buffer_string(&text));
	buffer_free(&text);
}

static void put_kind(struct json *json, uint64_t variants)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} flag[] = {
		{BAREPROF_VARIANT_BYTE_COVERAGE, "byte_coverage"},
		{BAREPROF_VARIANT_ENTRY_ONLY, "entry_only"},
		{BAREPROF_VARIANT_ENTRY_FIRST, "entry_first"},
		{BAREPROF_VARIANT_LOOP_ENTRIES, "loop_entries"},
		{BAREPROF_VARIANT_TEMPORAL, "temporal"},
	};
	struct buffer text = {0};
	size_t i;

	raw_kind_text(variants, &text);
	json_text(json, "kind", buffer_string(&text));
	json_text(json, "level",
		variants & BAREPROF_VARIANT_CSIR ? "csir"
		: variants & BAREPROF_VARIANT_IR ? "ir"
						 : "front-end");
	json_open(json, "flags", '[');
	for (i = 0; i < sizeof(flag) / sizeof(*flag); i++)
		if (variants & flag[i].bit)
			json_text(json, NULL, flag[i].name);
	json_close(json, ']');
	buffer_free(&text);
}

static void put_raw(struct json *json, const struct raw_profile *raw)
{
	struct bytes rest = raw->section[BAREPROF_BUILD_ID];
	struct bytes id;

	json_open(json, NULL, '{');
	json_number(json, "offset", raw->offset);
	json_number(json, "raw_version", raw->version);
	json_hex(json, "version_word", raw->version_word);
	put_words(json, "written_by", raw_release_text, raw->version);
	json_number(json, "pointer_bits", raw->width * 8);
	json_text(json, "byte_order", raw->big ? "big" : "little");
	json_bool(json, "correlated", raw_correlated(raw));
	json_number(json, "records", raw->records);
	json_number(json, "counters", raw->section[BAREPROF_CNTS].size / raw->counter_size);
	json_open(json, "build_ids", '[');
	while (raw_next_build_id(raw, &rest, &id))
		put_id(json, id);
	json_close(json, ']');
	json_close(json, '}');
}

static void put_indexed(struct json *json, const struct show_state *state)
{
	static const char *const stored[] = {
		[STORED_NONE] = "none",
		[STORED_RIGHT] = "right",
		[STORED_WRONG] = "wrong",
	};
	struct cursor ids = cursor_of((struct bytes){state->model.build_ids.data, state->model.build_ids.size});
	struct bytes id;

	json_open(json, "indexed", '{');
	json_number(json, "index_version", state->indexed.version);
	json_hex(json, "version_word", state->indexed.word[INDEXED_WORD_VERSION]);
	put_words(json, "read_by", show_readers, state->indexed.version);
	json_text(json, "stored_summary", stored[show_stored(state)]);
	json_bool(json, "memprof", state->indexed.variants & INDEXED_VARIANT_MEMPROF);
	json_bool(json, "found_by_clang", !show_unused(state));
	json_open(json, "build_ids", '[');
	while (show_next_id(&ids, &id))
		put_id(json, id);
	json_close(json, ']');
	json_close(json, '}');
}

static const char *const kinds[PROFILE_KINDS] = {"indirect_calls", "memory_operations", "virtual_calls"};

static void put_totals(struct json *json, const struct totals *totals)
{
	unsigned int kind;

	json_open(json, "totals", '{');
	json_number(json, "functions", totals->functions);
	json_number(json, "functions_run", totals->functions_run);
	json_number(json, "counters", totals->counters);
	json_number(json, "counters_run", totals->counters_run);
	json_number(json, "highest_count", totals->highest);
	json_number(json, "sum_of_counts", totals->sum);
	json_number(json, "bitmap_bytes", totals->bitmap_bytes);
	json_open(json, "value_sites", '{');
	for (kind = 0; kind < PROFILE_KINDS; kind++)
		json_number(json, kinds[kind], totals->sites[kind]);
	json_close(json, '}');
	json_close(json, '}');
}

static void put_summary(struct json *json, const char *key, const struct summary *summary)
{
	size_t i;

	json_open(json, key, '{');
	json_number(json, "functions", summary->functions);
	json_number(json, "counters", summary->blocks);
	json_number(json, "highest_first_count", summary->max_function_count);
	json_number(json, "highest_other_count", summary->max_internal_count);
	json_number(json, "highest_count", summary->max_count);
	json_number(json, "sum_of_counts", summary->total);
	json_open(json, "cutoffs", '[');
	for (i = 0; i < SUMMARY_CUTOFFS; i++) {
		json_open(json, NULL, '{');
		json->compact = true;
		json_number(json, "millionths", summary->cutoff[i].share);
		json_number(json, "least_count", summary->cutoff[i].min_count);
		json_number(json, "counters", summary->cutoff[i].blocks);
		json_close(json, '}');
		json->compact = false;
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void put_name(struct json *json, struct show_state *state, const char *key, uint64_t reference)
{
	struct bytes name = reference ? model_name(&state->model, reference) : (struct bytes){NULL, 0};

	if (name.size)
		json_bytes(json, key, name);
	else
		json_null(json, key);
}

static void put_value(struct json *json, struct show_state *state, unsigned int kind, const struct value *value)
{
	json_open(json, NULL, '{');
	json->compact = true;
	json_number(json, "count", value->count);
	if (kind == 1) {
		json_number(json, "size", value->value);
	} else {
		json_hex(json, "reference", value->value);
		/* Names of vtables are not printed, because the model does not keep these names. */
		if (kind == 0)
			put_name(json, state, "name", value->value);
	}
	json_close(json, '}');
	json->compact = false;
}

static void put_values(struct json *json, struct show_state *state, const struct sites *sites)
{
	unsigned int kind;
	uint32_t i;
	size_t j;

	json_open(json, "values", '{');
	for (kind = 0; kind < PROFILE_KINDS; kind++) {
		json_open(json, kinds[kind], '[');
		for (i = 0; sites && i < sites->count[kind]; i++) {
			json_open(json, NULL, '[');
			for (j = 0; j < sites->site[kind][i].count; j++)
				put_value(json, state, kind, &sites->site[kind][i].values[j]);
			json_close(json, ']');
		}
		json_close(json, ']');
	}
	json_close(json, '}');
}

static void put_function(struct json *json, struct show_state *state, const struct listed_function *listed)
{
	const struct show_choices *choices = &state->choices;
	const struct function *function = listed->function;
	uint32_t i;

	json_open(json, NULL, '{');
	json_bytes(json, "name", function->name);
	json_hex(json, "hash", function->hash);
	json_number(json, "counters", function->counter_count);
	json_number(json, "counters_run", listed->run);
	json_number(json, "highest_count", listed->highest);
	if (listed->order)
		json_number(json, "order", listed->order);
	if (choices->counts) {
		json_open(json, "counts", '[');
		json->compact = true;
		for (i = 0; i < function->counter_count; i++)
			json_number(json, NULL, function->counters[i]);
		json_close(json, ']');
		json->compact = false;
	}
	if (choices->bitmaps) {
		json_open(json, "bitmap", '[');
		json->compact = true;
		for (i = 0; i < function->bitmap_size; i++)
			json_number(json, NULL, function->bitmap[i]);
		json_close(json, ']');
		json->compact = false;
	}
	if (choices->values)
		put_values(json, state, function->sites);
	json_close(json, '}');
}

static void put_traces(struct json *json, struct show_state *state)
{
	const struct model *model = &state->model;
	size_t i;
	size_t j;

	json_number(json, "traces_seen", model->traces.stream_size);
	json_open(json, "traces", '[');
	for (i = 0; i < model->traces.count; i++) {
		json_open(json, NULL, '{');
		json_number(json, "weight", model->traces.list[i].weight);
		json_open(json, "functions", '[');
		for (j = 0; j < model->traces.list[i].count; j++)
			put_name(json, state, NULL, model->traces.list[i].references[j]);
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

void show_json(struct show_state *state)
{
	static const char *const forms[] = {
		[FORMAT_RAW] = "raw", [FORMAT_INDEXED] = "indexed", [FORMAT_UNKNOWN] = "text"};
	static const char *const hashes[] = {
		[HASHES_ANY] = "any", [HASHES_V3] = "v3", [HASHES_V4] = "v4", [HASHES_BOTH] = "both"};
	const struct show_choices *choices = &state->choices;
	struct json json = {stdout, 0, false, false};
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	json_text(&json, "format", forms[state->form]);
	/* The old key of the format. This version of bareprof still writes it, so that programs can be adapted. */
	json_text(&json, "form", forms[state->form]);
	put_kind(&json, state->model.variants);
	if (state->form == FORMAT_RAW) {
		json_open(&json, "raw_profiles", '[');
		for (i = 0; i < state->raw_count; i++)
			put_raw(&json, &state->raw[i]);
		json_close(&json, ']');
	}
	if (state->form == FORMAT_INDEXED)
		put_indexed(&json, state);
	if (!state->correlated) {
		json_text(&json, "hashes", hashes[state->totals.hashes]);
		put_totals(&json, &state->totals);
		json_number(&json, "disagreements", show_disagreements(state));
		json_number(&json, "weak_duplicates", show_weak_duplicates(state));
		/*
		 * The old key of this number. This version of bareprof still writes it, so that programs can be
		 * adapted.
		 */
		json_number(&json, "doubles", show_weak_duplicates(state));
	}
	if (choices->summary) {
		put_summary(&json, "summary", &state->summary);
		if (state->model.variants & BAREPROF_VARIANT_CSIR)
			put_summary(&json, "context_sensitive_summary", &state->context_sensitive);
	}
	if (choices->traces)
		put_traces(&json, state);
	if (choices->functions) {
		json_open(&json, "functions", '[');
		for (i = 0; i < state->listed_count; i++)
			put_function(&json, state, &state->listed[i]);
		json_close(&json, ']');
	}
	json_close(&json, '}');
}
