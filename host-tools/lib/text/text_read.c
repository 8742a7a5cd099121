/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_read.c - reads a text profile (.proftext) into a model. Empty lines and lines that start
 * with # are skipped everywhere in the file.
 */
#include "md5.h"
#include "text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct text_reader {
	struct model *model;
	const struct add_options *options;
	struct error *error;
	struct bytes rest;
	struct bytes line; /* the current line; empty at the end of the file */
	size_t number; /* number of the current line, the first line is 1 */
	size_t passed;
	struct buffer counters;
	struct buffer bitmap;
};

static bool at_end(const struct text_reader *reader)
{
	return !reader->line.size;
}

/* Moves to the next line that is neither empty nor a comment. */
static void next_line(struct text_reader *reader)
{
	reader->line.size = 0;
	while (reader->rest.size && (!reader->line.size || *reader->line.data == '#')) {
		const uint8_t *start = reader->rest.data;
		const uint8_t *end = memchr(start, '\n', reader->rest.size);
		size_t size = end ? (size_t)(end - start) : reader->rest.size;

		reader->number++;
		reader->rest.data += size + (end != NULL);
		reader->rest.size -= size + (end != NULL);
		if (end && size && start[size - 1] == '\r')
			size--;
		reader->line = (struct bytes){start, size};
	}
	if (reader->line.size && *reader->line.data == '#')
		reader->line.size = 0;
}

static enum status damaged(const struct text_reader *reader, const char *wanted)
{
	if (at_end(reader))
		return error_set(
			reader->error, STATUS_INVALID_INPUT, "is malformed: it ends where %s should be", wanted);
	return error_set(reader->error, STATUS_INVALID_INPUT, "is malformed in line %zu: '%.*s' is not %s",
		reader->number, (int)(reader->line.size < 200 ? reader->line.size : 200),
		(const char *)reader->line.data, wanted);
}

/*
 * Converts @text to a number. Returns false if @text is empty, has a character that is not a digit of
 * the base, or is above 2^64-1. If @prefixes is true, one of the prefixes 0x, 0X, 0b, 0B, 0o and 0
 * may give the base. The prefix 0O is not accepted.
 */
static bool parse_number(struct bytes text, bool prefixes, uint64_t *number)
{
	unsigned int base = 10;

	if (prefixes && text.size > 1 && *text.data == '0') {
		int mark = text.data[1] == 'O' ? 0 : tolower(text.data[1]);
		size_t skip = mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1;

		base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
		text.data += skip;
		text.size -= skip;
	}
	*number = 0;
	if (!text.size)
		return false;
	for (; text.size; text.data++, text.size--) {
		unsigned int digit = digit_value(*text.data);

		if (digit >= base || __builtin_mul_overflow(*number, base, number) ||
			__builtin_add_overflow(*number, digit, number))
			return false;
	}
	return true;
}

/*
 * Reads the number in the current line and moves to the next line. Returns false if the line is not
 * a number from @min to @max.
 */
static bool take_number(struct text_reader *reader, bool prefixes, uint64_t min, uint64_t max, uint64_t *number)
{
	if (at_end(reader) || !parse_number(reader->line, prefixes, number) || *number < min || *number > max)
		return false;
	next_line(reader);
	return true;
}

static struct bytes trimmed(struct bytes text)
{
	while (text.size && isspace(*text.data)) {
		text.data++;
		text.size--;
	}
	while (text.size && isspace(text.data[text.size - 1]))
		text.size--;
	return text;
}

static bool line_is(const struct text_reader *reader, const char *text)
{
	return reader->line.size == strlen(text) && !strncasecmp((const char *)reader->line.data, text, strlen(text));
}

/*
 * Reads a trace, which consists of two lines. The first line is the weight of the trace. The second line has names,
 * with a comma after each name.
 */
static enum status read_trace(struct text_reader *reader)
{
	uint64_t *references = NULL;
	size_t count = 0;
	size_t room = 0;
	uint64_t weight;
	struct bytes rest;

	if (!take_number(reader, false, 0, UINT64_MAX, &weight))
		return damaged(reader, "the weight of a trace");
	if (at_end(reader))
		return damaged(reader, "the functions of a trace");
	for (rest = reader->line; rest.size;) {
		const uint8_t *comma = memchr(rest.data, ',', rest.size);
		size_t size = comma ? (size_t)(comma - rest.data) : rest.size;
		struct bytes name = trimmed((struct bytes){rest.data, size});

		if (name.size) {
			references = array_grow(references, count, &room, sizeof(*references));
			references[count++] = md5_low(name);
		}
		rest.data += size + (comma != NULL);
		rest.size -= size + (comma != NULL);
	}
	next_line(reader);
	traces_add(&reader->model->traces, reader->options, weight, references, count);
	return STATUS_OK;
}

