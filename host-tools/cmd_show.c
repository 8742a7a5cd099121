/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_show.c - `bareprof show`: what is in a raw profile, as text or JSON.
 */
#include "commands.h"
#include "json.h"
#include "names.h"
#include "profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool as_json;
static bool with_counts;

static const struct option options[] = {
	{"counts", 'c', NULL, "every counter of every function", &with_counts, NULL},
	{"json", 'j', NULL, "JSON instead of text", &as_json, NULL},
	{NULL, 0, NULL, NULL, NULL, NULL},
};

struct totals {
	uint64_t functions_run;
	uint64_t counters;
	uint64_t counters_run;
};

/* A function is covered if any of its counters is: not all count the entry. */
static size_t count_run(const struct raw_profile *profile, const struct raw_function *function)
{
	size_t run = 0;
	size_t i;

	for (i = 0; i < function->counter_count; i++)
		run += raw_counter(profile, function, i) != 0;
	return run;
}

/* All that can fail is done here, before a line is printed. */
static enum status total(
	const struct raw_profile *profile, const struct names *names, struct totals *totals, struct error *error)
{
	struct raw_function function;
	uint64_t i;

	*totals = (struct totals){0};
	for (i = 0; i < profile->records; i++) {
		size_t run;

		if (raw_function(profile, i, &function, error) != STATUS_OK)
			return STATUS_BAD;
		if (!names_find(names, function.name))
			return error_set(error, STATUS_BAD,
				"is malformed: function %" PRIu64 " refers to the name %016" PRIx64
				", which is not in the names section",
				i, function.name);
		run = count_run(profile, &function);
		totals->functions_run += run != 0;
		totals->counters += function.counter_count;
		totals->counters_run += run;
	}
	if (raw_correlated(profile))
		totals->counters = profile->header[BAREPROF_HEADER_NUM_COUNTERS];
	return STATUS_OK;
}

static void add_hex(struct buffer *text, struct bytes bytes)
{
	size_t i;

	for (i = 0; i < bytes.size; i++)
		buffer_printf(text, "%02x", bytes.data[i]);
}

static void text_head(const struct raw_profile *profile, const struct totals *totals)
{
	struct buffer text = {0};

	buffer_printf(&text, "raw version: %u (", profile->version);
	raw_release_text(profile->version, &text);
	buffer_printf(
		&text, "), %u-bit, %s-endian\nkind:        ", profile->width * 8, profile->big ? "big" : "little");
	raw_kind_text(profile->version_word, &text);
	buffer_add_text(&text, "\nbuild id:    ");
	add_hex(&text, profile->build_id);
	if (!profile->build_id.size)
		buffer_add_text(&text, "none");
	if (raw_correlated(profile))
		buffer_printf(&text,
			"\ncounters:    %" PRIu64 "\nNo records: they and the names are in the ELF file%s.\n",
			totals->counters,
			profile->version_word & BAREPROF_VARIANT_DEBUG_CORRELATE
				? " (its debug information)"
				: " (sections __llvm_covdata and __llvm_covnames)");
	else
		buffer_printf(&text,
			"\nfunctions:   %" PRIu64 ", of which %" PRIu64 " ran\ncounters:    %" PRIu64
			", of which %" PRIu64 " are not zero\n",
			profile->records, totals->functions_run, totals->counters, totals->counters_run);
	fputs(buffer_string(&text), stdout);
	buffer_free(&text);
}

static void text_function(
	const struct raw_profile *profile, const struct raw_function *function, const struct name *name)
{
	char *printed = format("%.*s", (int)(name->text.size & 0xffff), (const char *)name->text.data);
	size_t i;

	printable(printed);
	printf("\n%s\n  hash 0x%016" PRIx64 ", %zu counter%s, %zu not zero\n", printed, function->hash,
		function->counter_count, function->counter_count == 1 ? "" : "s", count_run(profile, function));
	free(printed);
	if (!with_counts)
		return;
	for (i = 0; i < function->counter_count; i++)
		printf("%s%" PRIu64, i % 16 ? " " : i ? "\n  " : "  ", raw_counter(profile, function, i));
	printf("\n");
}

static void show_text(const struct raw_profile *profile, const struct names *names, const struct totals *totals)
{
	struct raw_function function;
	struct error error;
	uint64_t i;

	if (profile->offset)
		printf("\nanother profile at offset %zu of the file\n", profile->offset);
	text_head(profile, totals);
	for (i = 0; i < profile->records; i++)
		if (raw_function(profile, i, &function, &error) == STATUS_OK)
			text_function(profile, &function, names_find(names, function.name));
}

