/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.c - serve the hypercalls of docs/SPEC.md, part 3. Arguments come from a guest
 * and are whatever it likes: each is checked here before it is used, but for the address,
 * which the hypervisor knows about.
 */
#include <bareprof/hypercall.h>

#include "values_serialize.h"

#define WIDTH_64 (BAREPROF_HYPERCALL_32 ^ BAREPROF_HYPERCALL_64)

static void open_image(struct bareprof_hypercalls *calls, const struct bareprof_image *image)
{
	calls->of = image;
	calls->generation = bareprof_epoch(image);
	calls->serial++;
	calls->dump_error = bareprof_open(&calls->dump, image);
	if (calls->open)
		calls->capture_error = calls->open(&calls->capture, image, calls->nonce, calls->buffer, calls->window);
}

/* The hypervisor resets its counters, or releases lists of values, without asking us. */
static int is_stale(const struct bareprof_hypercalls *calls)
{
	return calls->generation != bareprof_epoch(calls->of);
}

void bareprof_hypercalls_start(struct bareprof_hypercalls *calls)
{
	open_image(calls, calls->image);
}

/* @error of the runtime as a result. */
static intptr_t none(uintptr_t *reg, int error)
{
	error = -error;
	reg[1] = (uintptr_t)error;
	return BAREPROF_HYPERCALL_NONE;
}

static intptr_t info(struct bareprof_hypercalls *calls, uintptr_t *reg, uintptr_t form, int wide)
{
	int error;

	if (form > BAREPROF_HYPERCALL_CAPTURE)
		return BAREPROF_HYPERCALL_ARGUMENT;
	if (form && !calls->open)
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	if (is_stale(calls))
		open_image(calls, calls->of);
	error = form ? calls->capture_error : calls->dump_error;
	if (error)
		return none(reg, error);
	reg[1] = calls->dump.size;
	reg[3] = calls->window;
	if (form) {
		reg[1] = calls->capture.blocks;
		reg[3] = calls->capture.buffer_min;
	}
	if (!wide && reg[1] != (uint32_t)reg[1]) {
		reg[1] = reg[3] = 0;
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	}
	reg[2] = calls->serial;
	return BAREPROF_OK;
}

/* A window, or a block, of @position into the buffer: its size, or an error. */
static intptr_t fetch(struct bareprof_hypercalls *calls, uintptr_t *reg, int block, uintptr_t position, size_t length)
{
	int error = block ? calls->capture_error : calls->dump_error;
	intptr_t n;

	if (error)
		return none(reg, error);
	if (block && position >= calls->capture.blocks)
		return 0;
	if (!block)
		n = bareprof_read(
			&calls->dump, position, calls->buffer, length < calls->window ? length : calls->window);
	else
		n = bareprof_block(&calls->capture, (uint32_t)position, calls->buffer, calls->window);
	/* Reset by another CPU while it was read: then it is of two generations. */
	if (n < 0 || is_stale(calls))
		return BAREPROF_HYPERCALL_STALE;
	if ((size_t)n > length) {
		reg[1] = (uintptr_t)n;
		return BAREPROF_HYPERCALL_NO_SPACE;
	}
	return n;
}

static intptr_t serve(struct bareprof_hypercalls *calls, uintptr_t *reg, void *guest, int privileged)
{
	uint32_t function = (uint32_t)reg[0] - BAREPROF_HYPERCALL_32;
	int wide = sizeof(*reg) == 8 && function & WIDTH_64;
	uintptr_t position = wide ? reg[1] : (uint32_t)reg[1];
	uint64_t address = wide ? reg[2] : (uint32_t)reg[2] | (uint64_t)(uint32_t)reg[3] << 32;
	size_t length = wide ? reg[3] : (uint32_t)reg[4];
	uintptr_t serial = wide ? reg[4] : (uint32_t)reg[5];
	intptr_t n;

	/* What is no result says nothing. */
	reg[1] = reg[2] = reg[3] = 0;
	if (function == BAREPROF_HYPERCALL_UID) {
		reg[1] = BAREPROF_HYPERCALL_UID_1;
		reg[2] = BAREPROF_HYPERCALL_UID_2;
		reg[3] = BAREPROF_HYPERCALL_UID_3;
		return (intptr_t)BAREPROF_HYPERCALL_UID_0;
	}
	if (function == BAREPROF_HYPERCALL_REVISION) {
		reg[1] = BAREPROF_HYPERCALL_MINOR;
		return BAREPROF_HYPERCALL_MAJOR;
	}
	if (wide)
		function ^= WIDTH_64;
	if (function < BAREPROF_HYPERCALL_FIRST || function > BAREPROF_HYPERCALL_SNAPSHOT)
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	if (!privileged)
		return BAREPROF_HYPERCALL_DENIED;

	switch (function) {
	case BAREPROF_HYPERCALL_INFO:
		return info(calls, reg, position, wide);
	case BAREPROF_HYPERCALL_SNAPSHOT:
		if (!calls->memory ||
			bareprof_snapshot(&calls->snapshot, calls->image, calls->memory, calls->memory_size))
			return BAREPROF_HYPERCALL_NOT_SUPPORTED;
		open_image(calls, &calls->snapshot);
		return BAREPROF_OK;
	case BAREPROF_HYPERCALL_RESET:
		serial = position;
		break;
	default:
		if (function == BAREPROF_HYPERCALL_BLOCK && !calls->open)
			return BAREPROF_HYPERCALL_NOT_SUPPORTED;
		if (!length)
			return BAREPROF_HYPERCALL_ARGUMENT;
	}

	if (serial != calls->serial || is_stale(calls))
		return BAREPROF_HYPERCALL_STALE;
	if (function == BAREPROF_HYPERCALL_RESET) {
		bareprof_reset(calls->image);
		bareprof_hypercalls_start(calls);
		return BAREPROF_OK;
	}
	n = fetch(calls, reg, function == BAREPROF_HYPERCALL_BLOCK, position, length);
	if (n > 0 && (address + (size_t)n < address || calls->copy(guest, address, calls->buffer, (size_t)n)))
		return BAREPROF_HYPERCALL_FAULT;
	return n;
}

void bareprof_hypercall(struct bareprof_hypercalls *calls, uintptr_t reg[6], void *guest, int privileged)
{
	reg[0] = (uintptr_t)serve(calls, reg, guest, privileged);
}
