/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware.c - an image that uses the small form. It counts, dumps over the console, and starts to count again from
 * zero. Before each step it prints the name of the step, and after the step the result.
 */
#include <bareprof/capture.h>

#include "app.h"
#include "board.h"

_Noreturn void firmware(void);

#define BUILD_ID 20u
#define SMALLEST (BAREPROF_BLOCK_MIN - 32 + BUILD_ID)

extern volatile uint64_t __start___llvm_prf_cnts[];
extern const uint64_t __llvm_profile_raw_version;

unsigned int yields; /* yield.h increases this number */

static void put_string(const char *s)
{
	while (*s)
		board_putc(*s++);
}

/* Prints a decimal number. Errors are negative numbers. */
static void put_number(int n)
{
	char digits[12];
	char *p = digits + sizeof(digits);
	unsigned int rest = (unsigned int)(n < 0 ? -n : n);

	*--p = '\0';
	do {
		*--p = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (n < 0)
		*--p = '-';
	put_string(p);
}

static void step(const char *name)
{
	put_string("== ");
	put_string(name);
	put_string("\r\n");
	yields = 0;
}

static void result(int error)
{
	put_string("\r\nresult ");
	put_number(error);
	put_string(" yields ");
	put_number((int)yields);
	put_string("\r\n");
}

static int sink(void *context, const void *data, size_t n)
{
	const char *p = data;
	unsigned int *left = context;

	if (left && (*left)-- == 0)
		return 1;
	while (n--)
		board_putc(*p++);
	return 0;
}

/* Dumps with a buffer of @size bytes, and checks that the dump does not write to the bytes after the buffer. */
static void dump(const char *name, size_t nonce, size_t size, bareprof_encoder form, unsigned int *left)
{
	static uint8_t buf[1024 + 8];
	size_t i;
	int error;

	for (i = 0; i < sizeof(buf); i++)
		buf[i] = 0x5a;
	step(name);
	error = bareprof_small_dump(nonce, buf, size, form, sink, left);
	for (i = size; i < sizeof(buf); i++)
		if (buf[i] != 0x5a)
			error = -99;
	result(error);
}

static int start(const char *name, unsigned int rounds)
{
	int error;

	step(name);
	error = bareprof_small_start();
	result(error);
	(void)application(rounds);
	return error;
}

void firmware(void)
{
	unsigned int left = 3;

	if (start("start", 3)) {
		dump("nothing", 1, SMALLEST, bareprof_encode_text, NULL);
		step("end");
		board_exit(0);
	}
	dump("room", 1, SMALLEST - 1, bareprof_encode_text, NULL);
	dump("smallest", 1, SMALLEST, bareprof_encode_text, NULL);
	dump("aborted", 1, SMALLEST, bareprof_encode_text, &left);
	dump("frames", 1, 512, bareprof_encode_frame, NULL);
	(void)start("again", 5);
	dump("second", 2, 1024, bareprof_encode_text, NULL);
	/* A count above 32 bits is not possible with byte counters. */
	if (!(__llvm_profile_raw_version & BAREPROF_VARIANT_BYTE_COVERAGE))
		__start___llvm_prf_cnts[0] += (uint64_t)1 << 32;
	dump("large", 2, SMALLEST, bareprof_encode_text, NULL);
	step("end");
	board_exit(0);
}
