/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * baud_detect.c - recognises a wrong baud rate. At a wrong rate, many control characters and bytes that are not UTF-8
 * arrive, but few lines of text. At the right rate, lines of text arrive, or there are hardly any control characters.
 * These rules hold for text in any script and for text with colours. They also hold if a boot loader sends a few odd
 * bytes before the text.
 */
#include "baud_detect.h"
#include "utf8.h"

#include <string.h>

/*
 * A line is certainly text if it has at least this many characters, no control characters and only valid UTF-8. At a
 * wrong rate, no such line arrives by chance.
 */
#define CLEAN 16u

/*
 * Counts runs of equal bits. A receiver that is too fast sees each bit several times, so it sees no run of a single
 * bit.
 */
static void add_runs(struct baud_detect *detect, uint8_t byte)
{
	unsigned int edges = (byte ^ byte >> 1) & 0x7fu;
	unsigned int last = 0;
	unsigned int i;

	for (i = 1; i <= 7; i++) {
		if (!(edges >> (i - 1) & 1))
			continue;
		if (last)
			detect->runs[i - last]++;
		last = i;
	}
}

static void add_strange(struct baud_detect *detect)
{
	detect->strange++;
	detect->dirty = true;
}

static void add_line(struct baud_detect *detect)
{
	bool text = !detect->dirty && detect->clean >= CLEAN;

	detect->lines++;
	detect->clean = 0;
	detect->dirty = false;
	if (text)
		*detect = (struct baud_detect){0};
}

static void add_byte(struct baud_detect *detect, uint8_t c)
{
	unsigned int length;

	detect->total++;
	add_runs(detect, c);
	if (detect->expected && (c & 0xc0) == 0x80) {
		detect->open++;
		detect->strange++;
		/*
		 * The character is complete and valid. Its bytes were counted as strange until now, so subtract them.
		 */
		if (!--detect->expected)
			detect->strange -= detect->open < detect->strange ? detect->open : detect->strange;
		return;
	}
	detect->expected = 0;
	if (c >= 0x80) {
		length = (unsigned int)utf8_announced(c);
		detect->expected = length ? length - 1 : 0;
		detect->open = 1;
		add_strange(detect);
	} else if (c == 0x7f || (c < 0x20 && (!c || !strchr("\t\n\r\f\v\b\a\x1b", c)))) {
		detect->controls++;
		add_strange(detect);
	} else if (c == '\n') {
		add_line(detect);
	} else {
		detect->clean++;
	}
}

void baud_detect_add(struct baud_detect *detect, struct bytes bytes)
{
	size_t i;

	for (i = 0; i < bytes.size; i++)
		add_byte(detect, bytes.data[i]);
}

bool baud_detect_is_wrong(const struct baud_detect *detect, size_t bytes_min)
{
	/*
	 * Many bytes that are not UTF-8 do not prove a wrong rate, because text in an old 8-bit character set has them
	 * too. But such text has lines and no control characters.
	 */
	return detect->total >= bytes_min && detect->strange > detect->total / 8 &&
	       (detect->controls > detect->total / 100 || !detect->lines);
}

unsigned int baud_detect_factor(const struct baud_detect *detect)
{
	size_t all = 0;
	size_t so_far = 0;
	unsigned int i;

	for (i = 1; i < 8; i++)
		all += detect->runs[i];
	/*
	 * If the receiver is far too fast, the bits change at most once in most bytes. So few runs start and end within
	 * one byte, and only such runs are counted.
	 */
	if (all <= detect->total / 16)
		return 7;
	/*
	 * Ignore a few short runs. Such runs arise when the receiver starts to receive a byte in the middle of a run.
	 */
	for (i = 1; i < 7; i++) {
		so_far += detect->runs[i];
		if (so_far > all / 8)
			break;
	}
	return i;
}
