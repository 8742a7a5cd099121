/* SPDX-License-Identifier: BSD-2-Clause */
/* samples_text.c - reads and writes .samples, the text file of samples. */
#include "samples_text.h"

#include <inttypes.h>

#define VERSION 1u

/* A build id of a linker has at most 32 bytes. stamp and --build-id=0x... may make longer ones. */
#define BUILD_ID_MAX 64u

/* At most this many bytes of a line are quoted in a message. */
#define QUOTED_MAX 60

/* The lines of the head. Each may come at most once. */
enum key {
	KEY_BUILD_ID,
	KEY_RATE,
	KEY_CPUS,
	KEY_DROPPED,
	KEY_OUTSIDE,
	KEY_HISTOGRAM,
	KEY_TOTAL, /* shows whether the end of the file is missing */
	KEYS,
};

static const char *const key_names[KEYS] = {"build-id", "rate", "cpus", "dropped", "outside", "histogram", "total"};

struct reader {
	struct samples *samples;
	struct bytes rest;
	struct bytes line; /* the line that is read */
	uint64_t number; /* the number of this line; the first line has the number 1 */
	bool seen[KEYS];
	uint64_t total; /* the number in the line KEY_TOTAL */
	struct error *error;
};

bool samples_text_is(struct bytes bytes)
{
	return bytes_after(&bytes, SAMPLES_TEXT_MAGIC);
}

static enum status refuse(const struct reader *reader, const char *what)
{
	int shown = reader->line.size < QUOTED_MAX ? (int)reader->line.size : QUOTED_MAX;

	return error_set(reader->error, STATUS_INVALID_INPUT, "line %" PRIu64 " is '%.*s', but %s", reader->number,
		shown, (const char *)reader->line.data, what);
}

/* Takes the next line that is neither empty nor a comment. Returns false at the end of the file. */
static bool next_line(struct reader *reader)
{
	while (reader->rest.size) {
		reader->line = bytes_line(&reader->rest);
		reader->number++;
		while (reader->line.size && strchr(" \t\r", reader->line.data[reader->line.size - 1]) &&
			reader->line.data[reader->line.size - 1])
			reader->line.size--;
		if (reader->line.size && reader->line.data[0] != '#')
			return true;
	}
	return false;
}

/* Removes the first word from @line and returns it. Spaces and tabs separate words. */
static struct bytes take_word(struct bytes *line)
{
	struct bytes word;
	size_t n = 0;

	while (line->size && (line->data[0] == ' ' || line->data[0] == '\t'))
		bytes_slice(*line, 1, line->size - 1, line);
	while (n < line->size && line->data[n] != ' ' && line->data[n] != '\t')
		n++;
	word = (struct bytes){line->data, n};
	bytes_slice(*line, n, line->size - n, line);
	return word;
}

static unsigned int digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10u;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10u : 16;
}

/* Reads all digits of @word, which must be at least one. Returns false if they are no number below 2^64. */
static bool read_digits(struct bytes word, unsigned int radix, uint64_t *value)
{
	bool any = word.size != 0;

	*value = 0;
	for (; word.size; bytes_slice(word, 1, word.size - 1, &word)) {
		unsigned int next = digit(word.data[0]);

		if (next >= radix || __builtin_mul_overflow(*value, (uint64_t)radix, value) ||
			__builtin_add_overflow(*value, (uint64_t)next, value))
			return false;
	}
	return any;
}

static bool take_decimal(struct bytes *line, uint64_t *value)
{
	return read_digits(take_word(line), 10, value);
}

static bool take_address(struct bytes *line, uint64_t *value)
{
	struct bytes word = take_word(line);

	return bytes_after(&word, "0x") && read_digits(word, 16, value);
}

static enum status read_build_id(struct reader *reader, struct bytes line)
{
	struct bytes id = take_word(&line);
	size_t i;

	if (!id.size || id.size % 2 || id.size / 2 > BUILD_ID_MAX || line.size)
		return refuse(reader, "a build id has from 1 to 64 bytes, in two hexadecimal digits each");
	for (i = 0; i < id.size; i += 2) {
		unsigned int high = digit(id.data[i]);
		unsigned int low = digit(id.data[i + 1]);
		uint8_t byte = (uint8_t)(high << 4 | low);

		if (high > 15 || low > 15)
			return refuse(reader, "a build id has only hexadecimal digits");
		buffer_add(&reader->samples->build_id, &byte, 1);
	}
	return STATUS_OK;
}

static enum status read_key(struct reader *reader, enum key key, struct bytes line)
{
	uint64_t value;

	if (reader->seen[key])
		return refuse(reader, "there was such a line before");
	reader->seen[key] = true;
	if (key == KEY_BUILD_ID)
		return read_build_id(reader, line);
	if (!take_decimal(&line, &value) || line.size)
		return refuse(reader, "one decimal number should follow the first word");
	if (key == KEY_HISTOGRAM && value > SAMPLE_SHIFT_MAX)
		return refuse(reader, "the number of a histogram is at most 31");
	if (key == KEY_RATE)
		reader->samples->rate = value;
	else if (key == KEY_CPUS)
		reader->samples->cpus = value;
	else if (key == KEY_DROPPED)
		reader->samples->dropped = value;
	else if (key == KEY_OUTSIDE)
		reader->samples->outside = value;
	else if (key == KEY_HISTOGRAM)
		reader->samples->shift = (unsigned int)value;
	else
		reader->total = value;
	return STATUS_OK;
}

