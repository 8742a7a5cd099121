/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_check.c - `bareprof check`: reports what is wrong with the profile of an image, before the
 * image boots. docs/JSON.md describes the JSON.
 */
#include "check.h"
#include "commands.h"
#include "exit.h"
#include "explain.h"
#include "json.h"
#include "raw_release.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "bareprof-check-1"

#define FORBIDDEN_MAX 64
#define OWN_FORBIDDEN 2 /* sections that are forbidden without --forbid */
#define BAUD_MAX      1000000000

static bool as_json;
static const char *forbidden_list;
static const char *mapped;
static const char *binary;
static const char *explained;
static uint64_t baud = 115200;

static const struct option options[] = {
	{OPT_NUMBER("baud", 'b', "N", &baud, 1, BAUD_MAX, "speed of the console, 8N1 (default: 115200)"),
		.invalid = "--baud takes a speed in bits per second, not '%s'"},
	{OPT_FILE("bin", 0, "IMAGE", &binary,
		"report sections of the profile that IMAGE (from objcopy -O binary) lacks")},
	{OPT_TEXT("explain", 0, "ID", &explained, "explain the finding ID and exit; 'list' as ID lists all findings")},
	{OPT_TEXT("forbid", 'f', "SECTION", &forbidden_list, "report instrumented functions in SECTION; several: A,B")},
	{OPT_FLAG("json", 'j', &as_json, "print JSON instead of text")},
	{OPT_TEXT("mapped", 0, "START:END", &mapped,
		"report counters outside of this memory; START and END are numbers or symbols")},
	{OPT_END},
};

static const char *const severities[] = {"note", "warning", "error"};

/*
 * Returns the milliseconds that @bytes bytes take on the console. Each byte takes ten bits,
 * with start bit and stop bit.
 */
static uint64_t milliseconds(uint64_t bytes)
{
	return (uint64_t)((double)bytes * 10000.0 / (double)baud + 0.5);
}

static size_t count_findings(const struct check *check, enum severity severity)
{
	size_t n = 0;
	size_t i;

	for (i = 0; i < check->count; i++)
		n += check->list[i].severity == severity;
	return n;
}

static double seconds(uint64_t bytes)
{
	return (double)milliseconds(bytes) / 1000;
}

/*
 * Appends two sizes of a dump, and the time that a dump of each size takes. The dump has @min bytes if nothing ran, and
 * @max bytes if all counts are large.
 */
static void text_range(struct buffer *text, const char *how, uint64_t min, uint64_t max)
{
	buffer_printf(
		text, "%s %" PRIu64 " to %" PRIu64 " bytes, %.1f to %.1f s", how, min, max, seconds(min), seconds(max));
}

static void text_facts(const struct check *check, const struct estimate *estimate)
{
	struct buffer text = {0};

	if (check->layout_known) {
		buffer_printf(&text, "layout:    raw version %u (", check->records.version);
		raw_release_text(check->records.version, &text);
		buffer_printf(
			&text, "), %u-bit, %s-endian, ", check->image.width * 8, check->image.big ? "big" : "little");
		raw_kind_text(check->version_word, &text);
		buffer_printf(&text, "\nfunctions: %" PRIu64 "\n", check->functions);
		if (check->sites)
			buffer_printf(&text,
				"values:    %" PRIu64 " sites; each value adds 16 bytes to a .profraw, and about 7 to "
				"12 bytes to a capture\n",
				check->sites);
	}
	if (check->compilers.size)
		buffer_printf(&text, "compilers: %.*s\n", (int)(check->compilers.size & 0xffff),
			(const char *)check->compilers.data);
	buffer_printf(&text,
		"sections:  counters %" PRIu64 " bytes, bitmaps %" PRIu64 ", records %" PRIu64 ", names %" PRIu64 "\n",
		check->extent[SECTION_COUNTERS].size, check->extent[SECTION_BITMAPS].size,
		check->extent[SECTION_RECORDS].size, check->extent[SECTION_NAMES].size);
	buffer_printf(&text,
		"loaded:    %" PRIu64 " bytes of the profile, of which %" PRIu64
		" are constants that are also in the ELF file\n",
		check->loaded, check->could_be_unloaded);
	if (check->machine.present)
		buffer_printf(&text,
			"machine:   %" PRIu64 " functions, %" PRIu64 " left out; coverage %" PRIu64
			" bytes, calls %" PRIu64 " bytes, blocks %" PRIu64 " bytes, samples %" PRIu64 " bytes\n",
			check->machine.functions, check->machine.left_out, check->machine.coverage_bytes,
			check->machine.call_bytes, check->machine.block_bytes, check->machine.sample_bytes);
	if (check->unused.without_code)
		buffer_printf(&text,
			"unused:    %zu functions that no code uses, such as inline functions of headers, have a name "
			"but no counters; their names take %zu bytes before packing; "
			"compile with -mllvm -limited-coverage-experimental=true to leave these functions out\n",
			check->unused.without_code, check->unused.bytes);
	if (check->lean)
		buffer_printf(&text, "lean:      %" PRIu64 " bytes of records and names stay in the ELF file\n",
			check->unloaded_bytes);
	if (estimate->profraw) {
		buffer_printf(&text, "dump:      counters, with a buffer of %u bytes: ", ESTIMATE_BUFFER);
		text_range(&text, "as console text", estimate->counters_min.text, estimate->counters_max.text);
		text_range(&text, "; as frames", estimate->counters_min.frames, estimate->counters_max.frames);
		buffer_printf(&text, "\n           .profraw of %" PRIu64 " bytes", estimate->profraw);
		/* A lean image cannot send a .profraw, because its records and names are only on the host. */
		if (!check->lean)
			buffer_printf(&text,
				"; as console text %" PRIu64 " bytes, %.1f s at %" PRIu64 " baud; as frames %" PRIu64
				" bytes, %.1f s",
				estimate->whole.text, seconds(estimate->whole.text), baud, estimate->whole.frames,
				seconds(estimate->whole.frames));
		buffer_printf(&text, "\n");
	}
	fputs(buffer_string(&text), stdout);
	buffer_free(&text);
}

