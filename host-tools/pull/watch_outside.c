/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch_outside.c - watches the memory of a target. Each look connects, stops the target, reads, lets it run and closes the
 * connection; all other work is done while it runs. So between two looks, the target is free for other tools, too.
 */
#include "child.h"
#include "reading.h"
#include "watch_sources.h"

/* Adds the counters of each program to the look. Programs without counters can only tell where others are. */
static enum status add_programs(struct watch_session *session, const struct readings *readings)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < readings->count && status == STATUS_OK; i++) {
		const struct reading *reading = &readings->list[i];
		struct buffer capture = {0};

		if (!reading->counters.count)
			continue;
		reading_warn(reading);
		outside_write(&capture, &reading->counters);
		status = watch_add_capture(
			&session->programs, readings->from, (struct bytes){capture.data, capture.size});
		buffer_free(&capture);
	}
	return status;
}

/* Remembers where the only program was, because looking for a moved kernel can take long while the target stands still. */
static void remember_place(struct place_hints *hints, const struct readings *readings)
{
	const struct placed *placed = &readings->list[0].placed;

	if (readings->count == 1 && placed->proven && placed->slide_known && placed->space == MEMORY_VIRTUAL)
		hints->slide = placed->slide;
}

static void look(
	struct watch_session *session, struct readings *readings, struct place_hints *hints, enum memory_leave leave)
{
	enum status status;

	session_begin(session);
	status = readings_read(readings, false);
	if (caught_signal())
		session_interrupted(session);
	status = readings_leave(readings, leave, status);
	if (caught_signal()) {
		readings_clear(readings);
		return;
	}
	if (status == STATUS_OK) {
		remember_place(hints, readings);
		status = add_programs(session, readings);
	}
	readings_clear(readings);
	session_done(session, status);
}

enum status watch_outside(struct watch_session *session, const struct pull_watch *watch)
{
	const struct pull_running running = {
		.from = watch->from, .names = watch->names, .completion = watch->completion};
	struct place_hints hints = watch->memory.hints;
	struct readings readings;
	enum status status = outside_check(&running);

	if (status != STATUS_OK)
		return status;
	status = readings_start(&readings, watch->completion.programs, watch->from, &hints);
	if (status == STATUS_OK)
		do
			look(session, &readings, &hints, watch->memory.leave);
		while (session_wait(session));
	readings_free(&readings);
	return status;
}
