/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hyper.h - a small hypervisor with one guest, to show how a guest pulls the
 * hypervisor's profile by hypercall (bareprof/hypercall.h). What the guest may
 * know stands first; then how the hypervisor's files hang together.
 */
#ifndef HYPER_H
#define HYPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SIZE 4096u

/*
 * The guest's memory, by the addresses that it has for it, its physical ones. Two of
 * its pages, both behind all that it uses, are for trying things out: one that is not
 * there, and one that it can only read. Elsewhere there is its console, and
 * nothing: what it reads there is 0, and what it writes goes nowhere. (On x86_64 to a page
 * that is kept for that, so that it can read it back.)
 */
#define GUEST_BASE     0x60000000u
#define GUEST_PAGES    256u
#define GUEST_HOLE     240u
#define GUEST_CONSTANT 242u

/* The hypervisor's own hypercalls: 32-bit functions of SMCCC, as bareprof's are. */
enum hyper_call {
	CALL_DUMP = (int)0x86000001, /* what is to be read, on the hypervisor's console */
	CALL_KEEP, /* keep a copy of the hypervisor's memory; how many bytes that are */
	CALL_COMPARE, /* how many bytes of it have changed since */
	CALL_RESET, /* reset the counters, as if from elsewhere */
	CALL_PRIVILEGE, /* from now on this guest is privileged, or with 0 it is not */
	CALL_EXIT, /* end the machine with this status */
};

/* Where the hypervisor begins, on a stack. */
_Noreturn void hyper_main(void);
/* What must not happen. */
_Noreturn void hyper_fault(uintptr_t vector);
/* What else the guest has, and may not, where @table begins its tables. */
void cpu_start(const uint64_t *table);
/* Leave for the guest, at @pc, with zeros in its registers. */
_Noreturn void cpu_enter(uintptr_t pc);

/* calls.c: a hypercall, of the guest's kernel or of a program of it. */
void hyper_call(uintptr_t *reg, bool kernel);

/*
 * memory.c - where the guest's page @number is: not where its neighbours are. What
 * is around the memory of all of them belongs to nobody.
 */
uint8_t *guest_page(unsigned int number);
/*
 * Copy @n bytes to address @to of the guest, by the tables that the processor has for it:
 * all, or none where it may not write. Returns how many were not copied.
 */
size_t guest_copy(void *guest, uint64_t to, const void *from, size_t n);
/* Fill the guest's memory: its program, and zeros. */
void guest_load(void);

/*
 * tables.c: the guest's tables. tables_map() maps a page at @address, as one of the kinds that
 * pages.h has, if there is none and room for the tables; tables_writable() says where the memory with
 * @address in it is if the guest may write there, or NULL; tables_start() maps its memory, and says
 * where the tables begin.
 */
const uint64_t *tables_start(void);
bool tables_map(uint64_t address, const void *page, uint32_t kind);
uint8_t *tables_writable(uint64_t address);

/* profile.c: all that the hypervisor has to do with bareprof. Not instrumented, and calls nothing that is. */
void profile_start(void);
void profile_call(uintptr_t *reg, bool privileged);
void profile_dump(void);
void profile_reset(void);

/* sink.c, in both programs: for bareprof_send() and its kin. */
int console_sink(void *context, const void *data, size_t n);

/* keep.c: a copy of the hypervisor's memory. Not instrumented. */
uint32_t keep(void);
uint32_t keep_compare(void);

#endif
