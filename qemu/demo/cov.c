/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cov.c - all code of this kernel that uses bareprof. This file is not instrumented and calls no
 * instrumented code, so that reading the profile does not change the profile. For the same reason
 * it prints with the board's functions.
 */
#include "profile.h"

#include "board.h"
#include "cov.h"
#include "send.h"

/* The size of blocks that a bad line may lose. They are small, so that a fault in a line loses little. */
#ifdef BAREPROF_VALUES
#define SMALL 384
#else
#define SMALL 192
#endif

struct bareprof_image kernel_image;

static struct bareprof_dump dump;
static struct bareprof_capture capture;
static int image_error;

#if defined(BAREPROF_VALUES) || defined(BAREPROF_TEMPORAL)
BAREPROF_STATE;
#endif

#ifdef BAREPROF_VALUES
static struct bareprof_values values;
static struct bareprof_node nodes[512];
#endif

void cov_init(void)
{
	uint32_t record;

	/* The start-up code may already have found the image. It does no harm to find the image again. */
	image_error = bareprof_image_self(&kernel_image);
	if (image_error == BAREPROF_E_RECORD)
		image_error = bareprof_diagnose(&kernel_image, &record);
#ifdef BAREPROF_VALUES
	if (!image_error)
		image_error = bareprof_values_start(&values, &kernel_image, nodes, sizeof(nodes) / sizeof(nodes[0]));
#endif
}

/*
 * Keeps the lists of values unchanged until release(). Fails only if a crash interrupted code that was changing a
 * list.
 */
static int hold(const char *what)
{
	if (send_failed(what, image_error))
		return -1;
#ifdef BAREPROF_VALUES
	for (unsigned int tries = 1000000; bareprof_values_hold(&values, !tries); tries--)
		;
#endif
	return 0;
}

static void release(void)
{
#ifdef BAREPROF_VALUES
	bareprof_values_release(&values);
#endif
}

void cov_info(void)
{
	const struct bareprof_slice *section = kernel_image.section;

	if (hold("cov info"))
		return;
	send_number("raw version ", (uint32_t)kernel_image.version);
	/* The variant bits are in the top byte. They distinguish front-end profiles from IR profiles. */
	send_number(", variant ", (uint32_t)(kernel_image.version >> 32) >> 24);
	send_number("\n", (uint32_t)kernel_image.records);
	send_number(" records, ", (uint32_t)kernel_image.counters);
	send_number(" counters, reset ", (uint32_t)kernel_image.generation);
	send_words(" times\n");
	if (!send_failed("cov info", bareprof_open(&dump, &kernel_image))) {
		send_number("profile of ", (uint32_t)dump.size);
		send_words(" bytes\n");
	}
	if (section[BAREPROF_BUILD_ID].size > 0)
		send_bytes("build id ", section[BAREPROF_BUILD_ID].start, section[BAREPROF_BUILD_ID].size);
	else
		send_words("no build id");
	send_words("\n");
	release();
#ifdef BAREPROF_VALUES
	send_number("", (uint32_t)values.dropped);
	send_words(" values dropped\n");
#endif
}

void cov_reset(void)
{
	if (!send_failed("cov reset", image_error))
		bareprof_reset(&kernel_image);
}

/*
 * Captures the whole .profraw if @whole is set and the image has its records in memory. Otherwise captures counters,
 * and also values if the kernel records them.
 */
static int open_capture(const char *what, int whole, size_t size)
{
	int error;

	error = whole ? bareprof_open(&dump, &kernel_image) : BAREPROF_E_NO_RECORDS;
	if (error == BAREPROF_OK)
		error = bareprof_capture_profraw(&capture, &dump, board_nonce(), send_block, size);
	else if (error == BAREPROF_E_NO_RECORDS)
#ifdef BAREPROF_VALUES
		error = bareprof_capture_values(&capture, &kernel_image, send_nonce(), send_block, size);
#else
		error = bareprof_capture_open(&capture, &kernel_image, send_nonce(), send_block, size);
#endif
	return send_failed(what, error) ? -1 : 0;
}

static void print(const char *what, int whole, size_t size)
{
	if (hold(what))
		return;
	if (open_capture(what, whole, size) == 0)
		send_failed(
			what, bareprof_send(&capture, send_block, size, bareprof_encode_text, send_to_console, NULL));
	release();
}

static void save(const char *what, int whole)
{
	if (hold(what))
		return;
	if (open_capture(what, whole, sizeof(send_block)) == 0)
		send_failed(what, bareprof_send(&capture, send_block, sizeof(send_block), bareprof_encode_frame,
					  send_to_channel, NULL));
	release();
}

void cov_dump(void)
{
	/* The blocks are small, so that a log message in the middle of a line destroys little. */
	print("cov dump", 1, 192);
}

/* The two dumps have the same counts, because no instrumented code runs between them. */
void cov_both(void)
{
	cov_dump();
	cov_counters();
}

void cov_save(void)
{
	save("cov save", 1);
}

void cov_counters(void)
{
	print("cov counters", 0, sizeof(send_block));
}

void cov_save_counters(void)
{
	save("cov save-counters", 0);
}

/* Sends the blocks of the open capture before block @end. Blocks that only have zeros come together. */
static void send_blocks(const char *what, uint32_t end)
{
	uint32_t index = 0;

	while (index < end) {
		intptr_t n = bareprof_next_block(&capture, &index, send_block, SMALL);

		if (send_failed(what, n) || bareprof_encode_text(send_block, (size_t)n, send_to_console, NULL))
			return;
	}
}

static int same(const char *line, const char *words)
{
	while (*words != '\0' && *line == *words) {
		line++;
		words++;
	}
	return *words == '\0';
}

/* Reads a line. The rest of a line that is too long is lost. Interrupts stay masked, unlike in idle_getc(). */
static void read_line(char *line, size_t size)
{
	size_t n = 0;
	int c;

	while ((c = board_getc()) != '\n' && c != '\r')
		if (c > 0 && n + 1 < size)
			line[n++] = (char)c;
	line[n] = '\0';
}

/*
 * No instrumented code runs until the host has all blocks, and interrupts are masked. So all blocks have the counts of
 * one moment, and no memory is needed for a copy of the counters. A damaged line looks like none of the commands, and
 * is ignored. If the command comes again, the host has no block yet, or the line repeated it. BEGIN is then enough, because
 * it lets the host ask for the others.
 */
void cov_serve(void)
{
	char line[80];

	if (hold("cov serve"))
		return;
	if (open_capture("cov serve", 0, SMALL) == 0) {
		send_blocks("cov serve", capture.blocks);
		for (;;) {
			read_line(line, sizeof(line));
			if (same(line, "cov block "))
				bareprof_answer(&capture, line + sizeof("cov block"), send_block, SMALL,
					bareprof_encode_text, send_to_console, NULL);
			else if (same(line, "cov serve"))
				send_blocks("cov serve", 1);
			else if (same(line, "cov end"))
				break;
		}
	}
	release();
}

/* For a host that cannot ask. All transmissions have the same nonce and counts, so they are one dump. */
void cov_repeat(void)
{
	int c = -1;

	if (hold("cov repeat"))
		return;
	if (open_capture("cov repeat", 0, SMALL) == 0) {
		while (c != '\n' && c != '\r') {
			send_blocks("cov repeat", capture.blocks);
			c = board_getc();
		}
	}
	release();
}