static void text_findings(const struct check *check)
{
	size_t i;
	size_t j;

	for (i = 0; i < check->count; i++) {
		const struct finding *finding = &check->list[i];

		printf("\n%s: %s.\n", severities[finding->severity], finding->text);
		for (j = 0; j < finding->count; j++) {
			const struct fix *fix = &finding->fixes[j];

			if (!j || fix->location != fix[-1].location)
				printf("    %s:\n", fix_location_phrase(fix->location));
			printf("        %s\n", fix->line);
		}
	}
	if (!check->count)
		printf("\nNothing is missing.\n");
}

static void json_finding(struct json *json, const struct finding *finding)
{
	size_t i;

	json_open(json, NULL, '{');
	json_text(json, "severity", severities[finding->severity]);
	json_text(json, "id", finding_word(finding->id));
	if (finding_old_word(finding->id))
		json_text(json, "old_id", finding_old_word(finding->id));
	json_text(json, "text", finding->text);
	if (finding->function)
		json_text(json, "function", finding->function);
	json_open(json, "fixes", '[');
	for (i = 0; i < finding->count; i++) {
		json_open(json, NULL, '{');
		json_text(json, "where", fix_location_word(finding->fixes[i].location));
		json_text(json, "line", finding->fixes[i].line);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void json_forecast(struct json *json, const char *prefix, const struct forecast *forecast)
{
	const struct {
		const char *word;
		uint64_t value;
	} numbers[] = {
		{"console_bytes", forecast->text},
		{"console_ms", milliseconds(forecast->text)},
		{"frames_bytes", forecast->frames},
		{"frames_ms", milliseconds(forecast->frames)},
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char *key = format("%s%s", prefix, numbers[i].word);

		json_number(json, key, numbers[i].value);
		free(key);
	}
}

static void json_machine(struct json *json, const struct check *check)
{
	if (!check->machine.present)
		return;
	json_open(json, "machine_profile", '{');
	json_number(json, "functions", check->machine.functions);
	json_number(json, "left_out", check->machine.left_out);
	json_number(json, "coverage_bytes", check->machine.coverage_bytes);
	json_number(json, "call_bytes", check->machine.call_bytes);
	json_number(json, "block_bytes", check->machine.block_bytes);
	json_number(json, "sample_bytes", check->machine.sample_bytes);
	json_close(json, '}');
}

static void json_report(const struct check *check, const struct estimate *estimate)
{
	struct json json = {stdout, 0, false, false};
	struct buffer text = {0};
	size_t i;

	json_open(&json, NULL, '{');
	json_text(&json, "schema", SCHEMA);
	json_text(&json, "file", check->path);
	for (i = 0; i < 3; i++) {
		char key[16];

		snprintf(key, sizeof(key), "%ss", severities[i]);
		json_number(&json, key, count_findings(check, (enum severity)i));
	}
	json_number(&json, "raw_version", check->layout_known ? check->records.version : 0);
	raw_kind_text(check->version_word, &text);
	json_text(&json, "kind", buffer_string(&text));
	json_bytes(&json, "compilers", (struct bytes){check->compilers.data, check->compilers.size});
	json_number(&json, "pointer_bits", check->image.width * 8);
	json_text(&json, "byte_order", check->image.big ? "big" : "little");
	json_number(&json, "functions", check->functions);
	json_number(&json, "unused_functions", check->unused.without_code);
	json_number(&json, "unused_name_bytes", check->unused.bytes);
	json_number(&json, "value_sites", check->sites);
	json_number(&json, "build_id_bytes", check->build_id);
	json_open(&json, "section_bytes", '{');
	for (i = 0; i < SECTIONS; i++)
		json_number(&json, section_name[i], check->extent[i].size);
	json_close(&json, '}');
	json_machine(&json, check);
	json_number(&json, "loaded_bytes", check->loaded);
	json_number(&json, "loaded_constant_bytes", check->could_be_unloaded);
	json_bool(&json, "lean", check->lean);
	json_number(&json, "lean_bytes", check->unloaded_bytes);
	json_number(&json, "profraw_bytes", estimate->profraw);
	json_forecast(&json, "", &estimate->whole);
	json_forecast(&json, "counters_min_", &estimate->counters_min);
	json_forecast(&json, "counters_max_", &estimate->counters_max);
	/* The old keys of these sizes. This version of bareprof still writes them, so that programs can be adapted. */
	json_forecast(&json, "counters_least_", &estimate->counters_min);
	json_forecast(&json, "counters_most_", &estimate->counters_max);
	json_number(&json, "baud", baud);
	json_open(&json, "findings", '[');
	for (i = 0; i < check->count; i++)
		json_finding(&json, &check->list[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	buffer_free(&text);
}

/*
 * Makes the list of sections that must not have instrumented functions: two fixed sections, and the sections of
 * --forbid.
 */
static enum status list_forbidden(const char **list, char *words)
{
	size_t n = 0;
	char *word;

	list[n++] = ".noinstr.text";
	list[n++] = ".head.text"; /* the last of the OWN_FORBIDDEN fixed sections; the sections of --forbid follow */
	for (word = words ? strtok(words, ",") : NULL; word && n < FORBIDDEN_MAX; word = strtok(NULL, ","))
		list[n++] = word;
	list[n] = NULL;
	if (!word)
		return STATUS_OK;
	complain(NULL, "--forbid takes at most %d sections; check the others in a second call",
		FORBIDDEN_MAX - OWN_FORBIDDEN);
	return STATUS_USAGE;
}

/* Warns of sections of --forbid that the image does not have, because their names may be misspelt. */
static void warn_of_absent(const struct check *check)
{
	const char *const *name;

	for (name = check->forbidden + OWN_FORBIDDEN; *name; name++)
		if (!check_has_code(check, *name))
			complain(check->path,
				"has no section '%s' (--forbid), so nothing was checked there; 'readelf -S' "
				"lists the sections",
				*name);
}

static enum status run(char **operands)
{
	const char *forbidden[FORBIDDEN_MAX + 1];
	char *words;
	struct check check = {.path = operands[0], .forbidden = forbidden, .mapped = mapped, .binary = binary};
	const char *path = operands[0];
	struct estimate estimate;
	struct error error;
	enum status status;

	if (explained)
		return explain(explained);
	if (!operands[0]) {
		command_usage(&command_check, 0);
		return STATUS_USAGE;
	}
	words = forbidden_list ? format("%s", forbidden_list) : NULL;
	if (list_forbidden(forbidden, words) != STATUS_OK) {
		free(words);
		return STATUS_USAGE;
	}
	status = check_image(&check, &error);
	if (status == STATUS_OK) {
		warn_of_absent(&check);
		path = binary;
		status = check_binary(&check, &error);
	}
	if (status == STATUS_OK) {
		estimate = check_estimate(&check);
		if (as_json) {
			json_report(&check, &estimate);
		} else {
			text_facts(&check, &estimate);
			text_findings(&check);
		}
		status = count_findings(&check, SEVERITY_ERROR)     ? STATUS_INVALID_INPUT
		         : count_findings(&check, SEVERITY_WARNING) ? EXIT_WARNINGS
		                                                    : STATUS_OK;
	} else {
		error_print(path, &error);
	}
	check_free(&check);
	free(words);
	return status;
}

const struct command command_check = {
	.name = "check",
	.summary = "find what is wrong with the profile of an image, before it boots",
	.operands = "ELF",
	.operands_min = 0,
	.operands_max = 1,
	.help = "ELF is the linked image with its symbols, for any machine, or a module (.ko) whose\n"
		"linker script bounds its sections. Each finding is an error (there is no usable\n"
		"profile), a warning (something is lost or wasted) or a note. With it, check prints\n"
		"the lines that fix it, and where to add them. If your linker script has something\n"
		"after each section, such as > REGION, add that to its lines. The exit code is 1 if\n"
		"there are errors, 7 if there are only warnings. Instrumented functions in\n"
		".noinstr.text and .head.text are always reported; check cannot see code that was\n"
		"inlined into these sections.\n",
	.options = options,
	.run = run,
};
