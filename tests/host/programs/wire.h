/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - what serial lines do to bytes, repeatably: damage, UARTs that
 * are set to another rate than the sender's, and time.
 */
#ifndef BAREPROF_TESTS_HOST_WIRE_H
#define BAREPROF_TESTS_HOST_WIRE_H

#include "bytes.h"

/*
 * wire_hurt - append @line, a line of a dump with its line end, as it arrives
 * after one damage of a random kind. Its block may yet be in it.
 */
void wire_hurt(struct buffer *out, struct bytes line, uint64_t *random);

/*
 * wire_resample - append what a UART set to @to baud makes of @sent, which is
 * sent at @from baud, 8N1, without a pause. @zero: a driver that gives a zero
 * byte for a framing error, in place of what was sampled.
 */
void wire_resample(struct buffer *out, struct bytes sent, double from, double to, bool zero);

/*
 * wire_say - write @bytes to @fd, which must not block: @baud bits a second, 10
 * for each byte, or with 0 as fast as they go; until @over(@context) says that
 * nobody listens. How long it took, in seconds.
 */
double wire_say(int fd, struct bytes bytes, double baud, bool (*over)(void *context), void *context);

/* wire_pause - wait so many seconds. */
void wire_pause(double seconds);

#endif
