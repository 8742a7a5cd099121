/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.c - pulls the hypervisor's profile in windows, pulls it again in blocks, and prints the
 * windows and the blocks on the console. Then tries all other functions of the hypervisor.
 */
#include "board.h"
#include "console.h"
#include "guest.h"

/* The value of registers that a call does not use. */
#define MARK ((uintptr_t)0x5ca1ab1e)

uintptr_t result[RESULTS];
bool wide;
struct pulled pulled;
static bool failed;

void expect(bool holds, const char *what)
{
	if (!holds)
		failed = true;
	console_printf("%s - guest%s: %s\n", holds ? "ok" : "not ok", wide ? ", 64-bit calls" : "", what);
}

void expect_is(intptr_t is, intptr_t should, const char *what)
{
	if (is != should)
		console_printf("result %x, expected %x:\n", (uintptr_t)is, (uintptr_t)should);
	expect(is == should, what);
}

static intptr_t call_with(uintptr_t reg[REGISTERS], unsigned int used)
{
	unsigned int i;

	for (i = used; i < REGISTERS; i++)
		reg[i] = MARK + i;
	call_registers(reg);
	for (i = used > RESULTS ? used : RESULTS; i < REGISTERS; i++)
		if (reg[i] != MARK + i)
			expect(false, "a call does not change other registers");
	for (i = 0; i < RESULTS; i++)
		result[i] = reg[i];
	return (intptr_t)reg[0];
}

static uint32_t base(void)
{
	return wide ? BAREPROF_HYPERCALL_64 : BAREPROF_HYPERCALL_32;
}

intptr_t call(uint32_t function, uintptr_t first)
{
	uintptr_t reg[REGISTERS] = {base() + function, first};

	return call_with(reg, 2);
}

intptr_t fetch(uint32_t function, uintptr_t position, uint64_t address, uintptr_t length, uintptr_t serial)
{
	uintptr_t reg[REGISTERS] = {base() + function, position, (uintptr_t)address, length, serial};

	if (wide)
		return call_with(reg, 5);
	reg[3] = (uintptr_t)(address >> 32);
	reg[4] = length;
	reg[5] = serial;
	return call_with(reg, 6);
}

uintptr_t call_hyper(enum hyper_call function, uintptr_t argument)
{
	uintptr_t reg[REGISTERS] = {(uint32_t)function, argument};

	return (uintptr_t)call_with(reg, 2);
}

static bool pull_windows(void)
{
	uint32_t at = 0;
	intptr_t n;

	if (call(BAREPROF_HYPERCALL_INFO, BAREPROF_HYPERCALL_PROFRAW) != 0 || result[1] > PROFILE_MAX)
		return false;
	pulled.size = (uint32_t)result[1];
	pulled.serial = result[2];
	pulled.window = result[3];
	/* The last read returns 0 only if all windows belong to the same profile. */
	while ((n = fetch(BAREPROF_HYPERCALL_READ, at, (uintptr_t)&pulled.profile[at], pulled.window, pulled.serial)) >
		0)
		at += (uint32_t)n;
	return n == 0 && at == pulled.size;
}

static bool pull_blocks(void)
{
	uint32_t *end = pulled.begin;
	uint32_t i = 0;
	intptr_t n;

	if (call(BAREPROF_HYPERCALL_INFO, BAREPROF_HYPERCALL_CAPTURE) != 0 || result[1] > BLOCKS_MAX ||
		result[2] != pulled.serial)
		return false;
	pulled.count = (uint32_t)result[1];
	pulled.block_max = result[3];
	while ((n = fetch(BAREPROF_HYPERCALL_BLOCK, i, (uintptr_t)&pulled.blocks[*end], pulled.block_max,
			pulled.serial)) > 0 &&
		i++ < pulled.count) {
		end[1] = *end + (uint32_t)n;
		end++;
	}
	return n == 0 && i == pulled.count;
}

bool pull(void)
{
	return pull_windows() && pull_blocks();
}

static void print_windows(void)
{
	uint32_t i;

	for (i = 0; i < pulled.size; i++) {
		if (i % pulled.window == 0)
			console_printf("\nwindow %u ", i);
		console_printf("%02x", pulled.profile[i]);
	}
	console_putc('\n');
}

static void print_blocks(void)
{
	uint32_t i;

	for (i = 0; i < pulled.count; i++)
		bareprof_encode_text(
			pulled.blocks + pulled.begin[i], pulled.begin[i + 1] - pulled.begin[i], console_sink, NULL);
}

void guest_main(void)
{
	expect_is(call(BAREPROF_HYPERCALL_UID, 0), (intptr_t)BAREPROF_HYPERCALL_UID_0, "the first word of the UID");
	expect(result[1] == BAREPROF_HYPERCALL_UID_1 && result[2] == BAREPROF_HYPERCALL_UID_2 &&
			result[3] == BAREPROF_HYPERCALL_UID_3,
		"the other words of the UID");
	expect_is(call(BAREPROF_HYPERCALL_REVISION, 0), BAREPROF_HYPERCALL_MAJOR, "the revision");
	expect_is(call(BAREPROF_HYPERCALL_SNAPSHOT, 0), 0, "a snapshot");
	/* After the snapshot, the hypervisor's own dump and the pulled profile have the same counts. */
	call_hyper(CALL_DUMP, 0);
	console_puts("== pulled\n");
	expect(pull(), "the profile is pulled in windows, and in blocks");
	console_puts("== windows");
	print_windows();
	console_puts("== blocks\n");
	print_blocks();
	console_puts("== tries\n");
	wide = false;
	try_bounds();
	try_resets();
#ifndef __arm__
	wide = true;
	try_bounds();
	try_resets();
#endif
	try_random(TRIES);
	try_denied();
#ifdef __x86_64__
	try_program();
#endif
	console_puts("== end\n");
	call_hyper(CALL_EXIT, failed);
	for (;;)
		continue;
}
