/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listen.h - a command that listens to a place which we made: a pseudo
 * terminal or a socket. What fails here ends the program: it is the test's own.
 */
#ifndef BAREPROF_TESTS_HOST_LISTEN_H
#define BAREPROF_TESTS_HOST_LISTEN_H

#include "bytes.h"

#include <sys/types.h>

struct listener {
	pid_t pid;
	int fd; /* our end; does not block once listener_ready() was called */
	bool terminal; /* a pseudo terminal, no socket */
	char *where; /* for the listener: a path, or an address and a port */
};

/* need - or end with status 99 and the reason. */
void need(bool good, const char *what);

/* listener_place - make the place: @kind is pty, tcp or unix; @path is for unix. */
void listener_place(struct listener *listener, const char *kind, const char *path);

/*
 * listener_start - start @words, with {} in each replaced by the place; @out and
 * @err, where not -1, become its standard output and standard error.
 */
void listener_start(struct listener *listener, char *const *words, int out, int err);

/* listener_ready - wait until it listens; the rate in baud that it has set, 0: none that is known. */
double listener_ready(struct listener *listener);

/* listener_over - has it ended? @listener is a struct listener. */
bool listener_over(void *listener);

/* listener_end - wait for its end; its exit status, or 128 and its signal. */
int listener_end(struct listener *listener);

#endif
