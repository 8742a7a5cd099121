/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pull_then.h - the text of `bareprof pull --then`.
 */
#ifndef BAREPROF_HOST_PULL_THEN_H
#define BAREPROF_HOST_PULL_THEN_H

#include "console.h"
#include "progress_line.h"
#include "source.h"

/*
 * pull_then - types @then, the text of --then, for example a command that resets the counters. The profile has already
 * been written. Then listens until the target is silent, because if the connection were closed earlier, QEMU's serial
 * lines would discard the bytes that the guest has not yet read. Prints errors. Returns the exit code.
 */
enum status pull_then(const char *name, const char *then, struct source *source, struct console *console,
	struct progress_line *progress);

#endif
