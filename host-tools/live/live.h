/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.h - reads from a live source until there is a reason to stop.
 */
#ifndef BAREPROF_HOST_LIVE_H
#define BAREPROF_HOST_LIVE_H

#include "console.h"
#include "progress_line.h"

enum live_end {
	LIVE_DONE, /* on_data() returned true */
	LIVE_GONE, /* the peer closed the connection, or the device was removed */
	LIVE_TIMEOUT,
	LIVE_INTERRUPTED, /* bareprof caught a signal */
};

struct live {
	int fd; /* non-blocking */
	struct console *console; /* all bytes that arrive are added to this console */
	/* the progress line; on_data() and the console's text callback clear it before they show text */
	struct progress_line *progress;
	struct bytes send; /* text that is still to be typed */
	double timeout; /* seconds; 0: none */
	/*
	 * live_run() calls this function with the bytes that arrived, or without bytes if nothing arrived for a moment.
	 * The function returns true to stop live_run().
	 */
	bool (*on_data)(void *context, struct bytes bytes);
	void *context;
	int error_number; /* errno for LIVE_GONE; 0: the peer closed the connection */
};

/*
 * live_run - reads until there is a reason to stop, and returns this reason. Before it
 * returns, it calls console_end().
 */
enum live_end live_run(struct live *live);

#endif
