/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu.h - boot a guest in QEMU, talk with it, and see it through to its end.
 */
#ifndef BAREPROF_HOST_QEMU_H
#define BAREPROF_HOST_QEMU_H

#include "boards.h"
#include "child.h"
#include "console.h"

enum guest_end {
	GUEST_RUNS, /* it has not ended */
	GUEST_EXITED, /* with a status of its own */
	GUEST_VANISHED, /* reset or switched off, without a status */
	GUEST_TIMEOUT,
	GUEST_INTERRUPTED, /* by a signal to us */
	GUEST_NOT_STARTED, /* QEMU itself failed; it said why */
};

/* Starts with what to boot and zeros. */
struct guest {
	const struct board *board;
	const char *elf;
	char *const *more; /* words for QEMU, NULL at their end */
	const char *dump; /* file of the side channel */
	struct console *console;
	bool reads_stdin; /* pass standard input on to the guest */
	struct buffer *from_stdin; /* gets what came there */

	enum guest_end end;
	int status; /* if it exited */
	double last_output; /* when it last said something */

	struct child child;
	struct buffer typed; /* for the guest, from @typed_at on */
	size_t typed_at;
	double start;
	bool err_open; /* QEMU's standard error is */
	bool complained; /* QEMU wrote there */
};

/*
 * qemu_start - boot @guest. QEMU ends at the latest when we die; end it with
 * qemu_end(). Errors: SYSTEM (it cannot be started; the text names the package
 * if it is missing).
 */
enum status qemu_start(struct guest *guest, struct error *error);

/* qemu_type - type @text into its console after what was typed before. */
void qemu_type(struct guest *guest, struct bytes text);

/*
 * qemu_wait - pass bytes until @enough(@context), asked about each 20 ms and
 * after all that is said, is true: then it is GUEST_RUNS. NULL is never. Else
 * it is how that came to nothing: GUEST_EXITED, also if it vanished, or
 * GUEST_TIMEOUT at the time @until, or GUEST_INTERRUPTED.
 */
enum guest_end qemu_wait(struct guest *guest, double until, bool (*enough)(void *context), void *context);

/* qemu_end - the guest has ended as the last qemu_wait() said, or is made to; guest->end and ->status say how. */
void qemu_end(struct guest *guest);

#endif
