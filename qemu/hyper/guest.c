/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.c - pulls the hypervisor's profile, and then tries all functions of the hypervisor with
 * hostile calls.
 */
#include "board.h"
#include "console.h"
#include "guest.h"

/* If a call does not use register i, the register has the value MARK + i before the call. */
#define MARK ((uintptr_t)0x5ca1ab1e)

static void print(void *context, const char *text)
{
	(void)context;
	console_puts(text);
}

static const struct bareprof_forbidden forbidden[] = {
	{GUEST_BASE + GUEST_HOLE * PAGE_SIZE, PAGE_SIZE, "a page that is not there"},
	{GUEST_BASE + GUEST_CONSTANT * PAGE_SIZE, PAGE_SIZE, "a read-only page"},
	{CPU_CONSOLE, PAGE_SIZE, "the console"},
	{CPU_HYPERVISOR, 1 << 22, "the hypervisor's memory"},
	{0, GUEST_BASE, "the addresses before the guest's memory"},
	{GUEST_END, 0 - (uint64_t)GUEST_END, "the addresses after the guest's memory"},
};

struct bareprof_hostile hostile = {
	.call = guest_call,
	.print = print,
	.memory = (void *)HOSTILE_AT,
	.address = HOSTILE_AT,
	.size = GUEST_END - HOSTILE_AT,
	.forbidden = forbidden,
	.ranges = sizeof(forbidden) / sizeof(forbidden[0]),
	.tries = TRIES,
	.exclusive = 1,
};

void expect(bool holds, const char *what)
{
	bareprof_hostile_expect(&hostile, holds, what);
}

static void call_marked(uintptr_t reg[REGISTERS], unsigned int used)
{
	uintptr_t before[REGISTERS];
	unsigned int i;

	for (i = used; i < REGISTERS; i++)
		reg[i] = MARK + i;
	for (i = 0; i < REGISTERS; i++)
		before[i] = reg[i];
	call_registers(reg);
	for (i = RESULTS; i < REGISTERS; i++)
		if (reg[i] != before[i])
			expect(false, "a call does not change other registers");
}

void guest_call(void *context, uintptr_t reg[6])
{
	uintptr_t all[REGISTERS];
	unsigned int i;

	(void)context;
	for (i = 0; i < 6; i++)
		all[i] = reg[i];
	call_marked(all, 6);
	for (i = 0; i < RESULTS; i++)
		reg[i] = all[i];
}

uintptr_t call_hyper(enum hyper_call function, uintptr_t argument)
{
	uintptr_t reg[REGISTERS] = {(uint32_t)function, argument};

	call_marked(reg, 2);
	return reg[0];
}

/* Returns the result of a call with one argument. */
static intptr_t call(uint32_t function, uintptr_t argument)
{
	uintptr_t reg[6] = {function, argument};

	guest_call(NULL, reg);
	return (intptr_t)reg[0];
}

static void try_bounds(void)
{
	volatile uint8_t *hypervisor = (volatile uint8_t *)CPU_HYPERVISOR;

	/* The first byte of the hypervisor's memory is not 0. So if the guest reads 0, it does not see this memory. */
	expect(*hypervisor == 0, "the guest cannot read the hypervisor's memory");
	expect(call(BAREPROF_HYPERCALL_32 + BAREPROF_HYPERCALL_SNAPSHOT, 0) == 0, "a snapshot");
	expect(call_hyper(CALL_KEEP, 0) > GUEST_PAGES * PAGE_SIZE, "the hypervisor keeps a copy of its memory");
	bareprof_hostile_bounds(&hostile);
	/* The guest cannot write to the hypervisor's memory directly either. */
	*hypervisor = 0x55;
	expect(call_hyper(CALL_COMPARE, 0) == 0, "the hypervisor's memory has not changed");
	*hypervisor = 0;
}

static void try_owners(void)
{
	expect(call(0x06000000u | BAREPROF_HYPERCALL_INFO, 0) == BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"a function of another type of call");
	expect(call(0x7e000000u | BAREPROF_HYPERCALL_INFO, 0) == BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"a function of another owner");
#ifdef __arm__
	expect(call(BAREPROF_HYPERCALL_64 + BAREPROF_HYPERCALL_INFO, 0) == BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"a 64-bit function on Arm");
#endif
}

static void try_random(void)
{
	call_hyper(CALL_KEEP, 0);
	bareprof_hostile_random(&hostile);
	expect(call_hyper(CALL_COMPARE, 0) == 0, "the hypervisor's memory has not changed");
}

static void try_denied(void)
{
	uintptr_t changed;

	call_hyper(CALL_KEEP, 0);
	call_hyper(CALL_PRIVILEGE, 0);
	changed = call_hyper(CALL_COMPARE, 0);
	expect(changed > 0 && changed <= sizeof(int),
		"the hypervisor records in its memory who is privileged, and the comparison notices it");
	bareprof_hostile_denied(&hostile);
	expect(bareprof_client_identify(&hostile.client) == 0, "every guest may ask for the UID");
	call_hyper(CALL_PRIVILEGE, 1);
	expect(bareprof_client_open(&hostile.client, BAREPROF_HYPERCALL_PROFRAW) == 0,
		"the profile is still available");
}

static void try_all(uint32_t base)
{
	hostile.base = base;
	try_bounds();
	bareprof_hostile_resets(&hostile);
	try_random();
	client_try();
	try_denied();
}

void guest_main(void)
{
	client_pull();
	console_puts("== tries\n");
	try_owners();
	try_all(BAREPROF_HYPERCALL_32);
#ifndef __arm__
	try_all(BAREPROF_HYPERCALL_64);
#endif
#ifdef __x86_64__
	enter_program();
	expect(true, "the guest is a program now");
	bareprof_hostile_denied(&hostile);
#endif
	console_puts("== end\n");
	call_hyper(CALL_EXIT, hostile.failed != 0);
	for (;;)
		continue;
}
