/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h - runs other programs without a shell. If bareprof dies, the other programs are killed. */
#ifndef BAREPROF_HOST_CHILD_H
#define BAREPROF_HOST_CHILD_H

#include "bytes.h"
#include "error.h"

#include <sys/types.h>

struct child {
	pid_t pid;
	/*
	 * Our ends of the pipes to the child's standard streams. The value -1 means that the child inherits our stream.
	 */
	int in;
	int out;
	int err;
};

enum child_pipes {
	CHILD_OUT = 1, /* a pipe from the child's standard output only */
	CHILD_ALL = 2, /* pipes for all three standard streams, and a process group for the child alone */
	CHILD_TALK = 3, /* the same, but the child inherits our standard error */
};

/*
 * child_start - starts the program @words[0], which is searched for in PATH, with the arguments @words, ended by NULL.
 * @pipes is 0 or a value of enum child_pipes. If bareprof dies, the child is killed. Errors: SYSTEM (errno is ENOENT if
 * the program does not exist).
 */
enum status child_start(struct child *child, char *const *words, int pipes, struct error *error);

/* child_wait - waits until @child ends. Returns its status as waitpid() does, and closes the pipes. */
int child_wait(struct child *child);

/*
 * child_stop - sends SIGTERM to @child, and SIGKILL if it still runs after a second.
 * Returns what child_wait() returns.
 */
int child_stop(struct child *child);

/*
 * child_read - reads from @fd, a pipe of the child, and appends the bytes to @output, until
 * the pipe ends or a signal is caught.
 */
void child_read(int fd, struct buffer *output);

/*
 * child_run - runs the program @words and waits until it ends. If @output is NULL, the program writes to the standard
 * output of bareprof. Otherwise the program's standard output is appended to @output. *@exit_status is set to the
 * program's exit status (0 to 255), or to 128 plus the number of the signal that killed the program. Errors: SYSTEM,
 * also if bareprof caught a signal.
 */
enum status child_run(char *const *words, struct buffer *output, int *exit_status, struct error *error);

/*
 * catch_signals - changes the effect of SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU. After this call, these signals do
 * not end bareprof. They only interrupt system calls that wait. A signal that bareprof already ignores, for example
 * because nohup started it, stays ignored. SIGPIPE is always ignored from then on.
 * caught_signal - returns the last signal that was caught, or 0.
 * die_of_signal - ends bareprof by the signal that was caught. If no signal was caught, die_of_signal() does nothing.
 * The caller cleans up before it calls die_of_signal().
 */
void catch_signals(void);
int caught_signal(void);
void die_of_signal(void);

/*
 * temporary_folder - creates an empty folder in $TMPDIR or /tmp and sets *@path to its
 * path, which the caller frees. The caller removes the folder and the files in it with
 * temporary_remove(). Errors: SYSTEM.
 */
enum status temporary_folder(char **path, struct error *error);
void temporary_remove(const char *path);

/*
 * temporary_remove_last - removes the folder that was created last, if it still exists. If the program must end early,
 * call this function first.
 */
void temporary_remove_last(void);

/*
 * temporary_failed - changes @error, which contains the reason why the temporary file @path was not written. Adds the
 * path and advice to the text of @error. Returns SYSTEM.
 */
enum status temporary_failed(const char *path, struct error *error);

#endif
