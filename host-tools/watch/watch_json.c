/* SPDX-License-Identifier: BSD-2-Clause */
/* watch_json.c - each line is an object that can be read alone. */
#include "watch_json.h"
#include "json.h"

#include <time.h>

static void open_line(struct json *json, uint64_t number, const char *kind)
{
	time_t now = time(NULL);
	struct tm parts;
	char text[32] = "";

	if (gmtime_r(&now, &parts))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	*json = (struct json){.stream = stdout, .compact = true};
	json_open(json, NULL, '{');
	json_text(json, "schema", "bareprof-watch-1");
	json_number(json, "look", number);
	json_text(json, "time", text);
	json_text(json, "kind", kind);
}

static void add_rate(struct json *json, struct rate rate)
{
	json_number(json, "covered", rate.covered);
	json_number(json, "total", rate.total);
}

static void add_functions(struct json *json, const struct watched *watched, const struct look *look)
{
	size_t i;

	json_open(json, "functions", '{');
	add_rate(json, look->functions);
	json_open(json, "new", '[');
	for (i = 0; i < look->function_count; i++) {
		const struct look_function *function = &look->function_list[i];

		json_open(json, NULL, '{');
		json_bytes(json, "name", function->name);
		json_bytes(json, "file", watched->files.list[function->file]);
		json_number(json, "line", function->line);
		json_number(json, "count", function->count);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void add_ranges(struct json *json, const struct line_ranges *ranges)
{
	size_t i;

	json_open(json, "ranges", '[');
	for (i = 0; i < ranges->count; i++) {
		json_open(json, NULL, '[');
		json_number(json, NULL, ranges->list[i].first);
		json_number(json, NULL, ranges->list[i].last);
		json_close(json, ']');
	}
	json_close(json, ']');
}

static void add_lines(struct json *json, const struct watched *watched, const struct look *look)
{
	size_t i;

	json_open(json, "lines", '{');
	add_rate(json, look->lines);
	json_open(json, "new", '[');
	for (i = 0; i < look->line_list_count; i++) {
		json_open(json, NULL, '{');
		json_bytes(json, "file", watched->files.list[look->line_list[i].file]);
		add_ranges(json, &look->line_list[i].ranges);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

void watch_json_look(uint64_t number, const struct watched *watched, const struct look *look)
{
	struct json json;

	open_line(&json, number, look->base ? "base" : look->reset ? "reset" : "new");
	json_text(&json, "program", watched->path);
	add_functions(&json, watched, look);
	add_lines(&json, watched, look);
	json_close(&json, '}');
}

void watch_json_failed(uint64_t number, const char *reason)
{
	struct json json;

	open_line(&json, number, "failed");
	json_text(&json, "error", reason);
	json_close(&json, '}');
}
