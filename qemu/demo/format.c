/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * format.c - a small printf() into a buffer. It finds digits by repeated
 * subtraction, because not every Arm core can divide.
 */
#include "format.h"
#include "strings.h"

struct out {
	char *buf;
	uint32_t size;
	uint32_t used;
};

struct field {
	uint32_t width;
	char pad;
	bool left;
};

static void put(struct out *out, char c)
{
	if (out->used + 1 < out->size)
		out->buf[out->used++] = c;
}

static void put_field(struct out *out, const struct field *field, const char *s)
{
	uint32_t blanks = str_length(s);

	blanks = blanks < field->width ? field->width - blanks : 0;
	if (!field->left)
		for (; blanks > 0; blanks--)
			put(out, field->pad);
	for (; *s != '\0'; s++)
		put(out, *s);
	for (; blanks > 0; blanks--)
		put(out, ' ');
}

static char *decimal(char *to, uint32_t value)
{
	static const uint32_t power[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10};
	uint32_t count = sizeof(power) / sizeof(power[0]);
	uint32_t i = 0;
	char digit;

	while (i < count && value < power[i])
		i++;
	for (; i < count; i++) {
		for (digit = '0'; value >= power[i]; digit++)
			value -= power[i];
		*to++ = digit;
	}
	*to++ = (char)('0' + value);
	return to;
}

static char *hexadecimal(char *to, uint32_t value)
{
	int shift = 28;

	while (shift > 0 && value >> shift == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[value >> shift & 15];
	return to;
}

static const char *parse_field(const char *text, struct field *field)
{
	field->left = *text == '-';
	if (field->left)
		text++;
	field->pad = *text == '0' ? '0' : ' ';
	field->width = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		field->width = field->width * 10 + (uint32_t)(*text - '0');
	return text;
}

static void convert(char kind, char *to, uint32_t value)
{
	switch (kind) {
	case 'c':
		*to++ = (char)value;
		break;
	case 'd':
		if (value >> 31) {
			*to++ = '-';
			value = 0 - value;
		}
		/* fall through */
	case 'u':
		to = decimal(to, value);
		break;
	case 'x':
		to = hexadecimal(to, value);
		break;
	default:
		*to++ = '?';
		break;
	}
	*to = '\0';
}

uint32_t format(char *buf, uint32_t size, const char *text, const uintptr_t *args)
{
	struct out out;
	struct field field;
	char room[12]; /* for a sign, ten digits and the final 0 */
	uint32_t used = 0;

	out.buf = buf;
	out.size = size;
	out.used = 0;
	for (; *text != '\0'; text++) {
		if (*text != '%') {
			put(&out, *text);
			continue;
		}
		text = parse_field(text + 1, &field);
		if (*text == '\0')
			break;
		if (*text == '%') {
			put(&out, '%');
			continue;
		}
		if (used == FORMAT_ARGS_MAX)
			continue;
		if (*text == 's') {
			put_field(&out, &field, (const char *)args[used++]);
			continue;
		}
		convert(*text, room, (uint32_t)args[used++]);
		put_field(&out, &field, room);
	}
	buf[out.used] = '\0';
	return out.used;
}
