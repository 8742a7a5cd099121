/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - simulates serial lines, repeatably: damage, UARTs at another rate than the
 * sender, and transmission time.
 */
#ifndef BAREPROF_TESTS_HOST_WIRE_H
#define BAREPROF_TESTS_HOST_WIRE_H

#include "bytes.h"

/*
 * wire_hurt - appends @line, a line of a dump with its line end, with one damage of a random
 * kind. The line's block may still be complete.
 */
void wire_hurt(struct buffer *out, struct bytes line, uint64_t *random);

/*
 * wire_resample - appends the bytes that a UART set to @to baud receives if @sent is sent at
 * @from baud, 8N1, without pauses. @zero: the UART's driver gives a zero byte for a framing error
 * instead of the sampled byte.
 */
void wire_resample(struct buffer *out, struct bytes sent, double from, double to, bool zero);

/*
 * wire_say - writes @bytes to @fd, which must be non-blocking, at @baud bits per second and 10 bits
 * per byte; @baud 0: as fast as possible. Stops when @over(@context) returns true because nobody
 * listens. Returns the time it took, in seconds.
 */
double wire_say(int fd, struct bytes bytes, double baud, bool (*over)(void *context), void *context);

/* wire_pause - waits. */
void wire_pause(double seconds);

#endif
