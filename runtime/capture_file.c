/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_file.c - puts a whole capture into one buffer, which then has the contents of
 * a capture file.
 */
#include <bareprof/capture.h>

intptr_t bareprof_capture_write(const struct bareprof_capture *capture, void *buf, size_t size)
{
	static const uint8_t magic[] = BAREPROF_FILE_MAGIC;
	uint8_t *p = buf;
	uint32_t i;

	if (size < BAREPROF_FILE_MAGIC_SIZE)
		return BAREPROF_E_NO_SPACE;
	bareprof_copy(p, magic, BAREPROF_FILE_MAGIC_SIZE);
	p += BAREPROF_FILE_MAGIC_SIZE;
	for (i = 0; i < capture->blocks; i++) {
		intptr_t n = bareprof_block(capture, i, p, size - (size_t)(p - (uint8_t *)buf));

		if (n < 0)
			return n;
		p += n;
		BAREPROF_YIELD();
	}
	return p - (uint8_t *)buf;
}
