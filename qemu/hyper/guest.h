/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.h - the guest. guest.c tests the hypervisor, guest_client.c pulls the profile and tests the client, and
 * guest.S makes the hypercalls. The guest also contains the hostile guest (runtime/hostile_*.c), which makes calls at
 * the limits of the interface.
 */
#ifndef GUEST_H
#define GUEST_H

#include <bareprof/hostile_guest.h>

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
 * Makes one of bareprof's hypercalls with call_registers(). If the call changes registers that it must
 * not change, the guest fails.
 */
void guest_call(void *context, uintptr_t reg[6]);
/* Calls one of the hypervisor's own functions. */
uintptr_t call_hyper(enum hyper_call function, uintptr_t argument);

/*
 * The state of the hostile guest. It also counts all failed cases of this guest. After a "not ok" line, guest_main()
 * ends the machine with status 1 when all checks are done.
 */
extern struct bareprof_hostile hostile;
void expect(bool holds, const char *what);

/*
 * The guest's memory from this page on belongs to the hostile guest. One page of its arena is not mapped, and one page
 * is read-only for the guest.
 */
#define HOSTILE_PAGE 64u
#define HOSTILE_AT   (GUEST_BASE + HOSTILE_PAGE * PAGE_SIZE)
#define GUEST_END    (GUEST_BASE + GUEST_PAGES * PAGE_SIZE)

/* Pulls the profile and prints it. */
void client_pull(void);
/*
 * Tests the functions of hypercall_client.h that the other cases do not call. Also tests how the client handles wrong
 * answers of a hypervisor.
 */
void client_try(void);

/*
 * On x86_64 the guest's programs can make hypercalls too, and the hypervisor must deny all of them.
 * enter_program() makes the code after the call run as a program, which cannot be undone. On Arm,
 * the instruction for hypercalls is undefined in programs.
 */
#ifdef __x86_64__
void enter_program(void);
#endif

#endif
