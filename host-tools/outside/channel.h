/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * channel.h - a connection to a program that controls the target, such as a debugger's stub or QEMU's monitor. It goes
 * both ways, and every wait has a limit.
 */
#ifndef BAREPROF_HOST_CHANNEL_H
#define BAREPROF_HOST_CHANNEL_H

#include "bytes.h"
#include "child.h"
#include "error.h"
#include "source.h"

/* Starts as all zeros. */
struct channel {
	struct source source; /* a socket or a serial line; not used if @piped is true */
	struct child child; /* a program that was started for this connection */
	bool open;
	bool piped;
	bool ended; /* the other side has closed the connection */
	bool ends; /* the caller takes leave, so signals no longer end a wait */
	struct buffer arrived; /* bytes that arrived and were not taken yet */
	size_t taken; /* bytes of @arrived that were taken */
	double asked; /* seconds_now() at the last request, and the time that its answer has earned */
};

/*
 * channel_open - connects to @where: HOST:PORT, tcp:HOST:PORT, unix:PATH, tty:DEVICE[@BAUD], or |COMMAND, a command
 * whose standard input and output are the connection. A shell runs the command.
 * Errors: USAGE, SYSTEM. The caller ends with channel_close(), also after an error.
 */
enum status channel_open(struct channel *channel, const char *where, struct error *error);

/*
 * channel_send - sends @bytes, and waits at most @seconds until the other side takes them.
 * channel_next - sets *@byte to the next byte. Returns false if none came, and sets @error to the reason. The whole
 * answer to a request must arrive within @seconds after channel_send(), and 10 ms more for each byte. So a slow serial line
 * has enough time, but nobody can delay bareprof for ever. The next byte must arrive within @seconds in any case.
 * Errors: SYSTEM.
 */
enum status channel_send(struct channel *channel, struct bytes bytes, double seconds, struct error *error);
bool channel_next(struct channel *channel, uint8_t *byte, double seconds, struct error *error);

/* channel_close - ends the connection, and a command that channel_open() started. */
void channel_close(struct channel *channel);

#endif
