/* SPDX-License-Identifier: BSD-2-Clause */
/* child.c - starts, watches and ends another program. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void remember(int number)
{
	caught = number;
}

void catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
	/* SA_RESTART is not set, so that a signal interrupts a system call that is waiting. */
	const struct sigaction action = {.sa_handler = remember};
	struct sigaction before;
	size_t i;

	/*
	 * If the parent process ignored a signal, the signal stays ignored. For example, nohup makes its program ignore
	 * SIGHUP.
	 */
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	/*
	 * Ignore SIGPIPE, so that a write to a pipe or socket whose other end is closed returns an error instead of
	 * ending bareprof.
	 */
	signal(SIGPIPE, SIG_IGN);
}

int caught_signal(void)
{
	return caught;
}

void die_of_signal(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}

static void close_pipe(int fd[2])
{
	int i;

	for (i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

/*
 * Runs the program @words in this process, which is the new child. If the program cannot be run, writes errno to the
 * pipe @report and exits.
 */
static _Noreturn void become(char *const *words, int pipes, int in, int out, int err, int report, pid_t parent)
{
	int why;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	if (pipes > CHILD_OUT)
		setpgid(0, 0);
	if (in >= 0)
		dup2(in, STDIN_FILENO);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	if (err >= 0)
		dup2(err, STDERR_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGTTIN, SIG_DFL);
	execvp(words[0], words);
	why = errno;
	if (write(report, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(127);
}

enum status child_start(struct child *child, char *const *words, int pipes, struct error *error)
{
	int in[2] = {-1, -1};
	int out[2] = {-1, -1};
	int err[2] = {-1, -1};
	int report[2] = {-1, -1};
	pid_t parent = getpid();
	int why = 0;
	bool failed;

	*child = (struct child){-1, -1, -1, -1};
	fflush(stdout);
	failed = pipe2(report, O_CLOEXEC) || (pipes && pipe2(out, O_CLOEXEC)) ||
	         (pipes > CHILD_OUT && pipe2(in, O_CLOEXEC)) || (pipes == CHILD_ALL && pipe2(err, O_CLOEXEC));
	if (!failed)
		child->pid = fork();
	if (child->pid == 0)
		become(words, pipes, in[0], out[1], err[1], report[1], parent);
	failed = failed || child->pid < 0;
	if (failed) {
		why = errno;
	} else {
		close(report[1]);
		report[1] = -1;
	}
	if (!failed && read(report[0], &why, sizeof(why)) == (ssize_t)sizeof(why)) {
		waitpid(child->pid, NULL, 0);
		failed = true;
	}
	close_pipe(report);
	if (failed) {
		close_pipe(in);
		close_pipe(out);
		close_pipe(err);
		error_set(error, STATUS_SYSTEM, "%s cannot be started: %s", words[0], strerror(why));
		errno = why;
		return STATUS_SYSTEM;
	}
	*child = (struct child){child->pid, in[1], out[0], err[0]};
	close_pipe((int[2]){in[0], out[1]});
	close_pipe((int[2]){err[1], -1});
	return STATUS_OK;
}

static void close_ends(struct child *child)
{
	close_pipe((int[2]){child->in, child->out});
	close_pipe((int[2]){child->err, -1});
	child->in = child->out = child->err = -1;
}

int child_wait(struct child *child)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		if (caught)
			return child_stop(child);
	close_ends(child);
	return status;
}

int child_stop(struct child *child)
{
	/*
	 * Kill the process group of the child if the child has a group of its own. Otherwise kill only the child,
	 * because its group is the group of bareprof.
	 */
	pid_t target = getpgid(child->pid) == child->pid ? -child->pid : child->pid;
	const struct timespec pause = {0, 10000000};
	int status = 0;
	int tries;

	kill(target, SIGTERM);
	for (tries = 0; tries < 100 && waitpid(child->pid, &status, WNOHANG) == 0; tries++)
		nanosleep(&pause, NULL);
	if (tries == 100) {
		kill(target, SIGKILL);
		while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close_ends(child);
	return status;
}

void child_read(int fd, struct buffer *output)
{
	uint8_t piece[4096];
	ssize_t n;

	while ((n = read(fd, piece, sizeof(piece))) > 0 || (n < 0 && errno == EINTR && !caught))
		if (n > 0)
			buffer_add(output, piece, (size_t)n);
}

enum status child_run(char *const *words, struct buffer *output, int *exit_status, struct error *error)
{
	struct child child;
	enum status status = child_start(&child, words, output ? CHILD_OUT : 0, error);
	int ended;

	if (status != STATUS_OK)
		return status;
	if (output)
		child_read(child.out, output);
	/*
	 * If a signal was caught, child_read() has stopped reading. The child may then wait for ever to write its
	 * output, so stop the child.
	 */
	ended = caught ? child_stop(&child) : child_wait(&child);
	if (caught)
		return error_set(error, STATUS_SYSTEM, "%s was interrupted", words[0]);
	*exit_status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	return STATUS_OK;
}
