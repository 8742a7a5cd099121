/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.h - the guest, in three parts: guest.c pulls the profile, guest_try.c makes calls
 * at the limits of the interface, guest_random.c makes random calls.
 */
#ifndef GUEST_H
#define GUEST_H

#include <bareprof/hypercall.h>

#include "cpu.h"
#include "hyper.h"

/*
 * REGISTERS: the number of registers that the guest sets and checks. A call may change only the
 * first RESULTS of these registers.
 */
#ifdef __arm__
#define REGISTERS 12u
#else
#define REGISTERS 18u
#endif
#define RESULTS 4u

/* Makes a hypercall with these registers, and stores their values after the call. Implemented in guest.S. */
void call_registers(uintptr_t reg[REGISTERS]);
_Noreturn void guest_main(void);

/*
 * Calls one of bareprof's functions; @function is its number. If @wide is set, calls the 64-bit
 * variant of the function, if there is one. Returns the first result, and stores all results in
 * result[]. If the call changes other registers, the guest fails.
 */
extern uintptr_t result[RESULTS];
extern bool wide;
intptr_t call(uint32_t function, uintptr_t first);
/* Does the same as call() for the functions READ and BLOCK, which have four arguments. */
intptr_t fetch(uint32_t function, uintptr_t position, uint64_t address, uintptr_t length, uintptr_t serial);
/* Calls one of the hypervisor's own functions. */
uintptr_t call_hyper(enum hyper_call function, uintptr_t argument);

/*
 * Prints the line "ok - WHAT" if @holds is true. Otherwise prints "not ok - WHAT". After a "not ok" line, guest_main()
 * ends the machine with status 1 when all checks are done.
 */
void expect(bool holds, const char *what);
/* Does the same as expect() for the condition @is == @should. If it is false, also prints @is and @should. */
void expect_is(intptr_t is, intptr_t should, const char *what);

/* The pulled profile and its blocks. Block i starts at blocks[begin[i]], and there are no gaps between blocks. */
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

/* Pulls the profile as a .profraw and as a capture. Returns false if a call fails. */
bool pull(void);

/*
 * The last pages of the guest's memory are the arena. One page of the arena is not mapped, and one
 * page is read-only for the guest. Windows are placed in the arena. canaries() fills the writable pages of
 * the arena with one byte value. untouched() checks that all of these bytes still have this value,
 * except for @n bytes at @address.
 */
#define ARENA     236u
#define ARENA_AT  (GUEST_BASE + ARENA * PAGE_SIZE)
#define GUEST_END (GUEST_BASE + GUEST_PAGES * PAGE_SIZE)
void canaries(void);
bool untouched(uint64_t address, uintptr_t n);
/* Returns true if the guest may write @n bytes at @address. */
bool writable(uint64_t address, uintptr_t n);

void try_bounds(void);
void try_resets(void);
void try_random(uint32_t tries);
void try_denied(void);

/*
 * On x86_64 the guest's programs can make hypercalls too, and the hypervisor must deny all of them.
 * enter_program() makes the code after the call run as a program, which cannot be undone. On Arm,
 * the instruction for hypercalls is undefined in programs.
 */
#ifdef __x86_64__
void enter_program(void);
void try_program(void);
#endif

#endif
