/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base_json.c - reads the totals of files from JSON of `llvm-cov export`. All other values are passed over. So a file
 * of several hundred megabytes is read in one pass, and only the totals take memory.
 */
#include "coverage_base.h"

#include <stdlib.h>

struct reader {
	struct bytes text;
	size_t at;
	const char *wrong; /* NULL: nothing is wrong so far */
	struct coverage_base *base;
	/* The file that is being read. */
	struct buffer name;
	struct coverage_summary summary;
	unsigned int rate;
};

/* Reads the value of a key of an object, or passes over it. */
typedef void (*read_value)(struct reader *reader, struct bytes key);

static void fail(struct reader *reader, const char *wrong)
{
	if (!reader->wrong)
		reader->wrong = wrong;
}

/* Returns the next character that is no white space, or 0 at the end. */
static uint8_t peek(struct reader *reader)
{
	while (reader->at < reader->text.size) {
		uint8_t c = reader->text.data[reader->at];

		if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
			return c;
		reader->at++;
	}
	return 0;
}

/* Takes @c. Returns false if something else follows. */
static bool take(struct reader *reader, char c)
{
	if (reader->wrong || peek(reader) != (uint8_t)c)
		return false;
	reader->at++;
	return true;
}

static void expect(struct reader *reader, char c, const char *wrong)
{
	if (!take(reader, c))
		fail(reader, wrong);
}

/* Takes a string, and returns what is between its quotes, with its escapes. */
static struct bytes take_string(struct reader *reader)
{
	struct bytes string = {NULL, 0};
	size_t start;

	expect(reader, '"', "a string is missing");
	if (reader->wrong)
		return string;
	start = reader->at;
	while (reader->at < reader->text.size && reader->text.data[reader->at] != '"')
		reader->at += reader->text.data[reader->at] == '\\' ? 2 : 1;
	if (reader->at >= reader->text.size) {
		reader->at = reader->text.size;
		fail(reader, "a string does not end");
		return string;
	}
	bytes_slice(reader->text, start, reader->at - start, &string);
	reader->at++;
	return string;
}

/* Passes over a value with everything in it. */
static void skip_value(struct reader *reader)
{
	size_t depth = 0;

	do {
		uint8_t c = peek(reader);

		if (c == '"')
			take_string(reader);
		else if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth)
			depth--;
		else if (!c || ((c == '}' || c == ']' || c == ',' || c == ':') && !depth))
			fail(reader, "a value is missing");
		if (c != '"' && !reader->wrong)
			reader->at++;
		/* The rest of a number or word. */
		while (c > ' ' && !strchr("\"{}[],:", c) && reader->at < reader->text.size &&
			reader->text.data[reader->at] > ' ' && !strchr("\"{}[],:", reader->text.data[reader->at]))
			reader->at++;
	} while (depth && !reader->wrong);
}

static void read_object(struct reader *reader, read_value value)
{
	expect(reader, '{', "an object is missing");
	if (take(reader, '}'))
		return;
	while (!reader->wrong) {
		struct bytes key = take_string(reader);

		expect(reader, ':', "a colon is missing");
		if (!reader->wrong)
			value(reader, key);
		if (!take(reader, ','))
			break;
	}
	expect(reader, '}', "an object does not end");
}

static void read_array(struct reader *reader, read_value value)
{
	const struct bytes no_key = {NULL, 0};

	expect(reader, '[', "a list is missing");
	if (take(reader, ']'))
		return;
	while (!reader->wrong) {
		value(reader, no_key);
		if (!take(reader, ','))
			break;
	}
	expect(reader, ']', "a list does not end");
}

static bool is_key(struct bytes key, const char *text)
{
	return key.size == strlen(text) && !memcmp(key.data, text, key.size);
}

static uint64_t take_number(struct reader *reader)
{
	uint64_t number = 0;
	size_t digits = 0;

	peek(reader);
	for (; reader->at < reader->text.size; reader->at++, digits++) {
		uint8_t c = reader->text.data[reader->at];

		if (c < '0' || c > '9')
			break;
		number = add_saturating(number > UINT64_MAX / 10 ? UINT64_MAX : number * 10, c - '0');
	}
	if (!digits)
		fail(reader, "a number is missing");
	return number;
}

