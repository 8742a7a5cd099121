/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lines.c - a mutator for texts. It removes, doubles, copies and replaces whole lines. It also replaces a line by a
 * number.
 */
#include "fuzz.h"

/* Returns the line that contains the byte at offset @at, including its newline. */
static struct bytes line_at(struct bytes text, size_t at)
{
	size_t start = at;
	size_t end = at;

	while (start && text.data[start - 1] != '\n')
		start--;
	while (end < text.size && text.data[end++] != '\n')
		continue;
	return (struct bytes){text.data + start, end - start};
}

/*
 * Appends a line with a number. In a text profile, some numbers say how many lines follow. These numbers are small, so
 * most of the new numbers are small too.
 */
static void add_number(struct buffer *out, struct dice *dice, uint64_t old, size_t size)
{
	uint64_t number = dice_throw(dice, 3) ? dice_throw(dice, 6) : dice_number(dice, old, size);

	buffer_printf(out, "%llu\n", (unsigned long long)number);
}

size_t change_lines(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes text = {data, size};
	struct buffer out = {0};
	struct bytes line;
	struct bytes other;
	size_t before;

	if (!size || dice_throw(&dice, 3) == 0)
		return LLVMFuzzerMutate(data, size, most);
	line = line_at(text, dice_throw(&dice, size));
	other = line_at(text, dice_throw(&dice, size));
	before = (size_t)(line.data - data);
	buffer_add(&out, data, before);
	switch (dice_throw(&dice, 5)) {
	case 0: /* remove the line */
		break;
	case 1: /* double the line */
		buffer_add(&out, line.data, line.size);
		buffer_add(&out, line.data, line.size);
		break;
	case 2: /* insert a copy of another line before the line */
		buffer_add(&out, other.data, other.size);
		buffer_add(&out, line.data, line.size);
		break;
	case 3: /* replace the line by a copy of another line */
		buffer_add(&out, other.data, other.size);
		break;
	default:
		add_number(&out, &dice, line.size, size);
	}
	buffer_add(&out, line.data + line.size, size - before - line.size);
	if (out.size <= most) {
		memcpy(data, out.data, out.size);
		size = out.size;
	}
	buffer_free(&out);
	return size;
}
