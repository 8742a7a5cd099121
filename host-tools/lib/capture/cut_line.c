/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cut_line.c - joins the base64 digits of several lines, until there are as many digits as the start of the block
 * announces.
 */
#include "cut_line.h"
#include "base64.h"
#include "block.h"

#include <bareprof/wire.h>
#include <string.h>

#define MARKER_SIZE (sizeof(BAREPROF_TEXT_MARKER) - 1)
/* The first START base64 digits of a block always contain the size of the block. */
#define START 80u

struct bytes cut_line_text(struct bytes line)
{
	while (line.size && memchr("\r\n\t ", line.data[line.size - 1], 4))
		line.size--;
	return line;
}

static const uint8_t *last_marker(struct bytes text)
{
	const uint8_t *end = text.data + text.size;
	const uint8_t *p = text.data;
	const uint8_t *mark = NULL;

	while ((p = memmem(p, (size_t)(end - p), BAREPROF_TEXT_MARKER, MARKER_SIZE))) {
		mark = p;
		p += MARKER_SIZE;
	}
	return mark;
}

static const uint8_t *digits_end(const uint8_t *p, const uint8_t *end)
{
	while (p < end && base64_is_digit(*p))
		p++;
	return p;
}

/*
 * Returns the number of base64 digits of the whole block, which the start of the block announces.
 * Returns 0 if no block can start with the digits in @cut. Returns SIZE_MAX if @cut has too few
 * digits to contain the size of the block.
 */
static size_t announced_digits(struct cut_line *cut)
{
	size_t size = cut->base64.size < START ? cut->base64.size : START;
	size_t bytes;

	base64_decode(&cut->scratch, cut->base64.data, cut->base64.data + size);
	bytes = block_announced((struct bytes){cut->scratch.data, cut->scratch.size});
	return bytes == SIZE_MAX ? SIZE_MAX : (bytes * 4 + 2) / 3;
}

enum cut_state cut_line_start(struct cut_line *cut, struct bytes line)
{
	struct bytes text = cut_line_text(line);
	const uint8_t *end = text.data + text.size;
	const uint8_t *mark = last_marker(text);

	if (!mark || digits_end(mark + MARKER_SIZE, end) != end)
		return CUT_NONE;
	cut->mark = (size_t)(mark - line.data);
	cut->base64.size = 0;
	buffer_add(&cut->base64, mark + MARKER_SIZE, (size_t)(end - mark) - MARKER_SIZE);
	cut->announced = announced_digits(cut);
	return cut->base64.size < cut->announced ? CUT_MORE : CUT_NONE;
}

enum cut_state cut_line_add(struct cut_line *cut, struct bytes line, size_t *used)
{
	struct bytes text = cut_line_text(line);
	const uint8_t *end = text.data + text.size;
	const uint8_t *stop = digits_end(text.data, end);
	size_t before = cut->base64.size;

	*used = 0;
	if (stop == text.data || last_marker(text))
		return CUT_NONE;
	buffer_add(&cut->base64, text.data, (size_t)(stop - text.data));
	if (cut->announced == SIZE_MAX)
		cut->announced = announced_digits(cut);
	if (cut->base64.size < cut->announced)
		return stop == end ? CUT_MORE : CUT_NONE;
	if (cut->announced <= before)
		return CUT_NONE;
	*used = cut->announced - before;
	cut->base64.size = cut->announced;
	return CUT_COMPLETE;
}

bool cut_line_may_add(struct bytes line)
{
	struct bytes text = cut_line_text(line);

	return digits_end(text.data, text.data + text.size) == text.data + text.size;
}

void cut_line_free(struct cut_line *cut)
{
	buffer_free(&cut->base64);
	buffer_free(&cut->scratch);
}