static void json_function(struct json *json, const struct raw_profile *profile, const struct raw_function *function,
	const struct name *name)
{
	size_t i;

	json_open(json, NULL, '{');
	json_bytes(json, "name", name->text);
	json_hex(json, "hash", function->hash);
	json_number(json, "counters", function->counter_count);
	json_number(json, "counters_run", count_run(profile, function));
	if (with_counts) {
		json_open(json, "counts", '[');
		json->compact = true;
		for (i = 0; i < function->counter_count; i++)
			json_number(json, NULL, raw_counter(profile, function, i));
		json_close(json, ']');
		json->compact = false;
	}
	if (with_counts && function->bitmap.size) {
		json_open(json, "bitmap", '[');
		json->compact = true;
		for (i = 0; i < function->bitmap.size; i++)
			json_number(json, NULL, function->bitmap.data[i]);
		json_close(json, ']');
		json->compact = false;
	}
	json_close(json, '}');
}

static void show_json(
	struct json *json, const struct raw_profile *profile, const struct names *names, const struct totals *totals)
{
	struct buffer text = {0};
	struct raw_function function;
	struct error error;
	uint64_t i;

	json_open(json, NULL, '{');
	json_number(json, "raw_version", profile->version);
	json_hex(json, "version_word", profile->version_word);
	raw_release_text(profile->version, &text);
	json_text(json, "written_by", buffer_string(&text));
	text.size = 0;
	raw_kind_text(profile->version_word, &text);
	json_text(json, "kind", buffer_string(&text));
	text.size = 0;
	add_hex(&text, profile->build_id);
	json_text(json, "build_id", buffer_string(&text));
	json_number(json, "pointer_bits", profile->width * 8);
	json_text(json, "byte_order", profile->big ? "big" : "little");
	json_bool(json, "correlated", raw_correlated(profile));
	json_number(json, "functions", profile->records);
	json_number(json, "functions_run", totals->functions_run);
	json_number(json, "counters", totals->counters);
	json_number(json, "counters_run", totals->counters_run);
	json_open(json, "function", '[');
	for (i = 0; i < profile->records; i++)
		if (raw_function(profile, i, &function, &error) == STATUS_OK)
			json_function(json, profile, &function, names_find(names, function.name));
	json_close(json, ']');
	json_close(json, '}');
	buffer_free(&text);
}

/* One after the other; @json NULL: only check. */
static enum status each_profile(struct bytes raw, struct json *json, bool print, struct error *error)
{
	enum status status = STATUS_OK;
	size_t offset = 0;

	while (offset < raw.size && status == STATUS_OK) {
		struct names names = {0};
		struct raw_profile profile;
		struct totals totals;

		status = raw_open(&profile, raw, offset, error);
		if (status == STATUS_OK)
			status = names_read(&names, profile.section[BAREPROF_NAMES], error);
		if (status == STATUS_OK)
			status = total(&profile, &names, &totals, error);
		if (status == STATUS_OK && print && json)
			show_json(json, &profile, &names, &totals);
		else if (status == STATUS_OK && print)
			show_text(&profile, &names, &totals);
		offset = profile.end;
		names_free(&names);
	}
	return status;
}

static enum status show(char **operands)
{
	struct json json = {stdout, 0, false, false};
	struct profile_file file;
	struct error error;
	enum status status = profile_read(&file, operands[0], &error);

	/* First all of it is checked, so that half of a bad file is never shown. */
	if (status == STATUS_OK)
		status = each_profile(file.raw, NULL, false, &error);
	if (status == STATUS_OK && as_json) {
		json_open(&json, NULL, '{');
		json_open(&json, "profiles", '[');
		status = each_profile(file.raw, &json, true, &error);
		json_close(&json, ']');
		json_close(&json, '}');
	} else if (status == STATUS_OK) {
		status = each_profile(file.raw, NULL, true, &error);
	}
	if (status != STATUS_OK)
		error_print(input_name(operands[0]), &error);
	profile_free(&file);
	return status;
}

const struct command command_show = {
	.name = "show",
	.summary = "what is in a raw profile",
	.operands = "FILE|-",
	.operands_least = 1,
	.operands_most = 1,
	.help = "FILE is a .profraw of raw version 5 to 11, of any target, or a capture or\n"
		"console log with a dump in it. Every record is checked; a file with anything\n"
		"wrong in it is refused with the reason. A function has run if any of its\n"
		"counters is not zero.\n",
	.options = options,
	.run = show,
};
