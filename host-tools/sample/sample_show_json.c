/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_show_json.c - prints samples for programs. docs/JSON.md describes the JSON, and docs/sample.schema.json is its
 * schema.
 */
#include "code_counts.h"
#include "json.h"
#include "sample_show.h"

#define SCHEMA "bareprof-sample-1"

static void put_head(struct json *json, const struct samples *samples)
{
	struct buffer id = {0};

	buffer_add_hex(&id, (struct bytes){samples->build_id.data, samples->build_id.size});
	if (id.size)
		json_text(json, "build_id", buffer_string(&id));
	else
		json_null(json, "build_id");
	buffer_free(&id);
	if (samples->rate)
		json_number(json, "rate", samples->rate);
	else
		json_null(json, "rate");
	json_number(json, "cpus", samples->cpus);
	json_number(json, "counter_bytes", (uint64_t)1 << samples->shift);
}

static void put_totals(struct json *json, const struct sample_report *report)
{
	json_open(json, "totals", '{');
	json_number(json, "samples", report->total);
	json_number(json, "dropped", report->samples->dropped);
	json_number(json, "outside", report->samples->outside);
	json_number(json, "no_function", report->no_function);
	json_close(json, '}');
}

/* Prints a number of samples, and the range of numbers that a share in the 95 % range gives. */
static void put_samples(struct json *json, uint64_t samples, uint64_t total)
{
	struct sample_range range = sample_range_of(samples, total);

	json_number(json, "samples", samples);
	json_number(json, "low", (uint64_t)(range.low * (double)total + 0.5));
	json_number(json, "high", total ? (uint64_t)(range.high * (double)total + 0.5) : 0);
}

static void put_blocks(struct json *json, const struct sample_function_blocks *blocks)
{
	size_t i;

	json_bool(json, "guessed", blocks->guessed);
	json_open(json, "blocks", '[');
	for (i = 0; i < blocks->count; i++) {
		const struct sample_block *block = &blocks->list[i];

		json_open(json, NULL, '{');
		json->compact = true;
		json_hex(json, "address", block->address);
		json_number(json, "instructions", (uint64_t)block->instructions);
		json_number(json, "samples", (uint64_t)(block->samples + 0.5));
		json_number(json, "runs", (uint64_t)(block->runs * CODE_COUNTS_SCALE + 0.5));
		json_close(json, '}');
		json->compact = false;
	}
	json_close(json, ']');
}

static void put_function(struct json *json, const struct sample_shown *shown, size_t index)
{
	const struct sample_report *report = shown->report;
	const struct sample_function *function = &report->program->functions[index];
	const struct sample_tally *tally = &report->tallies[index];
	size_t i;

	json_open(json, NULL, '{');
	json_text(json, "name", function->name);
	json_text(json, "demangled", report->names[index]);
	json_open(json, "aliases", '[');
	for (i = 1; i < function->aliases; i++)
		json_text(json, NULL, report->program->symbols[function->alias + i]->name);
	json_close(json, ']');
	json_hex(json, "address", function->address);
	json_number(json, "size", function->end - function->address);
	json_bool(json, "size_known", function->sized);
	put_samples(json, tally->samples, report->total);
	json_number(json, "shared", tally->shared);
	json_number(json, "total", tally->total);
	if (shown->blocks)
		put_blocks(json, &shown->blocks[index]);
	json_close(json, '}');
}

static void put_line(struct json *json, const struct sample_line_tally *line, uint64_t total)
{
	json_open(json, NULL, '{');
	if (line->file) {
		json_text(json, "file", line->file);
		json_number(json, "line", line->line);
	}
	if (line->name)
		json_text(json, "function", line->name);
	put_samples(json, line->samples, total);
	json_close(json, '}');
}

static void put_addresses(struct json *json, const struct sample_report *report)
{
	size_t i;

	json_open(json, "no_function", '[');
	for (i = 0; i < report->hit_count; i++) {
		if (report->hits[i].function)
			continue;
		json_open(json, NULL, '{');
		json->compact = true;
		json_hex(json, "address", report->hits[i].address);
		json_number(json, "samples", report->hits[i].count);
		json_close(json, '}');
		json->compact = false;
	}
	json_close(json, ']');
}

void sample_show_json(const struct sample_shown *shown)
{
	const struct sample_report *report = shown->report;
	struct json json = {.stream = stdout};
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	put_head(&json, report->samples);
	put_totals(&json, report);
	json_open(&json, "functions", '[');
	for (i = 0; i < shown->function_count; i++)
		put_function(&json, shown, shown->functions[i]);
	json_close(&json, ']');
	put_addresses(&json, report);
	if (shown->has_lines) {
		json_open(&json, "lines", '[');
		for (i = 0; i < shown->line_count; i++)
			put_line(&json, &shown->lines[i], report->total);
		json_close(&json, ']');
	}
	json_close(&json, '}');
}
