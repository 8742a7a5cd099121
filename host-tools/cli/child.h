/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * child.h - other programs: started without a shell, always ended with us.
 */
#ifndef BAREPROF_HOST_CHILD_H
#define BAREPROF_HOST_CHILD_H

#include "bytes.h"
#include "error.h"

#include <sys/types.h>

struct child {
	pid_t pid;
	int in; /* our ends of its three pipes; -1: it has ours */
	int out;
	int err;
};

enum child_pipes {
	CHILD_OUT = 1, /* a pipe from its standard output */
	CHILD_ALL = 2, /* pipes for all three, and a process group of its own */
};

/*
 * child_start - run the program @words[0] (looked for in PATH) with the
 * arguments @words. @pipes is 0 or of the enum above. If we die, it is killed.
 * Errors: SYSTEM; errno is ENOENT if there is no such program.
 */
enum status child_start(struct child *child, char *const *words, int pipes, struct error *error);

/* child_wait - wait for the end; the status as of waitpid(). Closes the pipes. */
int child_wait(struct child *child);

/* child_stop - end it: politely, after a second by force. Returns as child_wait(). */
int child_stop(struct child *child);

/* child_read - append all that comes from @fd, one of its pipes, to @output, until it ends or a signal was caught. */
void child_read(int fd, struct buffer *output);

/*
 * child_run - run a program to its end. With @output not NULL what it prints is
 * appended there, else it goes where ours goes. *@exit_status is 0 to 255, or
 * 128 and the signal's number. Errors: SYSTEM (also if a signal was caught).
 */
enum status child_run(char *const *words, struct buffer *output, int *exit_status, struct error *error);

/*
 * catch_signals - from now on SIGINT, SIGTERM and SIGHUP do not end us, but
 * interrupt what waits. caught_signal - the one that came, or 0. die_of_signal
 * - end as it would have, now that all is cleaned up; returns if none came.
 */
void catch_signals(void);
int caught_signal(void);
void die_of_signal(void);

/*
 * temporary_folder - make a folder of our own; the caller frees the path and
 * ends with temporary_remove(), which removes it and the files in it.
 * Errors: SYSTEM.
 */
enum status temporary_folder(char **path, struct error *error);
void temporary_remove(const char *path);

#endif