static void read_rate(struct reader *reader, struct bytes key)
{
	struct rate *rate = &reader->summary.rate[reader->rate];

	if (is_key(key, "count"))
		rate->total = take_number(reader);
	else if (is_key(key, "covered"))
		rate->covered = take_number(reader);
	else
		skip_value(reader);
}

static void read_summary(struct reader *reader, struct bytes key)
{
	static const char *const names[RATES] = {
		[RATE_REGIONS] = "regions",
		[RATE_FUNCTIONS] = "functions",
		[RATE_INSTANTIATIONS] = "instantiations",
		[RATE_LINES] = "lines",
		[RATE_BRANCHES] = "branches",
		[RATE_CONDITIONS] = "mcdc",
	};

	for (reader->rate = 0; reader->rate < RATES; reader->rate++)
		if (is_key(key, names[reader->rate])) {
			reader->base->has[reader->rate] = true;
			read_object(reader, read_rate);
			return;
		}
	skip_value(reader);
}

/* Appends @code in UTF-8. */
static void add_character(struct buffer *out, unsigned int code)
{
	const uint8_t bytes[3] = {
		(uint8_t)(0xe0 | code >> 12), (uint8_t)(0x80 | (code >> 6 & 0x3f)), (uint8_t)(0x80 | (code & 0x3f))};
	const uint8_t two[2] = {(uint8_t)(0xc0 | code >> 6), bytes[2]};
	const uint8_t one = (uint8_t)code;

	if (code < 0x80)
		buffer_add(out, &one, 1);
	else if (code < 0x800)
		buffer_add(out, two, 2);
	else
		buffer_add(out, bytes, 3);
}

/* Sets reader->name to @string without its escapes. */
static void set_name(struct reader *reader, struct bytes string)
{
	static const char from[] = "bfnrt";
	static const char to[] = "\b\f\n\r\t";
	size_t i;

	reader->name.size = 0;
	for (i = 0; i < string.size; i++) {
		const char *escape = i + 1 < string.size ? memchr(from, string.data[i + 1], strlen(from)) : NULL;
		unsigned int code = 0;
		size_t n;

		if (string.data[i] != '\\' || i + 1 == string.size) {
			buffer_add(&reader->name, &string.data[i], 1);
			continue;
		}
		i++;
		if (string.data[i] == 'u' && string.size - i > 4) {
			for (n = 1; n <= 4; n++)
				code = code << 4 | (digit_value(string.data[i + n]) & 15);
			add_character(&reader->name, code);
			i += 4;
		} else {
			buffer_add(&reader->name, escape ? &to[escape - from] : (const char *)&string.data[i], 1);
		}
	}
}

static void read_member_of_file(struct reader *reader, struct bytes key)
{
	if (is_key(key, "filename"))
		set_name(reader, take_string(reader));
	else if (is_key(key, "summary"))
		read_object(reader, read_summary);
	else
		skip_value(reader);
}

static void read_file(struct reader *reader, struct bytes key)
{
	(void)key;
	reader->name.size = 0;
	reader->summary = (struct coverage_summary){0};
	read_object(reader, read_member_of_file);
	if (!reader->wrong && reader->name.size)
		base_add(reader->base, format("%s", buffer_string(&reader->name)), &reader->summary);
}

static void read_member_of_export(struct reader *reader, struct bytes key)
{
	if (is_key(key, "files"))
		read_array(reader, read_file);
	else
		skip_value(reader);
}

static void read_export(struct reader *reader, struct bytes key)
{
	(void)key;
	read_object(reader, read_member_of_export);
}

static void read_member_of_whole(struct reader *reader, struct bytes key)
{
	if (is_key(key, "data"))
		read_array(reader, read_export);
	else
		skip_value(reader);
}

const char *base_json_read(struct coverage_base *base, struct bytes text, size_t *offset)
{
	struct reader reader = {.text = text, .base = base};

	read_object(&reader, read_member_of_whole);
	buffer_free(&reader.name);
	*offset = reader.at;
	return reader.wrong;
}
