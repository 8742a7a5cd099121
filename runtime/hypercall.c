/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hypercall.c - serves the hypercalls of docs/SPEC.md, part 3.
 *
 * A guest may pass any arguments. This file checks each argument before it uses the
 * argument. The exception is the address, which calls->copy() checks, because only the
 * hypervisor knows the guest's memory.
 */
#include <bareprof/hypercall.h>

#include "values_serialize.h"

/* The bit in a function number that means 64-bit registers. */
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

/*
 * Returns non-zero if counters were reset or lists of values released after open_image().
 * The hypervisor may reset counters and release lists at any time.
 */
static int is_stale(const struct bareprof_hypercalls *calls)
{
	return calls->generation != bareprof_epoch(calls->of);
}

void bareprof_hypercalls_start(struct bareprof_hypercalls *calls)
{
	open_image(calls, calls->image);
}

/* Sets the results of a call that failed with @error, an enum bareprof_error. Returns the first result. */
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

/* The registers of a call, decoded. Each function uses only some of the arguments. */
struct call {
	uint32_t function;
	int wide; /* 1: registers have 64 bits; 0: registers have 32 bits, and two registers contain the address */
	uintptr_t position; /* the first argument: offset of READ, index of BLOCK, form of INFO, serial of RESET */
	uint64_t address;
	size_t length;
	uintptr_t serial;
};

static void decode_call(struct call *call, const uintptr_t *reg)
{
	call->function = (uint32_t)reg[0] - BAREPROF_HYPERCALL_32;
	call->wide = sizeof(*reg) == 8 && call->function & WIDTH_64;
	call->position = call->wide ? reg[1] : (uint32_t)reg[1];
	call->address = call->wide ? reg[2] : (uint32_t)reg[2] | (uint64_t)(uint32_t)reg[3] << 32;
	call->length = call->wide ? reg[3] : (uint32_t)reg[4];
	call->serial = call->wide ? reg[4] : (uint32_t)reg[5];
}

/*
 * Puts a window of the .profraw, or a block, into calls->buffer. Returns the size of the
 * window or block in bytes, or an error.
 */
static intptr_t fetch(struct bareprof_hypercalls *calls, uintptr_t *reg, const struct call *call, int block)
{
	int error = block ? calls->capture_error : calls->dump_error;
	intptr_t n;

	if (error)
		return none(reg, error);
	if (block && call->position >= calls->capture.blocks)
		return 0;
	if (block)
		n = bareprof_block(&calls->capture, (uint32_t)call->position, calls->buffer, calls->window);
	else
		n = bareprof_read(&calls->dump, call->position, calls->buffer,
			call->length < calls->window ? call->length : calls->window);
	/* If another CPU reset the counters during the read, the bytes come from two generations, so the call fails. */
	if (n < 0 || is_stale(calls))
		return BAREPROF_HYPERCALL_STALE;
	if ((size_t)n > call->length) {
		reg[1] = (uintptr_t)n;
		return BAREPROF_HYPERCALL_NO_SPACE;
	}
	return n;
}

/* Serves READ and BLOCK: fills the buffer, then copies it to the guest. */
static intptr_t give(struct bareprof_hypercalls *calls, uintptr_t *reg, const struct call *call, void *guest)
{
	intptr_t n = fetch(calls, reg, call, call->function == BAREPROF_HYPERCALL_BLOCK);
	uint64_t end = call->address + (size_t)n;

	if (n > 0 && (end < call->address || calls->copy(guest, call->address, calls->buffer, (size_t)n)))
		return BAREPROF_HYPERCALL_FAULT;
	return n;
}

static intptr_t take_snapshot(struct bareprof_hypercalls *calls)
{
	if (!calls->memory || bareprof_snapshot(&calls->snapshot, calls->image, calls->memory, calls->memory_size))
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	open_image(calls, &calls->snapshot);
	return BAREPROF_OK;
}

static intptr_t reset(struct bareprof_hypercalls *calls)
{
	bareprof_reset(calls->image);
	bareprof_hypercalls_start(calls);
	return BAREPROF_OK;
}

static intptr_t serve(struct bareprof_hypercalls *calls, uintptr_t *reg, void *guest, int privileged)
{
	struct call call;

	decode_call(&call, reg);
	/* Result registers that the code below does not set are 0. */
	reg[1] = reg[2] = reg[3] = 0;
	if (call.function == BAREPROF_HYPERCALL_UID) {
		reg[1] = BAREPROF_HYPERCALL_UID_1;
		reg[2] = BAREPROF_HYPERCALL_UID_2;
		reg[3] = BAREPROF_HYPERCALL_UID_3;
		return (intptr_t)BAREPROF_HYPERCALL_UID_0;
	}
	if (call.function == BAREPROF_HYPERCALL_REVISION) {
		reg[1] = BAREPROF_HYPERCALL_MINOR;
		return BAREPROF_HYPERCALL_MAJOR;
	}
	if (call.wide)
		call.function ^= WIDTH_64;
	if (call.function < BAREPROF_HYPERCALL_FIRST || call.function > BAREPROF_HYPERCALL_SNAPSHOT)
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	if (!privileged)
		return BAREPROF_HYPERCALL_DENIED;

	/*
	 * There is no switch over all five functions, because for such a switch gcc would
	 * call a function of libgcc on Armv6-M.
	 */
	if (call.function == BAREPROF_HYPERCALL_INFO)
		return info(calls, reg, call.position, call.wide);
	if (call.function == BAREPROF_HYPERCALL_SNAPSHOT)
		return take_snapshot(calls);
	if (call.function == BAREPROF_HYPERCALL_BLOCK && !calls->open)
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	if (call.function == BAREPROF_HYPERCALL_RESET)
		call.serial = call.position; /* the only argument of RESET is the serial */
	else if (!call.length)
		return BAREPROF_HYPERCALL_ARGUMENT;
	/*
	 * READ, BLOCK and RESET must pass the serial that the last INFO returned, and this
	 * serial must not be stale.
	 */
	if (call.serial != calls->serial || is_stale(calls))
		return BAREPROF_HYPERCALL_STALE;
	return call.function == BAREPROF_HYPERCALL_RESET ? reset(calls) : give(calls, reg, &call, guest);
}

void bareprof_hypercall(struct bareprof_hypercalls *calls, uintptr_t reg[6], void *guest, int privileged)
{
	reg[0] = (uintptr_t)serve(calls, reg, guest, privileged);
}
