/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.h - listen to a source that is talking until there is a reason to stop.
 */
#ifndef BAREPROF_HOST_LIVE_H
#define BAREPROF_HOST_LIVE_H

#include "console.h"
#include "progress_line.h"

enum live_end {
	LIVE_DONE, /* on_data() said so */
	LIVE_GONE, /* the other side, or the device */
	LIVE_TIMEOUT,
	LIVE_INTERRUPTED, /* by a signal to us */
};

struct live {
	int fd; /* must not block */
	struct console *console; /* gets all that comes */
	struct progress_line *progress; /* whoever shows text clears it */
	struct bytes send; /* to type first */
	double timeout; /* seconds; 0: none */
	/* What came, none of it after a silence; true: that is enough. */
	bool (*on_data)(void *context, struct bytes bytes);
	void *context;
	int error_number; /* errno of LIVE_GONE; 0: it ended */
};

enum live_end live_run(struct live *live);

#endif
