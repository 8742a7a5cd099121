/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu.c - passes bytes between bareprof and a guest in QEMU, and finds out how the guest ended. */
#include "qemu.h"
#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A line without an end is shown when nothing has arrived for this time, in milliseconds. */
#define IDLE 20
/*
 * The same for the times at which bareprof waits for something that comes soon: QEMU makes the socket of its monitor,
 * or the last output of a guest that has switched itself off arrives.
 */
#define IDLE_SHORT 2
/*
 * Typing starts after the guest's first output. Text that is typed earlier may be lost, because a driver may clear its
 * queue when it starts. If there is no output, typing starts after this time, in seconds.
 */
#define SILENCE 1.0

enum {
	OUT,
	ERR,
	IN,
	TYPED,
	MONITOR,
	FDS
};

static bool has_typed(const struct guest *guest)
{
	return guest->typed_at < guest->typed.size;
}

static bool may_type(const struct guest *guest)
{
	return has_typed(guest) && (guest->console->got_output || seconds_now() - guest->start > SILENCE);
}

static void send_typed(struct guest *guest)
{
	ssize_t n = write(guest->child.in, guest->typed.data + guest->typed_at, guest->typed.size - guest->typed_at);

	if (n > 0)
		guest->typed_at += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		guest->typed_at = guest->typed.size; /* QEMU has closed its standard input */
	if (!has_typed(guest))
		guest->typed.size = guest->typed_at = 0;
}

static void read_stdin(struct guest *guest)
{
	uint8_t chunk[4096];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof(chunk));

	if (n > 0) {
		buffer_add(&guest->typed, chunk, (size_t)n);
		buffer_add(guest->from_stdin, chunk, (size_t)n);
	} else if (n == 0 || errno != EINTR) {
		guest->reads_stdin = false;
	}
}

/* Copies QEMU's standard error to ours. Returns false at its end. */
static bool read_err(struct guest *guest)
{
	uint8_t chunk[4096];
	ssize_t n = read(guest->child.err, chunk, sizeof(chunk));

	if (n <= 0)
		return n < 0 && errno == EINTR;
	guest->complained = true;
	return write(STDERR_FILENO, chunk, (size_t)n) >= 0;
}

static bool read_out(struct guest *guest)
{
	uint8_t chunk[65536];
	ssize_t n = read(guest->child.out, chunk, sizeof(chunk));

	if (n <= 0)
		return n < 0 && errno == EINTR;
	console_add(guest->console, (struct bytes){chunk, (size_t)n});
	guest->last_output = seconds_now();
	return true;
}

/* Tells the console that nothing arrived for IDLE, also if poll() waited for less. */
static void show_idle(struct guest *guest)
{
	double now = seconds_now();
	double since = guest->last_idle > guest->last_output ? guest->last_idle : guest->last_output;

	if (now - since < IDLE / 1000.0)
		return;
	guest->last_idle = now;
	console_idle(guest->console);
}

static enum guest_end forward_until(struct guest *guest, double until, bool (*enough)(void *context), void *context)
{
	for (;;) {
		struct pollfd fd[FDS] = {
			[OUT] = {guest->child.out, POLLIN, 0},
			[ERR] = {guest->err_open ? guest->child.err : -1, POLLIN, 0},
			[IN] = {may_type(guest) ? guest->child.in : -1, POLLOUT, 0},
			[TYPED] = {guest->reads_stdin && !has_typed(guest) ? STDIN_FILENO : -1, POLLIN, 0},
			[MONITOR] = {qemu_monitor_fd(&guest->monitor), POLLIN, 0},
		};
		bool soon = guest->monitor.off || (guest->monitor.path && !guest->monitor.connected);
		int ready = poll(fd, FDS, soon ? IDLE_SHORT : IDLE);

		if (caught_signal())
			return GUEST_INTERRUPTED;
		if (ready == 0)
			show_idle(guest);
		if (ready > 0 && fd[IN].revents)
			send_typed(guest);
		if (ready > 0 && fd[TYPED].revents)
			read_stdin(guest);
		if (ready > 0 && fd[ERR].revents)
			guest->err_open = read_err(guest);
		if (ready > 0 && fd[OUT].revents && !read_out(guest))
			return GUEST_EXITED;
		if (guest->monitor.off && (ready == 0 || (ready > 0 && !fd[OUT].revents && !fd[ERR].revents)))
			return GUEST_EXITED;
		qemu_monitor_poll(&guest->monitor);
		if (enough && enough(context))
			return GUEST_RUNS;
		if (seconds_now() > until)
			return GUEST_TIMEOUT;
	}
}