static enum status read_traces(struct text_reader *reader)
{
	uint64_t count;
	uint64_t stream;
	uint64_t i;
	enum status status = STATUS_OK;

	if (!take_number(reader, false, 0, UINT64_MAX, &count))
		return damaged(reader, "the number of traces");
	if (!take_number(reader, false, 0, UINT64_MAX, &stream) || stream < count)
		return damaged(reader, "the size of the stream of traces (at least the number of traces)");
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = read_trace(reader);
	if (status == STATUS_OK && count)
		traces_skipped(&reader->model->traces, reader->options, count, stream);
	return status;
}

/*
 * Reads the header, which names the kind of the profile. The header consists of the lines at the
 * start of the file that begin with a colon.
 */
static enum status read_header(struct text_reader *reader)
{
	static const struct {
		const char *word;
		uint64_t variants;
	} words[] = {
		{":fe", 0},
		{":not_entry_first", 0},
		{":ir", BAREPROF_VARIANT_IR},
		{":csir", BAREPROF_VARIANT_IR | BAREPROF_VARIANT_CSIR},
		{":entry_first", BAREPROF_VARIANT_ENTRY_FIRST},
		{":instrument_loop_entries", BAREPROF_VARIANT_LOOP_ENTRIES},
		{":single_byte_coverage", BAREPROF_VARIANT_BYTE_COVERAGE},
		{":temporal_prof_traces", BAREPROF_VARIANT_TEMPORAL},
	};
	const size_t count = sizeof(words) / sizeof(words[0]);
	uint64_t variants = 0;
	enum status status = STATUS_OK;

	while (!at_end(reader) && *reader->line.data == ':' && status == STATUS_OK) {
		size_t i = 0;

		while (i < count && !line_is(reader, words[i].word))
			i++;
		if (i == count)
			return damaged(reader, "a known header line");
		variants |= words[i].variants;
		if (line_is(reader, ":not_entry_first"))
			variants &= ~BAREPROF_VARIANT_ENTRY_FIRST;
		next_line(reader);
		if (words[i].variants == BAREPROF_VARIANT_TEMPORAL)
			status = read_traces(reader);
	}
	return status == STATUS_OK ? model_kind(reader->model, variants, reader->error) : status;
}

/* Returns an upper limit of the number of lines that are left. It is the number of bytes that are left. */
static uint64_t lines_left(const struct text_reader *reader)
{
	return reader->rest.size < UINT32_MAX ? reader->rest.size : UINT32_MAX;
}

static enum status read_counters(struct text_reader *reader, struct function *function)
{
	uint64_t count;
	uint64_t i;

	if (!take_number(reader, false, 1, lines_left(reader), &count))
		return damaged(reader, "a number of counters");
	reader->counters.size = 0;
	buffer_reserve(&reader->counters, (size_t)count * 8);
	function->counters = (uint64_t *)(void *)reader->counters.data;
	function->counter_count = (uint32_t)count;
	for (i = 0; i < count; i++)
		if (!take_number(reader, false, 0, UINT64_MAX, &function->counters[i]))
			return damaged(reader, "a count");
	return STATUS_OK;
}

/* Reads the bitmap of a function, if it has one. A bitmap has a line $N, and N lines with one byte each. */
static enum status read_bitmap(struct text_reader *reader, struct function *function)
{
	uint64_t count;
	uint64_t byte;

	if (at_end(reader) || *reader->line.data != '$')
		return STATUS_OK;
	reader->line.data++;
	reader->line.size--;
	reader->line = trimmed(reader->line);
	if (!take_number(reader, true, 0, lines_left(reader), &count))
		return damaged(reader, "a size of a bitmap");
	reader->bitmap.size = 0;
	for (; count; count--) {
		if (!take_number(reader, true, 0, UINT8_MAX, &byte))
			return damaged(reader, "a byte of a bitmap");
		buffer_add(&reader->bitmap, (uint8_t[]){(uint8_t)byte}, 1);
	}
	function->bitmap = reader->bitmap.data;
	function->bitmap_size = (uint32_t)reader->bitmap.size;
	return STATUS_OK;
}

/* Reads a line of the form NAME:COUNT or SIZE:COUNT. NAME may contain colons. */
static enum status read_value(struct text_reader *reader, uint64_t kind, struct value *value)
{
	const uint8_t *colon = at_end(reader) ? NULL : memrchr(reader->line.data, ':', reader->line.size);
	struct bytes text;
	struct bytes count;

	if (!colon)
		return damaged(reader, "a value and its count");
	text = (struct bytes){reader->line.data, (size_t)(colon - reader->line.data)};
	count = (struct bytes){colon + 1, reader->line.size - text.size - 1};
	if (kind == 1 ? !parse_number(text, false, &value->value) : !text.size)
		return damaged(reader, "a value and its count");
	if (!parse_number(count, false, &value->count))
		return damaged(reader, "a value and its count");
	if (kind != 1)
		value->value = text.size == strlen(TEXT_UNKNOWN) && !memcmp(text.data, TEXT_UNKNOWN, text.size)
		                       ? 0
		                       : md5_low(text);
	next_line(reader);
	return STATUS_OK;
}

