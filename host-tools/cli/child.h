/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * child.h - run other programs, without a shell. They never outlive this one.
 */
#ifndef BAREPROF_HOST_CHILD_H
#define BAREPROF_HOST_CHILD_H

#include "bytes.h"
#include "error.h"

#include <sys/types.h>

struct child {
	pid_t pid;
	int in; /* in, out, err: our ends of the pipes to the child's standard streams; -1: it inherits our stream */
	int out;
	int err;
};

enum child_pipes {
	CHILD_OUT = 1, /* a pipe from the child's standard output only */
	CHILD_ALL = 2, /* pipes for all three standard streams, and a process group of its own */
};

/*
 * child_start - starts the program @words[0], which is searched for in PATH, with the
 * arguments @words, ended by NULL. @pipes is 0 or a value of the enum above. If this
 * program dies, the child is killed. Errors: SYSTEM; errno is ENOENT if there is no such
 * program.
 */
enum status child_start(struct child *child, char *const *words, int pipes, struct error *error);

/* child_wait - waits until @child ends. Returns its status as waitpid() does, and closes the pipes. */
int child_wait(struct child *child);

/* child_stop - ends @child: with SIGTERM, and after a second with SIGKILL. Returns what child_wait() returns. */
int child_stop(struct child *child);

/* child_read - appends everything from @fd, a pipe of the child, to @output, until it ends or a signal is caught. */
void child_read(int fd, struct buffer *output);

/*
 * child_run - runs a program to its end. Its standard output is appended to @output; if
 * @output is NULL, it goes to our standard output. *@exit_status is set to 0 to 255, or
 * to 128 plus the number of the signal that killed it. Errors: SYSTEM (also if a signal
 * was caught).
 */
enum status child_run(char *const *words, struct buffer *output, int *exit_status, struct error *error);

/*
 * catch_signals - from now on, SIGINT, SIGTERM and SIGHUP do not end this program, but
 * interrupt system calls that wait.
 * caught_signal - returns the last signal that was caught, or 0.
 * die_of_signal - ends the program by the signal that was caught, and returns if there was
 * none. Call it after cleaning up.
 */
void catch_signals(void);
int caught_signal(void);
void die_of_signal(void);

/*
 * temporary_folder - creates an empty folder in $TMPDIR or /tmp and sets *@path to it. The
 * caller removes it with temporary_remove(), which also removes the files in it, and
 * frees the path. Errors: SYSTEM.
 */
enum status temporary_folder(char **path, struct error *error);
void temporary_remove(const char *path);

#endif
