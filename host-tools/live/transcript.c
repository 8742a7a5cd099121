/* SPDX-License-Identifier: BSD-2-Clause */
/* transcript.c - splits the console output of a test into lines, and matches the lines against patterns. */
#include "transcript.h"

#include <string.h>

/* Only this many bytes at the end of the text are kept. A line with more bytes is matched in parts. */
#define KEPT 65536u

static bool matches(const regex_t *pattern, const uint8_t *line, size_t n)
{
	regmatch_t all = {0, (regoff_t)n};

	return pattern && !regexec(pattern, (const char *)line, 1, &all, REG_STARTEND);
}

static size_t without_end(const uint8_t *line, size_t n)
{
	while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
		n--;
	return n;
}

static void judge_line(struct transcript *transcript, const uint8_t *line, size_t n)
{
	n = without_end(line, n);
	transcript->passed |= matches(transcript->pass, line, n);
	if (!transcript->failed.size && matches(transcript->fail, line, n))
		buffer_add(&transcript->failed, line, n);
}

static void look_for_ready(struct transcript *transcript, const uint8_t *line, size_t n)
{
	if (n)
		transcript->is_ready |= matches(transcript->ready, line, without_end(line, n));
}

static void drop_start(struct transcript *transcript)
{
	struct buffer *text = &transcript->text;
	size_t n = text->size - KEPT;

	if (text->size < 2 * KEPT)
		return;
	memmove(text->data, text->data + n, KEPT);
	text->size = KEPT;
	transcript->left_out += n;
	transcript->line -= n < transcript->line ? n : transcript->line;
}

void transcript_add(struct transcript *transcript, struct bytes bytes)
{
	struct buffer *text = &transcript->text;

	while (bytes.size) {
		const uint8_t *end = memchr(bytes.data, '\n', bytes.size < KEPT ? bytes.size : KEPT);
		size_t n = end ? (size_t)(end - bytes.data) + 1 : bytes.size < KEPT ? bytes.size : KEPT;
		const uint8_t *line;
		size_t length;

		buffer_add(text, bytes.data, n);
		bytes = (struct bytes){bytes.data + n, bytes.size - n};
		drop_start(transcript);
		/* regexec() gets the length of the line and needs no terminating zero, but sanitizers expect one. */
		buffer_string(text);
		line = text->data + transcript->line;
		length = text->size - transcript->line;
		look_for_ready(transcript, line, length);
		if (!end && length < KEPT)
			continue;
		if (transcript->judging)
			judge_line(transcript, line, length);
		transcript->line = text->size;
	}
}

void transcript_mark(struct transcript *transcript)
{
	transcript->line = transcript->text.size;
	transcript->is_ready = false;
}

void transcript_judge(struct transcript *transcript)
{
	size_t n = transcript->text.size - transcript->line;

	if (transcript->judging && n)
		judge_line(transcript, transcript->text.data + transcript->line, n);
	transcript->judging = false;
}

void transcript_clear(struct transcript *transcript)
{
	struct transcript fresh = {.ready = transcript->ready, .pass = transcript->pass, .fail = transcript->fail};

	transcript_free(transcript);
	*transcript = fresh;
}

void transcript_free(struct transcript *transcript)
{
	buffer_free(&transcript->text);
	buffer_free(&transcript->failed);
}
