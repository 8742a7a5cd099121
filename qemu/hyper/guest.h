/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.h - the guest, in three parts: guest.c pulls the profile, guest_try.c asks for
 * what there is not, guest_random.c for anything.
 */
#ifndef GUEST_H
#define GUEST_H

#include <bareprof/hypercall.h>

#include "cpu.h"
#include "hyper.h"

/* Registers from the first on, as many as a call must not touch, and those that it may. */
#ifdef __arm__
#define REGISTERS 12u
#else
#define REGISTERS 18u
#endif
#define RESULTS 4u

/* From guest.S: the call with these registers, which get what they are afterwards. */
void call_registers(uintptr_t reg[REGISTERS]);
_Noreturn void guest_main(void);

/*
 * A call of a function of bareprof's: @function is its number. @wide: by 64-bit registers,
 * where there are any. Returns the first result; result[] has all. A call that changes other
 * registers fails the guest.
 */
extern uintptr_t result[RESULTS];
extern bool wide;
intptr_t call(uint32_t function, uintptr_t first);
/* The same for READ and BLOCK. */
intptr_t fetch(uint32_t function, uintptr_t position, uint64_t address, uintptr_t length, uintptr_t serial);
/* One of the hypervisor's own. */
uintptr_t call_hyper(enum hyper_call function, uintptr_t argument);

/* A line "ok - WHAT", or "not ok - WHAT", and the guest fails. */
void expect(bool holds, const char *what);
/* The same with what came instead, for lines with much behind them. */
void expect_is(intptr_t is, intptr_t should, const char *what);

/* The profile as it was pulled, and its blocks; one behind the other, the first at 0. */
#define PROFILE_MAX 65536u
#define BLOCKS_MAX  64u
struct pulled {
	uint8_t profile[PROFILE_MAX];
	uint8_t blocks[PROFILE_MAX];
	uint32_t size;
	uint32_t count;
	uint32_t begin[BLOCKS_MAX + 1];
	uintptr_t window;
	uintptr_t block_max;
	uintptr_t serial;
};
extern struct pulled pulled;

/* INFO of both forms, and all there is. */
bool pull(void);

/*
 * Where windows may go: some pages that end where the guest's memory does, in which those
 * are that it has not, and that it cannot write. canaries() fills all that can be with a byte;
 * untouched() says that it has it still, but for @n bytes at @address.
 */
#define ARENA     236u
#define ARENA_AT  (GUEST_BASE + ARENA * PAGE_SIZE)
#define GUEST_END (GUEST_BASE + GUEST_PAGES * PAGE_SIZE)
void canaries(void);
bool untouched(uint64_t address, uintptr_t n);
/* Whether the guest may write @n bytes at @address. */
bool writable(uint64_t address, uintptr_t n);

void try_bounds(void);
void try_resets(void);
void try_random(uint32_t tries);
void try_denied(void);

/*
 * On x86_64 a guest's programs can make hypercalls as well, and must not get anywhere: what
 * follows runs as one, without a way back. On Arm the instruction is undefined for them.
 */
#ifdef __x86_64__
void enter_program(void);
void try_program(void);
#endif

#endif
