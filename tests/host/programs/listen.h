/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listen.h - runs a command that listens to a pseudo terminal or a socket. The test holds the other end. Any failure
 * here is a fault of the test, and ends the program.
 */
#ifndef BAREPROF_TESTS_HOST_LISTEN_H
#define BAREPROF_TESTS_HOST_LISTEN_H

#include "bytes.h"

#include <sys/types.h>

struct listener {
	pid_t pid;
	int fd; /* the test's side of the connection; does not block after listener_ready() */
	bool terminal; /* true for a pseudo terminal, false for a socket */
	char *where; /* the path, or the address and port, that the listener opens */
};

/* need - unless @good is true, prints @what and ends the program with status 99. */
void need(bool good, const char *what);

/* listener_file - makes the file @name in the folder @folder. Returns its descriptor. */
int listener_file(const char *folder, const char *name);

/*
 * listener_place - makes the terminal or socket. @kind is pty, tcp or unix. @path is the path of a unix socket, and
 * is not used otherwise.
 */
void listener_place(struct listener *listener, const char *kind, const char *path);

/*
 * listener_start - starts the command @words, with {} in each replaced by listener->where. The descriptors @out
 * and @err become the standard output and standard error of the command, unless they are -1.
 */
void listener_start(struct listener *listener, char *const *words, int out, int err);

/*
 * listener_ready - waits until the command listens. Returns the rate in baud that the command has
 * set, or 0 if it is not known.
 */
double listener_ready(struct listener *listener);

/* listener_over - returns true if the command has ended. @listener is a struct listener. */
bool listener_over(void *listener);

/* listener_end - waits for the end of the command. Returns its exit status, or 128 + the signal that ended it. */
int listener_end(struct listener *listener);

#endif
