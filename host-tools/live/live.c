/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c - the loop that reads from a live source. It passes the bytes to the console and to on_data(), and does not
 * know their format.
 */
#include "live.h"
#include "child.h"
#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* A line without an end is shown when nothing has arrived for this time, in milliseconds. */
#define IDLE 50
/*
 * Typing starts after the target's first output. If the target prints nothing, typing starts after this time, in
 * seconds. qemu.c has the same constant.
 */
#define SILENCE 1.0

static bool is_transient(int error)
{
	return error == EAGAIN || error == EINTR;
}

/*
 * Types as much of the text as the source accepts now. If the source cannot be written any more, drops the remaining
 * text and reports no error, because the last bytes of the target may still be unread. receive() reads these bytes
 * first, and then finds that the source has ended.
 */
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

/* Reads once and sets *@enough to the result of on_data(). Returns false if no more bytes will arrive. */
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
		/* Do not overwrite a line of the console that has not ended. */
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
