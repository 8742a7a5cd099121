/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.h - ways to a target that is talking now: serial lines and sockets.
 * What is said there is no business of theirs.
 */
#ifndef BAREPROF_HOST_SOURCE_H
#define BAREPROF_HOST_SOURCE_H

#include "bytes.h"
#include "error.h"

#include <stdbool.h>
#include <termios.h>

struct source {
	int fd; /* does not block */
	unsigned int baud; /* 0: it has no rate */
	struct termios before; /* of a terminal */
};

/* source_is_live - does @name name one: tty:, tcp: or unix:? */
bool source_is_live(const char *name);

/*
 * source_open - open tty:DEVICE[@BAUD], tcp:HOST:PORT or unix:PATH for reading
 * and writing. End with source_close(). Errors: USAGE, SYSTEM.
 */
enum status source_open(struct source *source, const char *name, struct error *error);

/*
 * source_propose - append the rates, likely ones first, that a target may be at
 * if it is not at @baud and that samples it @factor (baud_detect.h) times as fast:
 * "57600, 38400 or 19200".
 */
void source_propose(unsigned int baud, unsigned int factor, struct buffer *text);

/* source_taken - has all that was typed left this machine, or been read by another program of it? */
bool source_taken(const struct source *source);

/* source_close - leave a terminal as it was. */
void source_close(struct source *source);

#endif
