/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * noise.c - count control characters and what is no UTF-8, stretch by stretch.
 */
#include "noise.h"

#include <string.h>

#define STRETCH 128u

/* How many bytes must follow the first one of a UTF-8 character; 0: it is none. */
static unsigned int following(uint8_t first)
{
	return first >= 0xc2 && first < 0xe0   ? 1
	       : first >= 0xe0 && first < 0xf0 ? 2
	       : first >= 0xf0 && first < 0xf5 ? 3
	                                       : 0;
}

static void add(struct noise *noise, uint8_t c)
{
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
		noise->expected = following(c);
		noise->open = 1;
		noise->strange++;
	} else if (c == 0x7f || (c < 0x20 && (!c || !strchr("\t\n\r\f\v\b\a\x1b", c)))) {
		noise->strange++;
	}
}

void noise_add(struct noise *noise, struct bytes bytes)
{
	size_t i;

	for (i = 0; i < bytes.size; i++) {
		add(noise, bytes.data[i]);
		if (++noise->total < STRETCH)
			continue;
		noise->found |= noise->strange > STRETCH / 2;
		noise->total = noise->strange = 0;
	}
}
