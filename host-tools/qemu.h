/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu.h - boot a guest in QEMU and see it through to its end.
 */
#ifndef BAREPROF_HOST_QEMU_H
#define BAREPROF_HOST_QEMU_H

#include "boards.h"
#include "console.h"

enum guest_end {
	GUEST_EXITED, /* with a status of its own */
	GUEST_VANISHED, /* reset or switched off, without a status */
	GUEST_TIMEOUT,
	GUEST_INTERRUPTED, /* by a signal to us */
	GUEST_NOT_STARTED, /* QEMU itself failed; it said why */
};

struct guest {
	const struct board *board;
	const char *elf;
	char *const *more; /* words for QEMU, NULL at their end */
	const char *dump; /* file of the side channel */
	const struct bytes *send; /* to type into the console; NULL: standard input */
	double timeout; /* seconds */
	enum guest_end end;
	int status;
};

/*
 * qemu_run - run @guest to its end, its console going to @console. QEMU is
 * always ended on return, and if we die. Errors: SYSTEM (it cannot be started;
 * the text names the package if it is missing).
 */
enum status qemu_run(struct guest *guest, struct console *console, struct error *error);

#endif
