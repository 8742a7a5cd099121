/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watch_view.c - draws the line with totals. The list and the line are written with one write(), and the line is overwritten
 * and not erased, so the terminal does not flicker.
 */
#include "watch_view.h"
#include "terminal.h"
#include "watch_json.h"
#include "watch_text.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define COLUMNS_DEFAULT 80

/* Erases from the cursor to the end of the line. */
#define ERASE_REST "\033[K"

void view_start(struct watch_view *view)
{
	view->terminal = !view->json && terminal_takes_escapes(STDOUT_FILENO);
}

static size_t columns_now(void)
{
	struct winsize size;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : COLUMNS_DEFAULT;
}

static const char *time_now(char text[16])
{
	time_t now = time(NULL);
	struct tm parts;

	text[0] = 0;
	if (localtime_r(&now, &parts))
		strftime(text, 16, "%H:%M:%S", &parts);
	return text;
}

/* Writes @text and empties it. A write error is only stored, and the caller ends at its next look. */
static void put(struct watch_view *view, struct buffer *text)
{
	size_t done = 0;

	while (done < text->size && !view->write_error) {
		ssize_t n = write(STDOUT_FILENO, text->data + done, text->size - done);

		if (n < 0 && errno == EAGAIN)
			poll(&(struct pollfd){STDOUT_FILENO, POLLOUT, 0}, 1, 1000);
		else if (n < 0 && errno != EINTR)
			view->write_error = errno;
		done += n > 0 ? (size_t)n : 0;
	}
	buffer_free(text);
}

static struct watch_totals *totals_of(struct watch_view *view, const struct watched *watched)
{
	size_t i;

	for (i = 0; i < view->count; i++)
		if (view->totals[i].watched == watched)
			return &view->totals[i];
	view->totals = array_grow(view->totals, view->count, &view->room, sizeof(*view->totals));
	view->totals[view->count] = (struct watch_totals){.watched = watched};
	return &view->totals[view->count++];
}

/* Appends a clause such as "99 of 310 functions (31.9%)". */
static void add_percentage(struct buffer *text, struct rate rate, const char *what)
{
	buffer_printf(text, "%s%" PRIu64 " of %" PRIu64 " %s", text->size ? "; " : "", rate.covered, rate.total, what);
	if (rate.total)
		buffer_printf(text, " (%.1f%%)", 100.0 * (double)rate.covered / (double)rate.total);
}

/* Appends the line with totals, which is never wider than the terminal: a line that is wrapped could not be overwritten. */
static void add_status(struct watch_view *view, struct buffer *out, const char *activity)
{
	struct rate functions = {0, 0};
	struct rate lines = {0, 0};
	struct buffer text = {0};
	size_t columns = columns_now();
	size_t i;

	for (i = 0; i < view->count; i++) {
		functions.covered += view->totals[i].functions.covered;
		functions.total += view->totals[i].functions.total;
		lines.covered += view->totals[i].lines.covered;
		lines.total += view->totals[i].lines.total;
	}
	/* The most important comes first, because a narrow terminal shows only the start. */
	if (view->look)
		buffer_printf(&text, "look %" PRIu64 "%s", view->look, view->failed ? " failed" : "");
	if (view->count) {
		add_percentage(&text, functions, "functions");
		add_percentage(&text, lines, "lines");
	}
	if (*activity)
		buffer_printf(&text, "%s%s", text.size ? "; " : "", activity);
	if (text.size >= columns)
		text.size = columns - 1;
	buffer_add_text(out, "\r");
	buffer_add(out, text.data, text.size);
	buffer_add_text(out, ERASE_REST);
	buffer_free(&text);
}

void view_look(struct watch_view *view, uint64_t number, const struct watched *watched, const struct look *look)
{
	struct watch_totals *totals = totals_of(view, watched);
	struct buffer out = {0};
	char clock[16];
	const struct watch_text text = {.time = time_now(clock),
		.named = view->count > 1,
		.totals = !view->terminal,
		.columns = view->terminal ? columns_now() : 0};

	totals->functions = look->functions;
	totals->lines = look->lines;
	view->look = number;
	view->failed = false;
	if (view->json) {
		watch_json_look(number, watched, look);
		if (fflush(stdout) && !view->write_error)
			view->write_error = errno;
		return;
	}
	if (!look_has_news(look))
		return;
	if (view->shown)
		buffer_add_text(&out, "\r" ERASE_REST);
	watch_text_add(&out, &text, watched, look);
	if (view->terminal)
		add_status(view, &out, "");
	view->shown = view->terminal;
	put(view, &out);
}

void view_failed(struct watch_view *view, uint64_t number, const char *reason)
{
	view->look = number;
	view->failed = true;
	if (!view->json)
		return;
	watch_json_failed(number, reason);
	if (fflush(stdout) && !view->write_error)
		view->write_error = errno;
}

void view_status(struct watch_view *view, const char *activity)
{
	struct buffer out = {0};

	if (!view->terminal)
		return;
	add_status(view, &out, activity);
	view->shown = true;
	put(view, &out);
}

void view_hide(struct watch_view *view)
{
	struct buffer out = {0};

	if (!view->shown)
		return;
	buffer_add_text(&out, "\r" ERASE_REST);
	view->shown = false;
	put(view, &out);
}

void view_end(struct watch_view *view)
{
	struct buffer out = {0};

	if (view->shown) {
		add_status(view, &out, "");
		buffer_add_text(&out, "\n");
		view->shown = false;
		put(view, &out);
	}
	free(view->totals);
	view->totals = NULL;
	view->count = 0;
}

bool view_is_closed(const struct watch_view *view)
{
	struct pollfd out = {STDOUT_FILENO, 0, 0};

	return view->write_error || (poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLNVAL)));
}
