/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu.c - a guest in QEMU: pass bytes both ways until it ends, or must.
 */
#include "qemu.h"
#include "child.h"
#include "values.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* A partial line is shown after so long without more, in milliseconds. */
#define IDLE 50
/*
 * What is typed waits for the guest's first word, so that a driver that clears
 * its queue at start does not lose it; but not longer than this, in seconds.
 */
#define SILENCE 1.0

enum {
	OUT,
	ERR,
	IN,
	TYPED,
	FDS
};

struct session_state {
	struct guest *guest;
	struct console *console;
	struct child child;
	struct buffer typed; /* for the guest, from @typed_at on */
	size_t typed_at;
	double start;
	bool stdin_open;
	bool complained; /* QEMU wrote to its standard error */
};

static bool has_typed(const struct session_state *state)
{
	return state->typed_at < state->typed.size;
}

static bool may_type(const struct session_state *state)
{
	return has_typed(state) && (state->console->heard || seconds_now() - state->start > SILENCE);
}

static void type(struct session_state *state)
{
	ssize_t n = write(state->child.in, state->typed.data + state->typed_at, state->typed.size - state->typed_at);

	if (n > 0)
		state->typed_at += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		state->typed_at = state->typed.size; /* it does not listen any more */
	if (!has_typed(state))
		state->typed.size = state->typed_at = 0;
}

static void read_stdin(struct session_state *state)
{
	uint8_t piece[4096];
	ssize_t n = read(STDIN_FILENO, piece, sizeof(piece));

	if (n > 0)
		buffer_add(&state->typed, piece, (size_t)n);
	else if (n == 0 || errno != EINTR)
		state->stdin_open = false;
}

/* Pass on what QEMU itself says; false at its end. */
static bool read_err(struct session_state *state)
{
	uint8_t piece[4096];
	ssize_t n = read(state->child.err, piece, sizeof(piece));

	if (n <= 0)
		return n < 0 && errno == EINTR;
	state->complained = true;
	return write(STDERR_FILENO, piece, (size_t)n) >= 0;
}

static bool read_out(struct session_state *state)
{
	uint8_t piece[65536];
	ssize_t n = read(state->child.out, piece, sizeof(piece));

	if (n <= 0)
		return n < 0 && errno == EINTR;
	console_add(state->console, (struct bytes){piece, (size_t)n});
	return true;
}

/* Pass bytes until the console closes, time is up, or a signal came. */
static enum guest_end pass(struct session_state *state)
{
	bool err_open = true;

	for (;;) {
		struct pollfd fd[FDS] = {
			[OUT] = {state->child.out, POLLIN, 0},
			[ERR] = {err_open ? state->child.err : -1, POLLIN, 0},
			[IN] = {may_type(state) ? state->child.in : -1, POLLOUT, 0},
			[TYPED] = {state->stdin_open && !has_typed(state) ? STDIN_FILENO : -1, POLLIN, 0},
		};
		int ready = poll(fd, FDS, IDLE);

		if (caught_signal())
			return GUEST_INTERRUPTED;
		if (seconds_now() - state->start > state->guest->timeout)
			return GUEST_TIMEOUT;
		if (ready == 0)
			console_idle(state->console);
		if (ready <= 0)
			continue;
		if (fd[IN].revents)
			type(state);
		if (fd[TYPED].revents)
			read_stdin(state);
		if (fd[ERR].revents)
			err_open = read_err(state);
		if (fd[OUT].revents && !read_out(state))
			break;
	}
	while (err_open && read_err(state))
		;
	return GUEST_EXITED;
}

/* What QEMU's status says of the guest, by the board's convention. */
static void judge(struct session_state *state, int ended)
{
	struct guest *guest = state->guest;
	int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;

	/* QEMU's own failures look like a status of 1. */
	if (status < 0 || (status == 1 && state->complained && !state->console->heard)) {
		guest->end = GUEST_NOT_STARTED;
	} else if (guest->board->exit == BOARD_EXIT_PLAIN) {
		guest->status = status;
	} else if (status % 2) {
		guest->status = status >> 1;
	} else {
		guest->end = GUEST_VANISHED;
	}
}

static enum status start(struct session_state *state, struct error *error)
{
	const struct board *board = state->guest->board;
	char **words = board_command(board, state->guest->elf, state->guest->dump, state->guest->more);
	enum status status = child_start(&state->child, words, CHILD_ALL, error);

	if (status != STATUS_OK && errno == ENOENT)
		error_set(error, status, "%s is not installed; the Debian package is %s", words[0],
			board->package ? board->package : "qemu-system");
	board_command_free(words);
	return status;
}

enum status qemu_run(struct guest *guest, struct console *console, struct error *error)
{
	struct session_state state = {.guest = guest, .console = console, .stdin_open = !guest->send};
	enum status status = start(&state, error);
	int ended;

	if (status != STATUS_OK)
		return status;
	/* In the background a terminal cannot be read: then it is not. */
	signal(SIGTTIN, SIG_IGN);
	fcntl(state.child.in, F_SETFL, O_NONBLOCK);
	state.start = seconds_now();
	if (guest->send)
		buffer_add(&state.typed, guest->send->data, guest->send->size);
	guest->end = pass(&state);
	ended = guest->end == GUEST_EXITED ? child_wait(&state.child) : child_stop(&state.child);
	if (guest->end == GUEST_EXITED && caught_signal())
		guest->end = GUEST_INTERRUPTED;
	if (guest->end == GUEST_EXITED)
		judge(&state, ended);
	buffer_free(&state.typed);
	return STATUS_OK;
}
