/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hyper.h - a small hypervisor with one guest. It shows how a guest pulls the hypervisor's profile
 * by hypercall (bareprof/hypercall.h). The guest and the hypervisor use the first part of this header.
 * Only the hypervisor uses the second part.
 */
#ifndef HYPER_H
#define HYPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SIZE 4096u

/*
 * The guest's memory, by guest physical address. Two of its pages are for tests: one is not mapped,
 * and one is read-only. These two pages come after the memory that the guest uses. Besides memory,
 * the guest has only a console. At all other addresses, reads return 0 and writes have no effect.
 * On x86_64 there is an exception: all these addresses are mapped to one page. Reads return 0 only
 * until the guest writes to this page.
 */
#define GUEST_BASE     0x60000000u
#define GUEST_PAGES    256u
#define GUEST_HOLE     244u
#define GUEST_CONSTANT 246u

/* The hypervisor's own hypercalls. Like bareprof's hypercalls, they use the 32-bit calling convention of SMCCC. */
enum hyper_call {
	CALL_DUMP = (int)0x86000001, /* prints the profile on the console; the guest can pull the same profile */
	CALL_KEEP, /* keeps a copy of the hypervisor's memory; returns its size in bytes */
	CALL_COMPARE, /* returns the number of bytes that have changed since CALL_KEEP */
	CALL_RESET, /* resets the counters, as other code of a hypervisor might do */
	CALL_PRIVILEGE, /* makes the guest privileged, or removes its privilege if the argument is 0 */
	CALL_EXIT, /* ends the machine; the argument is the status */
};

/* The first C function of the hypervisor. entry.S calls it after it has set the stack pointer. */
_Noreturn void hyper_main(void);
/* Reports an exception in the hypervisor and ends the machine. */
_Noreturn void hyper_fault(uintptr_t vector);
/* Sets the devices and registers that the guest may access. @table is the first of the guest's tables. */
void cpu_start(const uint64_t *table);
/* Enters the guest at @pc, with zeros in its registers. */
_Noreturn void cpu_enter(uintptr_t pc);

/* calls.c: handles a hypercall of the guest's kernel, or of one of its programs. */
void hyper_call(uintptr_t *reg, bool kernel);

/*
 * memory.c: returns the guest's page @number. Pages that are neighbours for the guest are
 * not neighbours in the hypervisor's memory. The memory before and after the guest's pages
 * is not used.
 */
uint8_t *guest_page(unsigned int number);
/*
 * Copies @n bytes to guest address @to, using the tables that the processor uses for the
 * guest. Copies nothing if the guest may not write all @n bytes. Returns the number of bytes that
 * were not copied.
 */
size_t guest_copy(void *guest, uint64_t to, const void *from, size_t n);
/* Fills the guest's memory with its program and zeros. */
void guest_load(void);

/*
 * tables.c: the guest's tables. tables_start() maps the guest's memory and returns the first
 * table. tables_map() maps @page at @address. @kind is one of the kinds in pages.h. If @address is
 * already mapped, or if there is no memory for tables, tables_map() returns false. tables_writable()
 * returns the page of @address, or NULL if the guest may not write to this page.
 */
const uint64_t *tables_start(void);
bool tables_map(uint64_t address, const void *page, uint32_t kind);
uint8_t *tables_writable(uint64_t address);

/* profile.c: all code of this hypervisor that uses bareprof. It is not instrumented. */
void profile_start(void);
void profile_call(uintptr_t *reg, bool privileged);
void profile_dump(void);
void profile_reset(void);

/* sink.c: the sink for bareprof_send() and similar functions. The hypervisor and the guest both contain this file. */
int console_sink(void *context, const void *data, size_t n);

/* keep.c: keeps a copy of the hypervisor's memory. This file is not instrumented. */
uint32_t keep(void);
uint32_t keep_compare(void);

#endif
