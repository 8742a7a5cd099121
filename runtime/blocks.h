/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blocks.h - within the runtime: capture.c builds the blocks of any capture,
 * counters.c and whole.c know what goes into them.
 */
#ifndef BAREPROF_BLOCKS_H
#define BAREPROF_BLOCKS_H

#include <bareprof/capture.h>

/* Put @n numbers from @number on at @p, as ULEB128; returns their end. */
BAREPROF_API uint8_t *bareprof_put(uint8_t *p, const size_t *number, unsigned int n);

/*
 * Finish opening @capture, of which image, nonce, payload and, but for span, the
 * numbers of BEGIN are set. Errors: ROOM.
 */
BAREPROF_API int bareprof_capture_begin(struct bareprof_capture *capture, void *buf, size_t size);

/*
 * Code the @raw bytes at @from, counters that go on counting: each is read once.
 * Returns the end of the items at @p; or NULL if they would not be shorter than
 * @raw, and then up to @raw + 8 bytes at @p are scratched.
 */
BAREPROF_API uint8_t *bareprof_tokens(uint8_t *p, const void *from, size_t raw, unsigned int coding);

#endif
