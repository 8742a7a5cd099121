/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof_text_read.c - reads sample profiles from text. A line without indent starts a function. A line that is
 * indented by N spaces belongs to the last function or inlinee of depth N-1.
 */
#include "sampleprof_file.h"
#include "sampleprof_text.h"

#include <inttypes.h>

struct reader {
	struct sampleprof *profile;
	struct error *error;
	struct bytes rest;
	struct bytes line; /* the current line; it is not empty */
	size_t number; /* number of the current line, the first line is 1 */
	struct sampleprof_function *open[SAMPLEPROF_DEPTH_LAST + 1];
	bool metadata[SAMPLEPROF_DEPTH_LAST +
		      1]; /* the metadata of this function was read; only more of it may follow */
	size_t open_count;
};

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

bool take_decimal(struct bytes text, uint64_t *number)
{
	size_t i;

	*number = 0;
	for (i = 0; i < text.size; i++)
		if (!is_digit(text.data[i]) || __builtin_mul_overflow(*number, 10, number) ||
			__builtin_add_overflow(*number, (uint64_t)(text.data[i] - '0'), number))
			return false;
	return text.size > 0;
}

bool take_callee(struct bytes *text, struct bytes *name, uint64_t *count)
{
	size_t colon;

	while (text->size && *text->data == ' ') {
		text->data++;
		text->size--;
	}
	if (!text->size || *text->data == ':')
		return false;
	for (colon = 1; colon < text->size; colon++) {
		const uint8_t *word = text->data + colon + 1;
		size_t left = text->size - colon - 1;
		const uint8_t *space;

		if (text->data[colon] != ':' || !left || !is_digit(*word))
			continue;
		space = memchr(word, ' ', left);
		if (!take_decimal((struct bytes){word, space ? (size_t)(space - word) : left}, count))
			continue;
		*name = (struct bytes){text->data, colon};
		text->data = space ? space : word + left;
		text->size = space ? left - (size_t)(space - word) : 0;
		return true;
	}
	return false;
}

static enum status damaged(const struct reader *reader, const char *wanted)
{
	return error_set(reader->error, STATUS_INVALID_INPUT,
		"is malformed in line %zu: '%.*s' is not %s; make the file again", reader->number,
		(int)(reader->line.size < 200 ? reader->line.size : 200), (const char *)reader->line.data, wanted);
}

/* Moves to the next line that is neither empty nor a comment. Returns false at the end of the text. */
static bool next_line(struct reader *reader)
{
	while (reader->rest.size) {
		size_t blank = 0;

		reader->line = bytes_line(&reader->rest);
		reader->number++;
		if (reader->line.size && reader->line.data[reader->line.size - 1] == '\r')
			reader->line.size--;
		while (blank < reader->line.size && reader->line.data[blank] == ' ')
			blank++;
		if (blank < reader->line.size && reader->line.data[blank] != '#')
			return true;
	}
	return false;
}

/* Splits `TEXT:NUMBER` at the last colon. */
static bool split_number(struct bytes *text, uint64_t *number)
{
	const uint8_t *colon = text->size ? memrchr(text->data, ':', text->size) : NULL;
	size_t size = colon ? (size_t)(colon - text->data) : 0;

	if (!colon || !take_decimal((struct bytes){colon + 1, text->size - size - 1}, number))
		return false;
	text->size = size;
	return true;
}

/* Returns the name @text. A number that fits into 64 bits is a GUID. */
static struct sampleprof_name *name_of(struct reader *reader, struct bytes text)
{
	uint64_t guid;

	return *text.data != '0' && take_decimal(text, &guid) ? sampleprof_name_of_guid(reader->profile, guid)
	                                                      : sampleprof_name(reader->profile, text);
}

static void open_function(struct reader *reader, struct sampleprof_function *function)
{
	reader->open_count = function->depth;
	reader->metadata[reader->open_count] = false;
	reader->open[reader->open_count++] = function;
}

/* NAME:TOTAL:HEAD */
static enum status read_function(struct reader *reader)
{
	struct bytes name = reader->line;
	struct sampleprof_function *function;
	size_t known = reader->profile->function_count;
	uint64_t total;
	uint64_t head;

	if (*name.data == '[')
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"has calling contexts (line %zu), which bareprof cannot read; convert it with "
			"llvm-profdata merge --sample --text --convert-sample-profile-layout=nest",
			reader->number);
	if (!split_number(&name, &head) || !split_number(&name, &total) || !name.size)
		return damaged(reader, "NAME:TOTAL:HEAD");
	function = sampleprof_function(reader->profile, name_of(reader, name));
	if (reader->profile->function_count == known)
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"has the function '%.*s' a second time in line %zu; make the file again",
			(int)(name.size < 200 ? name.size : 200), (const char *)name.data, reader->number);
	function->total = total;
	function->head = head;
	open_function(reader, function);
	return STATUS_OK;
}

/* OFFSET or OFFSET.DISCRIMINATOR, and a colon and a space. Moves @text behind them. */
static bool take_location(struct bytes *text, struct sampleprof_location *at)
{
	const uint8_t *colon = memchr(text->data, ':', text->size);
	size_t size = colon ? (size_t)(colon - text->data) : 0;
	const uint8_t *dot = size ? memchr(text->data, '.', size) : NULL;
	size_t digits = dot ? (size_t)(dot - text->data) : size;
	uint64_t offset;
	uint64_t discriminator = 0;

	if (!take_decimal((struct bytes){text->data, digits}, &offset) || offset > SAMPLEPROF_OFFSET_LAST)
		return false;
	if (dot && !take_decimal((struct bytes){dot + 1, size - digits - 1}, &discriminator))
		return false;
	if (discriminator > UINT32_MAX || text->size < size + 3 || colon[1] != ' ')
		return false;
	*at = (struct sampleprof_location){(uint32_t)offset, (uint32_t)discriminator};
	text->data = colon + 2;
	text->size -= size + 2;
	return true;
}