enum guest_end qemu_wait(struct guest *guest, double until, bool (*enough)(void *context), void *context)
{
	if (guest->end == GUEST_RUNS)
		guest->end = forward_until(guest, until, enough, context);
	return guest->end;
}

/*
 * Sets guest->end and guest->status. @ended is the status that waitpid() returned for QEMU. The key `exit` in
 * board.conf determines the meaning of QEMU's exit status.
 */
static void read_exit_status(struct guest *guest, int ended)
{
	int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;

	/*
	 * The status 1 may come from the guest or from QEMU itself. If QEMU fails, it prints a message before any
	 * console output. If the dynamic linker or a shell cannot start QEMU, it also prints a message, and exits with
	 * 126 or 127.
	 */
	bool may_be_qemu = status == 1 || status == 126 || status == 127;

	if (status < 0 || (may_be_qemu && guest->complained && !guest->console->got_output)) {
		guest->end = GUEST_NOT_STARTED;
	} else if (guest->board->exit == BOARD_EXIT_PLAIN) {
		guest->status = status;
	} else if (status % 2) {
		guest->status = status >> 1;
	} else {
		guest->end = GUEST_VANISHED;
	}
}

/* Other programs may not know the options of QEMU, or may start QEMU where it cannot make the socket. */
static bool is_qemu(const char *command)
{
	const char *slash = strrchr(command, '/');

	return starts_with(slash ? slash + 1 : command, "qemu-system-");
}

enum status qemu_start(struct guest *guest, struct error *error)
{
	char **words = board_command(guest->board, &guest->paths, guest->more);
	bool monitored = guest->wants_monitor == MONITOR_ALWAYS ||
	                 (guest->wants_monitor == MONITOR_IF_QEMU && is_qemu(words[0]));
	enum status status = monitored ? qemu_monitor_add(&guest->monitor, guest->folder, &words, error) : STATUS_OK;

	if (status != STATUS_OK) {
		board_command_free(words);
		return status;
	}
	status = child_start(&guest->child, words, CHILD_ALL, error);
	if (status != STATUS_OK && errno == ENOENT)
		error_set(error, status, "%s is not installed; install the Debian package %s", words[0],
			guest->board->package ? guest->board->package : "qemu-system");
	board_command_free(words);
	if (status != STATUS_OK)
		return status;
	/*
	 * Ignore SIGTTIN, so that a read from the terminal fails if bareprof runs in the background. Otherwise such a
	 * read would stop bareprof.
	 */
	signal(SIGTTIN, SIG_IGN);
	fcntl(guest->child.in, F_SETFL, O_NONBLOCK);
	guest->err_open = true;
	guest->start = guest->last_output = seconds_now();
	return STATUS_OK;
}

void qemu_type(struct guest *guest, struct bytes text)
{
	buffer_add(&guest->typed, text.data, text.size);
}

bool qemu_is_there(const struct guest *guest)
{
	bool holds = guest->end == GUEST_RUNS || guest->end == GUEST_TIMEOUT || guest->monitor.off;

	return guest->monitor.path && holds && !caught_signal();
}

void qemu_end(struct guest *guest)
{
	bool off = guest->end == GUEST_EXITED && guest->monitor.off;
	int ended;

	/* QEMU may have printed more messages before it ended, so copy them until its standard error ends. */
	while (guest->end == GUEST_EXITED && !off && guest->err_open)
		guest->err_open = read_err(guest);
	ended = guest->end == GUEST_EXITED && !off ? child_wait(&guest->child) : child_stop(&guest->child);
	qemu_monitor_remove(&guest->monitor);
	if (guest->end == GUEST_EXITED && caught_signal())
		guest->end = GUEST_INTERRUPTED;
	if (guest->end == GUEST_EXITED)
		read_exit_status(guest, ended);
	console_end(guest->console);
	buffer_free(&guest->typed);
}
