/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c - all code of this hypervisor that uses bareprof. This file is not instrumented, and
 * calls no instrumented code except guest_copy().
 */
#include <bareprof/hypercall.h>

#include "board.h"
#include "hyper.h"

static struct bareprof_image image;
static struct bareprof_capture whole;
static int image_error;

/* The data, besides counters, that a hypercall may change. They are in a section of their own, which keep.c ignores. */
#define CHANGES __attribute__((section(".changes"), aligned(8)))
static uint8_t window[PAGE_SIZE] CHANGES;
static uint8_t block[1024] CHANGES;
static uint8_t memory[16384] __attribute__((aligned(8)));

static struct bareprof_hypercalls calls = {
	.image = &image,
	.copy = guest_copy,
	.buffer = window,
	.window = sizeof(window),
	.open = bareprof_capture_open,
	.memory = memory,
	.memory_size = sizeof(memory),
};

static void say(const char *s)
{
	while (*s != '\0')
		board_putc(*s++);
}

void profile_start(void)
{
	image_error = bareprof_image_self(&image);
	if (image_error) {
		say("*** ");
		say(bareprof_strerror(image_error));
		say("\r\n");
		return;
	}
	calls.nonce = (size_t)board_nonce();
	bareprof_hypercalls_start(&calls);
}

void profile_call(uintptr_t *reg, bool privileged)
{
	if (image_error)
		reg[0] = (uintptr_t)BAREPROF_HYPERCALL_NOT_SUPPORTED;
	else
		bareprof_hypercall(&calls, reg, NULL, privileged);
}

void profile_reset(void)
{
	bareprof_reset(&image);
}

void profile_dump(void)
{
	intptr_t error;

	say("== whole\r\n");
	error = bareprof_capture_profraw(&whole, &calls.dump, calls.nonce, block, sizeof(block));
	if (!error)
		error = bareprof_send(&whole, block, sizeof(block), bareprof_encode_text, console_sink, NULL);
	if (!error) {
		say("== counters\r\n");
		error = bareprof_send(&calls.capture, window, sizeof(window), bareprof_encode_text, console_sink, NULL);
	}
	if (error)
		say(bareprof_strerror(error));
}