static enum status read_site(struct text_reader *reader, uint64_t kind, struct site *site)
{
	enum status status = STATUS_OK;
	uint64_t count;
	size_t i;

	if (!take_number(reader, false, 0, lines_left(reader), &count))
		return damaged(reader, "the number of values of a site");
	*site = (struct site){allocate((size_t)count, sizeof(*site->values)), (size_t)count};
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = read_value(reader, kind, &site->values[i]);
	return status;
}

static enum status read_kind(struct text_reader *reader, struct sites *sites)
{
	enum status status = STATUS_OK;
	uint64_t kind;
	uint64_t count;
	uint32_t i;

	if (!parse_number(reader->line, false, &kind) || kind >= PROFILE_KINDS || sites->site[kind])
		return damaged(reader, "a kind of values (0 to 2, each at most once)");
	next_line(reader);
	if (!take_number(reader, false, 0, lines_left(reader), &count))
		return damaged(reader, "a number of value sites");
	sites->site[kind] = allocate((size_t)count, sizeof(struct site));
	sites->count[kind] = (uint32_t)count;
	for (i = 0; i < count && status == STATUS_OK; i++)
		status = read_site(reader, kind, &sites->site[kind][i]);
	return status;
}

/*
 * Reads the value sites of a function, if it has any. Value sites start with a line that is a
 * number. If the function has no value sites, the next line is the name of the next function.
 */
static enum status read_values(struct text_reader *reader, struct sites *sites)
{
	enum status status = STATUS_OK;
	uint64_t kinds;

	if (at_end(reader) || !parse_number(reader->line, false, &kinds))
		return STATUS_OK;
	if (!take_number(reader, false, 1, PROFILE_KINDS, &kinds))
		return damaged(reader, "a number of kinds of values");
	for (; kinds && status == STATUS_OK; kinds--)
		status = read_kind(reader, sites);
	return status;
}

static enum status read_function(struct text_reader *reader)
{
	struct function function = {.reference = md5_low(reader->line), .name = reader->line};
	struct sites sites = {0};
	enum status status;

	next_line(reader);
	if (!take_number(reader, true, 0, UINT64_MAX, &function.hash))
		return damaged(reader, "the hash of a function");
	status = read_counters(reader, &function);
	if (status == STATUS_OK)
		status = read_bitmap(reader, &function);
	if (status == STATUS_OK)
		status = read_values(reader, &sites);
	function.sites = sites_any(&sites) ? &sites : NULL;
	if (status == STATUS_OK && in_shard(reader->options, function.reference))
		model_add(reader->model, &function, reader->options->weight);
	sites_clear(&sites);
	return status;
}

/*
 * Returns whether the first 8 bytes can be text. llvm-profdata makes the same check, and does not
 * read other files as text.
 */
static bool starts_printable(struct bytes bytes)
{
	size_t i;

	for (i = 0; i < bytes.size && i < 8; i++)
		if (!isprint(bytes.data[i]) && !isspace(bytes.data[i]))
			return false;
	return true;
}

bool text_is_profile(struct bytes bytes)
{
	struct text_reader reader = {.rest = bytes};
	uint64_t number;
	int i;

	if (!starts_printable(bytes))
		return false;
	next_line(&reader);
	/* In an Intel HEX file, a digit follows the colon. */
	if (!at_end(&reader) && *reader.line.data == ':')
		return reader.line.size < 2 || !isdigit(reader.line.data[1]);
	/*
	 * The text counts as a profile if the line for the hash or the line for the number of counters is a number. If
	 * the other of these two lines is damaged, text_read() reports the damage.
	 */
	for (i = 0; i < 2 && !at_end(&reader); i++) {
		next_line(&reader);
		if (!at_end(&reader) && parse_number(reader.line, true, &number))
			return true;
	}
	return false;
}

enum status text_read(struct model *model, struct bytes bytes, const struct add_options *options, struct error *error)
{
	struct text_reader reader = {.model = model, .options = options, .error = error, .rest = bytes};
	const uint8_t *zero = bytes.size ? memchr(bytes.data, 0, bytes.size) : NULL;
	enum status status;

	/* A zero byte is refused here, because llvm-profdata would ignore everything after it. */
	if (zero)
		return error_set(error, STATUS_INVALID_INPUT,
			"is malformed: it has a zero byte at offset %zu, and text cannot contain zero bytes",
			(size_t)(zero - bytes.data));
	next_line(&reader);
	status = read_header(&reader);
	while (!at_end(&reader) && status == STATUS_OK)
		status = read_function(&reader);
	buffer_free(&reader.counters);
	buffer_free(&reader.bitmap);
	return status;
}