/* NAME:TOTAL */
static enum status read_inlinee(
	struct reader *reader, struct sampleprof_function *caller, struct sampleprof_location at, struct bytes text)
{
	struct sampleprof_function *inlinee;
	struct bytes vtables = text;
	uint64_t total;

	if (bytes_after(&vtables, "<vtables> "))
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"has types of vtables (line %zu), which bareprof cannot read; remove the lines with <vtables>",
			reader->number);
	if (!split_number(&text, &total) || !text.size)
		return damaged(reader, "LOCATION: NAME:TOTAL or LOCATION: COUNT");
	inlinee = sampleprof_inlinee(reader->profile, caller, at, name_of(reader, text));
	if (!inlinee)
		return damaged(reader, "an inlinee of a depth that bareprof can read");
	inlinee->total = add_saturating(inlinee->total, total);
	open_function(reader, inlinee);
	return STATUS_OK;
}

/* COUNT, and callees with a space before each */
static enum status read_count(
	struct reader *reader, struct sampleprof_function *function, struct sampleprof_location at, struct bytes text)
{
	const uint8_t *space = memchr(text.data, ' ', text.size);
	size_t size = space ? (size_t)(space - text.data) : text.size;
	uint64_t count;

	if (!take_decimal((struct bytes){text.data, size}, &count))
		return damaged(reader, "LOCATION: COUNT CALLEE:COUNT...");
	sampleprof_add(reader->profile, function, at, count);
	text.data += size;
	text.size -= size;
	while (text.size) {
		struct bytes name;

		if (!take_callee(&text, &name, &count))
			return damaged(reader, "LOCATION: COUNT CALLEE:COUNT...");
		sampleprof_add_callee(reader->profile, function, at, name_of(reader, name), count);
	}
	return STATUS_OK;
}

static struct bytes without_spaces(struct bytes text)
{
	while (text.size && *text.data == ' ') {
		text.data++;
		text.size--;
	}
	return text;
}

static enum status read_metadata(struct reader *reader, struct sampleprof_function *function, struct bytes text)
{
	uint64_t number;

	if (text.size == strlen("!Flat") && bytes_after(&text, "!Flat"))
		return STATUS_OK; /* Flat only means that the function has no inlinees. */
	if (bytes_after(&text, HASH_WORD)) {
		if (!take_decimal(without_spaces(text), &function->hash))
			return damaged(reader, "a checksum");
		return STATUS_OK;
	}
	if (!bytes_after(&text, ATTRIBUTES_WORD) || !take_decimal(without_spaces(text), &number) || number > UINT32_MAX)
		return damaged(reader, "a checksum or attributes");
	function->attributes = (uint32_t)number;
	return STATUS_OK;
}

static enum status read_line(struct reader *reader)
{
	struct bytes text = without_spaces(reader->line);
	size_t indent = reader->line.size - text.size;
	struct sampleprof_function *function;
	struct sampleprof_location at;

	if (!indent)
		return read_function(reader);
	if (indent > reader->open_count)
		return damaged(reader, "indented like a line of the function before it");
	reader->open_count = indent;
	function = reader->open[indent - 1];
	if (*text.data == '!') {
		reader->metadata[indent - 1] = true;
		return read_metadata(reader, function, text);
	}
	if (reader->metadata[indent - 1])
		return damaged(reader, "a checksum or attributes, after which nothing else of the function may follow");
	if (!take_location(&text, &at))
		return damaged(reader, "OFFSET: or OFFSET.DISCRIMINATOR:, with an offset of at most 65535");
	return is_digit(*text.data) ? read_count(reader, function, at, text) : read_inlinee(reader, function, at, text);
}

/* A file has one kind: either all functions have a hash, or none has. */
static enum status find_kind(struct sampleprof *profile, struct error *error)
{
	size_t probes = 0;
	size_t i;

	for (i = 0; i < profile->function_count; i++)
		probes += profile->functions[i]->hash != 0;
	profile->kind = probes ? SAMPLEPROF_PROBES : SAMPLEPROF_LINES;
	if (probes && probes != profile->function_count)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a checksum in %zu of its %zu functions, so it is neither a probe profile nor a line "
			"profile; make one file of each kind",
			probes, profile->function_count);
	return STATUS_OK;
}

enum status sampleprof_read_text(struct sampleprof *profile, struct bytes bytes, struct error *error)
{
	struct reader reader = {.profile = profile, .error = error, .rest = bytes};
	const uint8_t *zero = bytes.size ? memchr(bytes.data, 0, bytes.size) : NULL;
	enum status status = STATUS_OK;

	if (zero)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a zero byte at offset %zu, so it is not the text of a sample profile; convert it with "
			"llvm-profdata merge --sample --text",
			(size_t)(zero - bytes.data));
	while (status == STATUS_OK && next_line(&reader))
		status = read_line(&reader);
	return status == STATUS_OK ? find_kind(profile, error) : status;
}
