/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * encode_text.c - encodes blocks as lines of base64, for a console to which other code
 * writes too.
 */
#include <bareprof/capture.h>

static char digit(unsigned int six)
{
	six &= 63;
	if (six < 26)
		return (char)('A' + six);
	if (six < 52)
		return (char)('a' + six - 26);
	if (six < 62)
		return (char)('0' + six - 52);
	return six == 62 ? '+' : '/';
}

int BAREPROF_CALLBACK bareprof_encode_text(const void *block, size_t n, bareprof_sink sink, void *context)
{
	static const char marker[] = BAREPROF_TEXT_MARKER;
	const uint8_t *p = block;
	int stop = sink(context, marker, sizeof(marker) - 1);

	while (n && !stop) {
		unsigned int group = n < 3 ? (unsigned int)n : 3;
		uint32_t bits = (uint32_t)p[0] << 16;
		char quad[4];

		if (group > 1)
			bits |= (uint32_t)p[1] << 8;
		if (group > 2)
			bits |= p[2];
		quad[0] = digit(bits >> 18);
		quad[1] = digit(bits >> 12);
		quad[2] = digit(bits >> 6);
		quad[3] = digit(bits);
		stop = sink(context, quad, group + 1);
		p += group;
		n -= group;
	}
	return stop ? stop : sink(context, "\r\n", 2);
}