/* Reads the lines before the samples. */
static enum status read_head(struct reader *reader)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK) {
		struct bytes line;
		struct bytes word;
		unsigned int i = 0;

		if (!next_line(reader))
			return error_set(reader->error, STATUS_INVALID_INPUT,
				"ends after line %" PRIu64
				", before the line 'samples'; it may be cut short" HINT_FETCH_AGAIN,
				reader->number);
		line = reader->line;
		word = take_word(&line);
		if (word.size == 7 && !memcmp(word.data, "samples", 7) && !line.size)
			return STATUS_OK;
		while (i < KEYS &&
			(strlen(key_names[i]) != word.size || memcmp(key_names[i], word.data, word.size) != 0))
			i++;
		status = i < KEYS ? read_key(reader, (enum key)i, line)
		                  : refuse(reader,
					    "the lines before 'samples' begin with build-id, rate, cpus, dropped, "
					    "outside, histogram or total");
	}
	return status;
}

static enum status read_sample(struct reader *reader)
{
	uint64_t stack[SAMPLE_DEPTH_MAX];
	struct bytes line = reader->line;
	uint64_t address;
	uint64_t count;
	uint32_t depth = 0;

	if (!take_address(&line, &address) || !take_decimal(&line, &count) || !count)
		return refuse(reader, "a sample has an address such as 0x1040, then a count of 1 or more");
	while (line.size) {
		if (depth == SAMPLE_DEPTH_MAX)
			return refuse(reader, "a sample has at most 255 return addresses");
		if (!take_address(&line, &stack[depth++]))
			return refuse(reader, "only return addresses such as 0x1040 may follow the count");
	}
	while (depth && !stack[depth - 1])
		depth--;
	if (depth && reader->samples->shift)
		return refuse(reader, "the samples of a histogram have no return addresses");
	samples_add(reader->samples, address, count, stack, depth);
	return STATUS_OK;
}

enum status samples_text_read(struct samples *samples, struct bytes text, struct error *error)
{
	struct reader reader = {.samples = samples, .rest = text, .error = error};
	struct bytes line;
	uint64_t version;
	enum status status;

	if (!next_line(&reader) || !samples_text_is(reader.line))
		return error_set(error, STATUS_INVALID_INPUT, "is not a file of samples (.samples)");
	line = reader.line;
	bytes_after(&line, SAMPLES_TEXT_MAGIC);
	if (!take_decimal(&line, &version) || line.size || version != VERSION)
		return refuse(&reader, "this bareprof reads only version 1 of this file; use a newer bareprof");
	status = read_head(&reader);
	while (status == STATUS_OK && next_line(&reader))
		status = read_sample(&reader);
	samples->any = true;
	samples_sort(samples);
	if (status == STATUS_OK && reader.seen[KEY_TOTAL] && samples_total(samples) != reader.total)
		return error_set(error, STATUS_INVALID_INPUT,
			"should have %" PRIu64 " samples, but has %" PRIu64 "; it may be cut short" HINT_FETCH_AGAIN,
			reader.total, samples_total(samples));
	return status;
}

static void put_number(struct buffer *text, enum key key, uint64_t value)
{
	if (value)
		buffer_printf(text, "%s %" PRIu64 "\n", key_names[key], value);
}

/* Long files are written without buffer_printf(), which allocates memory for each call. */
static void put_address(struct buffer *text, uint64_t address)
{
	char digits[18];
	size_t at = sizeof(digits);

	do
		digits[--at] = "0123456789abcdef"[address & 15];
	while (address >>= 4);
	digits[--at] = 'x';
	digits[--at] = '0';
	buffer_add(text, digits + at, sizeof(digits) - at);
}

void samples_text_write(struct buffer *text, const struct samples *samples)
{
	size_t i;
	uint32_t j;

	buffer_printf(text, SAMPLES_TEXT_MAGIC "%u\n", VERSION);
	if (samples->build_id.size) {
		buffer_printf(text, "%s ", key_names[KEY_BUILD_ID]);
		buffer_add_hex(text, (struct bytes){samples->build_id.data, samples->build_id.size});
		buffer_add_text(text, "\n");
	}
	put_number(text, KEY_RATE, samples->rate);
	put_number(text, KEY_CPUS, samples->cpus);
	put_number(text, KEY_DROPPED, samples->dropped);
	put_number(text, KEY_OUTSIDE, samples->outside);
	put_number(text, KEY_HISTOGRAM, samples->shift);
	put_number(text, KEY_TOTAL, samples_total(samples));
	buffer_add_text(text, "samples\n");
	for (i = 0; i < samples->count; i++) {
		const struct sample *sample = &samples->list[i];

		put_address(text, sample->address);
		buffer_printf(text, " %" PRIu64, sample->count);
		for (j = 0; j < sample->depth; j++) {
			buffer_add_text(text, " ");
			put_address(text, samples->addresses[sample->stack + j]);
		}
		buffer_add_text(text, "\n");
	}
}
