/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.h - live sources: serial lines and sockets on which a target sends data now. The functions do not interpret
 * the data.
 */
#ifndef BAREPROF_HOST_SOURCE_H
#define BAREPROF_HOST_SOURCE_H

#include "bytes.h"
#include "error.h"

#include <stdbool.h>
#include <termios.h>

struct source {
	int fd; /* non-blocking */
	unsigned int baud; /* baud rate; 0: the source is not a serial line */
	struct termios before; /* settings of the serial line before it was opened; source_close() restores them */
};

/*
 * source_is_live - returns true if @name is the name of a live source. The name of a live source starts with tty:,
 * tcp: or unix:.
 */
bool source_is_live(const char *name);

/*
 * source_open - opens tty:DEVICE[@BAUD], tcp:HOST:PORT or unix:PATH for reading and
 * writing. The caller ends with source_close(). Errors: USAGE, SYSTEM.
 */
enum status source_open(struct source *source, const char *name, struct error *error);

/*
 * source_propose - appends the baud rates that the target may have, as in "57600, 38400 or 19200". The most common
 * rates come first. @baud is the rate of the host's serial port. @factor is the result of baud_detect_factor().
 */
void source_propose(unsigned int baud, unsigned int factor, struct buffer *text);

/*
 * source_taken - returns whether all bytes that were typed have been sent from this machine. If the receiver is a
 * program on this machine, returns whether that program has read these bytes.
 */
bool source_taken(const struct source *source);

/* source_close - closes the source, and restores the settings of a serial line. */
void source_close(struct source *source);

#endif
