/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * baud_detect.c - control characters and what is no UTF-8, against lines of text. What
 * is written in other scripts or in colours, with odd bytes from a boot loader,
 * has such lines, or no control characters.
 */
#include "baud_detect.h"
#include "utf8.h"

#include <string.h>

/* A line of so many characters without a strange one does not come by chance. */
#define CLEAN 16u

/* A receiver that is too fast sees each bit several times: no run is shorter. */
static void add_runs(struct noise *noise, uint8_t byte)
{
	unsigned int edges = (byte ^ byte >> 1) & 0x7fu;
	unsigned int last = 0;
	unsigned int i;

	for (i = 1; i <= 7; i++) {
		if (!(edges >> (i - 1) & 1))
			continue;
		if (last)
			noise->runs[i - last]++;
		last = i;
	}
}

static void add_strange(struct noise *noise)
{
	noise->strange++;
	noise->dirty = true;
}

static void add_line(struct noise *noise)
{
	bool text = !noise->dirty && noise->clean >= CLEAN;

	noise->lines++;
	noise->clean = 0;
	noise->dirty = false;
	if (text)
		*noise = (struct noise){0};
}

static void add(struct noise *noise, uint8_t c)
{
	unsigned int length;

	noise->total++;
	add_runs(noise, c);
	if (noise->expected && (c & 0xc0) == 0x80) {
		noise->open++;
		noise->strange++;
		/* It was a character: take back what its bytes were counted as. */
		if (!--noise->expected)
			noise->strange -= noise->open < noise->strange ? noise->open : noise->strange;
		return;
	}
	noise->expected = 0;
	if (c >= 0x80) {
		length = (unsigned int)utf8_announced(c);
		noise->expected = length ? length - 1 : 0;
		noise->open = 1;
		add_strange(noise);
	} else if (c == 0x7f || (c < 0x20 && (!c || !strchr("\t\n\r\f\v\b\a\x1b", c)))) {
		noise->controls++;
		add_strange(noise);
	} else if (c == '\n') {
		add_line(noise);
	} else {
		noise->clean++;
	}
}

void noise_add(struct noise *noise, struct bytes bytes)
{
	size_t i;

	for (i = 0; i < bytes.size; i++)
		add(noise, bytes.data[i]);
}

bool noise_found(const struct noise *noise, size_t least)
{
	/* Text of an old 8-bit character set has lines and no control characters. */
	return noise->total >= least && noise->strange > noise->total / 8 &&
	       (noise->controls > noise->total / 100 || !noise->lines);
}

unsigned int noise_factor(const struct noise *noise)
{
	size_t all = 0;
	size_t so_far = 0;
	unsigned int i;

	for (i = 1; i < 8; i++)
		all += noise->runs[i];
	/* Next to none: most bytes have one edge or no edge at all. */
	if (all <= noise->total / 16)
		return 7;
	/* Some runs are cut short by where the receiver thinks that a byte starts. */
	for (i = 1; i < 7; i++) {
		so_far += noise->runs[i];
		if (so_far > all / 8)
			break;
	}
	return i;
}
