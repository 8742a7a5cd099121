/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encode_text.c - encodes blocks as lines of base64, for a console to which other code
 * writes too.
 */
#include <bareprof/capture.h>

/* Returns the character for the upper 6 of the 24 bits @bits. */
static char digit(uint32_t bits)
{
	unsigned int six = bits >> 18 & 63;
	unsigned int c = 'A' + six;

	if (six >= 26)
		c += 'a' - 26 - 'A';
	if (six >= 52)
		c -= 'a' - 26 + 52 - '0';
	if (six >= 62)
		c = six == 62 ? '+' : '/';
	return (char)c;
}

int BAREPROF_CALLBACK bareprof_encode_text(const void *block, size_t n, bareprof_sink sink, void *context)
{
	static const char line[] = BAREPROF_TEXT_MARKER "\r\n";
	const uint8_t *p = block;
	const uint8_t *end = p + n;
	const char *text = line;
	size_t size = sizeof(line) - 3;
	char quad[4];

	for (;;) {
		int stop = sink(context, text, size);
		uint32_t bits = 0;
		unsigned int i;

		if (stop || text == line + sizeof(line) - 3)
			return stop;
		size = 2;
		text = line + sizeof(line) - 3;
		if (p == end)
			continue;
		size = sizeof(quad);
		text = quad;
		/* At the end, zeros take the place of missing bytes, and the last characters are not sent. */
		for (i = 0; i < 3; i++) {
			bits <<= 8;
			if (p != end)
				bits |= *p++;
			else
				size--;
		}
		for (i = 0; i < 4; i++) {
			quad[i] = digit(bits);
			bits <<= 6;
		}
	}
}
