/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target.c - a target that dumps and answers as the demo kernel does.
 */
#include "target.h"
#include "make.h"
#include "wire.h"

#include <bareprof/capture.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct bareprof_image image;
static struct bareprof_capture capture;
static uint8_t block[BAREPROF_BUFFER_MAX];
static struct buffer line; /* the line that is being sent */

static uint64_t random_below(struct target *target, uint64_t limit)
{
	return make_random(&target->random) % limit;
}

void target_start(struct target *target, size_t size)
{
	static const unsigned int sizes[] = {192, 256, 512, 1024};
	unsigned int zeros =
		(unsigned int)random_below(target, 3) * 40; /* percent of the functions, of 32 counters each */
	bool runs = true;
	size_t i;

	target->block_size = sizes[random_below(target, 4)];
	for (i = 0; i < size / 8; i++) {
		uint64_t value = make_random(&target->random) >> random_below(target, 64);

		if (i % 32 == 0)
			runs = random_below(target, 100) >= zeros;
		value = runs ? value : 0;
		buffer_add(&target->counters, &value, sizeof(value));
	}
}

static bool open_capture(struct target *target)
{
	static const uint8_t id[20] = "a target of a test";

	image = (struct bareprof_image){.version = 10, .shift = 3, .live = &image};
	image.counters = target->counters.size / 8;
	image.section[BAREPROF_CNTS].start = target->counters.data;
	image.section[BAREPROF_CNTS].size = target->counters.size;
	image.section[BAREPROF_BUILD_ID].start = id;
	image.section[BAREPROF_BUILD_ID].size = sizeof(id);
	return !bareprof_capture_open(&capture, &image, 1, block, target->block_size);
}

void target_first(struct target *target, struct buffer *indices)
{
	uint32_t index = 0;

	if (!open_capture(target))
		abort();
	while (index < capture.blocks) {
		buffer_add(indices, &index, sizeof(index));
		if (bareprof_next_block(&capture, &index, block, target->block_size) < 0)
			abort();
	}
}

/* Writes all bytes. Returns false if the line is closed. */
static bool say(int fd, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n) {
		ssize_t written = write(fd, p, n);

		if (written < 0 && errno != EINTR)
			return false;
		if (written > 0) {
			p += written;
			n -= (size_t)written;
		}
	}
	return true;
}

/* The target and the number of its end of the line, for the sink. */
struct end {
	struct target *target;
	int fd;
	bool repeats; /* the first transmission is over */
};

/* The sink. Collects a line, and sends it as a whole. Before a block, the log may print something. */
static int to_line(void *context, const void *data, size_t n)
{
	struct end *end = context;
	struct target *target = end->target;
	int failed;

	if (!line.size) {
		end->repeats ? target->log->again++ : target->log->first++;
		while (random_below(target, 100) < target->log_percent)
			buffer_printf(&line, "[%5u.%06u] eth0: as the target says it, @bp is no marker\r\n",
				target->log->again, (unsigned int)random_below(target, 1000000));
		if (random_below(target, 100) < target->log_percent)
			buffer_add_text(&line, "<6>[    1.25] ");
	}
	buffer_add(&line, data, n);
	if (line.data[line.size - 1] != '\n')
		return 0;
	failed = !say(end->fd, line.data, line.size);
	line.size = 0;
	return failed;
}

/* Sends the blocks before block @last. Returns false if the line is closed. */
static bool send_blocks(struct end *end, uint32_t last)
{
	uint32_t index = 0;

	while (index < last) {
		intptr_t n = bareprof_next_block(&capture, &index, block, end->target->block_size);

		if (n < 0 || bareprof_encode_text(block, (size_t)n, to_line, end))
			return false;
	}
	end->repeats = true;
	return true;
}

/* Reads a line of at most 79 characters; the rest is lost. Returns false if the line is closed. */
static bool read_line(int fd, char *text, size_t size)
{
	size_t n = 0;
	char c;

	for (;;) {
		ssize_t got = read(fd, &c, 1);

		if (!got || (got < 0 && errno != EINTR))
			return false;
		if (got < 0)
			continue;
		if (c == '\n' || c == '\r')
			break;
		if (n + 1 < size)
			text[n++] = c;
	}
	text[n] = '\0';
	return true;
}

static void answer(struct end *end)
{
	struct target *target = end->target;
	char text[80];

	while (read_line(end->fd, text, sizeof(text))) {
		int error = BAREPROF_E_ARGUMENT;

		/* The host has no block yet, or the line repeated the command. BEGIN lets the host ask for the others. */
		if (!strncmp(text, "cov serve", 9) && !send_blocks(end, 1))
			return;
		if (!strncmp(text, "cov block ", 10))
			error = bareprof_answer(
				&capture, text + 10, block, target->block_size, bareprof_encode_text, to_line, end);
		if (error == BAREPROF_E_SINK)
			return;
		error ? target->log->refused++ : target->log->requests++;
	}
}

void target_run(struct target *target, int fd)
{
	struct end end = {.target = target, .fd = fd};
	char text[80] = "";

	if (!open_capture(target))
		abort();
	/* A target that cannot hear starts by itself. */
	while (target->habit != REPEATS && strncmp(text, "cov serve", 9))
		if (!read_line(fd, text, sizeof(text)))
			return;
	if (!send_blocks(&end, capture.blocks))
		return;
	if (target->habit == ANSWERS)
		answer(&end);
	while (target->habit == REPEATS && send_blocks(&end, capture.blocks))
		wire_pause(target->pause);
	while (target->habit == IS_SILENT && read_line(fd, text, sizeof(text)))
		continue;
}
