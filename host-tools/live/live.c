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

static bool is_transient(int error)
{
	return error == EAGAIN || error == EINTR;
}

/* If the other side takes no more, reading will tell; there may be something left. */
static void send_some(struct live *live)
{
	ssize_t n = write(live->fd, live->send.data, live->send.size);

	if (n > 0) {
		live->send.data += n;
		live->send.size -= (size_t)n;
	} else if (n < 0 && !is_transient(errno)) {
		live->send.size = 0;
	}
}

/* Read once; *@enough as on_data() says. False: there will not be more. */
static bool receive(struct live *live, bool *enough)
{
	uint8_t chunk[65536];
	ssize_t n = read(live->fd, chunk, sizeof(chunk));
	struct bytes bytes = {chunk, n > 0 ? (size_t)n : 0};

	if (n < 0 && is_transient(errno))
		return true;
	live->error_number = n < 0 ? errno : 0;
	if (n <= 0)
		return false;
	console_add(live->console, bytes);
	*enough = live->on_data(live->context, bytes);
	return true;
}

static bool on_silence(struct live *live)
{
	if (live->console->held.size) {
		progress_line_clear(live->progress);
		console_idle(live->console);
	}
	return live->on_data(live->context, (struct bytes){NULL, 0});
}

static enum live_end listen_on(struct live *live)
{
	double start = seconds_now();

	for (;;) {
		bool may_type = live->send.size && (live->console->got_output || seconds_now() - start > SILENCE);
		struct pollfd fd = {live->fd, (short)(POLLIN | (may_type ? POLLOUT : 0)), 0};
		int ready = poll(&fd, 1, IDLE);
		bool enough = false;

		if (caught_signal())
			return LIVE_INTERRUPTED;
		if (live->timeout > 0 && seconds_now() - start > live->timeout)
			return LIVE_TIMEOUT;
		if (ready == 0)
			enough = on_silence(live);
		if (ready > 0 && (fd.revents & POLLOUT))
			send_some(live);
		if (ready > 0 && (fd.revents & ~POLLOUT) && !receive(live, &enough))
			return LIVE_GONE;
		if (enough)
			return LIVE_DONE;
		/* Not into a line that stands on the terminal half. */
		if (!live->console->mid_line)
			progress_line_show(live->progress);
	}
}

enum live_end live_run(struct live *live)
{
	enum live_end end = listen_on(live);

	console_end(live->console);
	progress_line_clear(live->progress);
	return end;
}
