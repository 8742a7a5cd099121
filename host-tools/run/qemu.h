/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu.h - boots a guest in QEMU, exchanges bytes with its console, and ends it.
 */
#ifndef BAREPROF_HOST_QEMU_H
#define BAREPROF_HOST_QEMU_H

#include "boards.h"
#include "child.h"
#include "console.h"
#include "qemu_monitor.h"

enum guest_end {
	GUEST_RUNS, /* the guest has not ended */
	GUEST_EXITED, /* the guest ended and reported a status */
	GUEST_VANISHED, /* the guest was reset or switched off without a status */
	GUEST_TIMEOUT,
	GUEST_INTERRUPTED, /* bareprof caught a signal */
	GUEST_NOT_STARTED, /* QEMU itself failed */
};

/* Whether a guest can be read through a monitor of ours. */
enum guest_monitor {
	MONITOR_IF_QEMU, /* if the command of the board is QEMU itself, and not another program */
	MONITOR_ALWAYS,
	MONITOR_NEVER,
};

/* The caller sets the fields from @board to @wants_monitor and zeroes the others. */
struct guest {
	const struct board *board;
	struct board_paths paths;
	char *const *more; /* more arguments for QEMU, ended by NULL */
	struct console *console;
	bool reads_stdin; /* pass standard input on to the guest */
	struct buffer *from_stdin; /* the bytes from standard input are also appended to this buffer */
	const char *folder; /* a private temporary folder, for the socket of the monitor */
	enum guest_monitor wants_monitor;

	enum guest_end end;
	int status; /* status of the guest, if @end is GUEST_EXITED */
	/* seconds_now() when the guest last wrote output; before the first output, the same as @start */
	double last_output;

	struct child child;
	struct buffer typed; /* text to type */
	size_t typed_at; /* offset in @typed of the first byte that was not yet sent */
	double start; /* seconds_now() when QEMU was started */
	double last_idle; /* seconds_now() when the console was last told that nothing arrives */
	bool err_open; /* QEMU's standard error has not ended */
	bool complained; /* QEMU wrote to its standard error */
	struct qemu_monitor monitor;
};

/*
 * qemu_start - boots @guest. The caller ends the guest with qemu_end(). If bareprof dies before it calls
 * qemu_end(), QEMU is killed. Errors: SYSTEM (QEMU cannot be started; if it is not installed, the text names the
 * package).
 */
enum status qemu_start(struct guest *guest, struct error *error);

/* qemu_type - queues @text to be typed into the console. qemu_wait() sends it. */
void qemu_type(struct guest *guest, struct bytes text);

/*
 * qemu_wait - passes bytes between the guest and its console until there is a reason to stop. When @enough(@context)
 * returns true, the result is GUEST_RUNS. @enough is called after any output and every 20 ms, and may be NULL. Returns
 * GUEST_TIMEOUT when seconds_now() reaches @until, GUEST_INTERRUPTED after a signal, and GUEST_EXITED if QEMU closed
 * the console, or the guest switched itself off. The result GUEST_EXITED is provisional. From QEMU's exit status,
 * qemu_end() may find out that the right result is GUEST_VANISHED or GUEST_NOT_STARTED.
 */
enum guest_end qemu_wait(struct guest *guest, double until, bool (*enough)(void *context), void *context);

/*
 * qemu_is_there - returns whether QEMU still holds the memory of the guest, and has a monitor through which the memory
 * can be read. Call it after qemu_wait().
 */
bool qemu_is_there(const struct guest *guest);

/*
 * qemu_end - stops QEMU if it is still running, and ends the console. Afterwards guest->end and guest->status say how
 * the guest ended. guest->end is GUEST_RUNS if the guest was still running before this call.
 */
void qemu_end(struct guest *guest);

#endif
