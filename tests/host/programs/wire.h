/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - simulates a serial connection: damage, transmission time, and a UART whose baud rate differs from the
 * sender's. The results can be repeated.
 */
#ifndef BAREPROF_TESTS_HOST_WIRE_H
#define BAREPROF_TESTS_HOST_WIRE_H

#include "bytes.h"

/*
 * wire_hurt - damages @line in one random way, and appends the result to @out. @line is a line of a dump, with its
 * line end. The block in the line can still be complete after the damage.
 */
void wire_hurt(struct buffer *out, struct bytes line, uint64_t *random);

/*
 * wire_resample - appends the bytes that a UART set to @to baud receives if @sent is sent at @from baud, 8N1, without
 * pauses. If @zero is true, the UART's driver gives a zero byte for each framing error, in place of the sampled byte.
 */
void wire_resample(struct buffer *out, struct bytes sent, double from, double to, bool zero);

/*
 * wire_say - writes @bytes to @fd, which must be non-blocking, at @baud bits per second and 10 bits per byte. A @baud
 * of 0 means as fast as possible. wire_say() stops when @over(@context) returns true, because then the listener has
 * ended. Returns the elapsed time in seconds.
 */
double wire_say(int fd, struct bytes bytes, double baud, bool (*over)(void *context), void *context);

/* wire_pause - waits for @seconds. */
void wire_pause(double seconds);

#endif
