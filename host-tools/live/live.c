/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c - the loop around a live source: it knows bytes and times, no format.
 */
#include "live.h"
#include "child.h"
#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* A partial line is shown after so long without more, in milliseconds. */
#define IDLE 50
/* As in qemu.c: typing waits for the target's first word, but not for ever. */
#define SILENCE 1.0

static bool is_passing(int why)
{
	return why == EAGAIN || why == EINTR;
}

/* If the other side takes no more, reading will tell; there may be something left. */
static void type(struct live *live)
{
	ssize_t n = write(live->fd, live->send.data, live->send.size);

	if (n > 0) {
		live->send.data += n;
		live->send.size -= (size_t)n;
	} else if (n < 0 && !is_passing(errno)) {
		live->send.size = 0;
	}
}

/* Read once; *@enough as heard() says. False: there will not be more. */
static bool take(struct live *live, bool *enough)
{
	uint8_t piece[65536];
	ssize_t n = read(live->fd, piece, sizeof(piece));
	struct bytes bytes = {piece, n > 0 ? (size_t)n : 0};

	if (n < 0 && is_passing(errno))
		return true;
	live->why = n < 0 ? errno : 0;
	if (n <= 0)
		return false;
	console_add(live->console, bytes);
	*enough = live->heard(live->context, bytes);
	return true;
}

static bool idle(struct live *live)
{
	if (live->console->line.size) {
		progress_clear(live->progress);
		console_idle(live->console);
	}
	return live->heard(live->context, (struct bytes){NULL, 0});
}

static enum live_end listen_on(struct live *live)
{
	double start = seconds_now();

	for (;;) {
		bool may_type = live->send.size && (live->console->heard || seconds_now() - start > SILENCE);
		struct pollfd fd = {live->fd, (short)(POLLIN | (may_type ? POLLOUT : 0)), 0};
		int ready = poll(&fd, 1, IDLE);
		bool enough = false;

		if (caught_signal())
			return LIVE_INTERRUPTED;
		if (live->timeout > 0 && seconds_now() - start > live->timeout)
			return LIVE_TIMEOUT;
		if (ready == 0)
			enough = idle(live);
		if (ready > 0 && (fd.revents & POLLOUT))
			type(live);
		if (ready > 0 && (fd.revents & ~POLLOUT) && !take(live, &enough))
			return LIVE_GONE;
		if (enough)
			return LIVE_DONE;
		/* Not into a line that stands on the terminal half. */
		if (!live->console->amid)
			progress_show(live->progress);
	}
}

enum live_end live_run(struct live *live)
{
	enum live_end end = listen_on(live);

	console_end(live->console);
	progress_clear(live->progress);
	return end;
}
