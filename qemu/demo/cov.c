/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cov.c - all code of this kernel that uses bareprof. This file is not instrumented and calls no
 * instrumented code, so that reading the profile does not change the profile. For the same reason
 * it prints with the board's functions.
 */
#include "profile.h"

#include "board.h"
#include "cov.h"

struct bareprof_image kernel_image;

static struct bareprof_dump dump;
static struct bareprof_capture capture;
/*
 * The nonce of all captures of this boot. By the nonce, the host sees which captures come from one boot. The host
 * adds two captures of one boot only if the counters were reset between them.
 */
static uint64_t boot;
static int image_error;

#if defined(BAREPROF_VALUES) || defined(BAREPROF_TEMPORAL)
BAREPROF_STATE;
#endif

#ifdef BAREPROF_VALUES
static struct bareprof_values values;
static struct bareprof_node nodes[512];
#endif

static void say(const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\n')
			board_putc('\r');
		board_putc(*s);
	}
}

/* Prints a number without dividing, because on some cores a division needs a library function. */
static void say_number(const char *label, uint32_t value)
{
	static const uint32_t power[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
	uint32_t i = 0;
	char digit;

	say(label);
	while (power[i] > 1 && value < power[i])
		i++;
	for (; i < sizeof(power) / sizeof(power[0]); i++) {
		for (digit = '0'; value >= power[i]; digit++)
			value -= power[i];
		board_putc(digit);
	}
}

static void say_bytes(const char *label, const uint8_t *bytes, uint32_t n)
{
	uint32_t i;

	say(label);
	for (i = 0; i < n; i++) {
		board_putc("0123456789abcdef"[bytes[i] >> 4]);
		board_putc("0123456789abcdef"[bytes[i] & 15]);
	}
}

static int failed(const char *what, intptr_t error)
{
	if (error >= 0)
		return 0;
	say(what);
	say(": ");
	say(bareprof_strerror(error));
	say("\n");
	return 1;
}

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
	boot = board_nonce();
}

/*
 * Keeps the lists of values unchanged until release(). Fails only if a crash interrupted code that was changing a
 * list.
 */
static int hold(const char *what)
{
	if (failed(what, image_error))
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
	say_number("raw version ", (uint32_t)kernel_image.version);
	/* The variant bits are in the top byte. They distinguish front-end profiles from IR profiles. */
	say_number(", variant ", (uint32_t)(kernel_image.version >> 32) >> 24);
	say_number("\n", (uint32_t)kernel_image.records);
	say_number(" records, ", (uint32_t)kernel_image.counters);
	say_number(" counters, reset ", (uint32_t)kernel_image.generation);
	say(" times\n");
	if (!failed("cov info", bareprof_open(&dump, &kernel_image))) {
		say_number("profile of ", (uint32_t)dump.size);
		say(" bytes\n");
	}
	if (section[BAREPROF_BUILD_ID].size > 0)
		say_bytes("build id ", section[BAREPROF_BUILD_ID].start, section[BAREPROF_BUILD_ID].size);
	else
		say("no build id");
	say("\n");
	release();
#ifdef BAREPROF_VALUES
	say_number("", (uint32_t)values.dropped);
	say(" values dropped\n");
#endif
}

void cov_reset(void)
{
	if (!failed("cov reset", image_error))
		bareprof_reset(&kernel_image);
}

static int to_console(void *context, const void *data, size_t n)
{
	const char *c = data;

	(void)context;
	for (; n > 0; n--)
		board_putc(*c++);
	return 0;
}

static int to_channel(void *context, const void *data, size_t n)
{
	(void)context;
	return board_write(data, n);
}

/* All commands share one buffer, because some boards have only 16 KiB of RAM. */
static uint64_t block[1024 / 8];

/*
 * Captures the whole .profraw if @whole is set and the image has its records in memory. Otherwise captures counters, and
 * also values if the kernel records them.
 */
static int open_capture(const char *what, int whole, size_t size)
{
	int error;

	error = whole ? bareprof_open(&dump, &kernel_image) : BAREPROF_E_NO_RECORDS;
	if (error == BAREPROF_OK)
		error = bareprof_capture_profraw(&capture, &dump, board_nonce(), block, size);
	else if (error == BAREPROF_E_NO_RECORDS)
#ifdef BAREPROF_VALUES
		error = bareprof_capture_values(&capture, &kernel_image, boot, block, size);
#else
		error = bareprof_capture_open(&capture, &kernel_image, boot, block, size);
#endif
	return failed(what, error) ? -1 : 0;
}

static void print(const char *what, int whole, size_t size)
{
	if (hold(what))
		return;
	if (open_capture(what, whole, size) == 0)
		failed(what, bareprof_send(&capture, block, size, bareprof_encode_text, to_console, NULL));
	release();
}

static void save(const char *what, int whole)
{
	if (hold(what))
		return;
	if (open_capture(what, whole, sizeof(block)) == 0)
		failed(what, bareprof_send(&capture, block, sizeof(block), bareprof_encode_frame, to_channel, NULL));
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
	print("cov counters", 0, sizeof(block));
}

void cov_save_counters(void)
{
	save("cov save-counters", 0);
}
