/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_answer.c - sends the blocks for which the host asks. docs/SPEC.md, 1.10, describes the text of a
 * request.
 */
#include <bareprof/capture.h>

/* Reads the decimal number at *@text, modulo 2^32, and moves *@text behind it. */
static uint32_t number(const char **text)
{
	const char *p = *text;
	uint32_t value = 0;
	unsigned int digit;

	for (; (digit = (unsigned int)*p - '0') < 10; p++)
		value = value * 10 + digit;
	*text = p;
	return value;
}

int bareprof_answer(const struct bareprof_capture *capture, const char *request, void *buf, size_t size,
	bareprof_encoder form, bareprof_sink sink, void *context)
{
	const char *end = request;
	uint32_t check;

	while (*end && *end != '.')
		end++;
	check = bareprof_crc32c(capture->tag, request, (size_t)(end - request));
	/* The point is skipped only if it is there. Otherwise the number is 0, which is hardly ever the check. */
	end += *end == '.';
	if (number(&end) != check)
		return BAREPROF_E_ARGUMENT;

	/* The list is what the host has written, so nothing else in it needs to be checked. */
	for (;; request++) {
		uint32_t index = number(&request);
		uint32_t last = index;

		if (*request == '-') {
			request++;
			last = number(&request);
		}
		while (index <= last) {
			intptr_t n = bareprof_next_block(capture, &index, buf, size);

			if (n < 0)
				return (int)n;
			if (form(buf, (size_t)n, sink, context))
				return BAREPROF_E_SINK;
			BAREPROF_YIELD();
		}
		if (*request != ',')
			return BAREPROF_OK;
	}
}
