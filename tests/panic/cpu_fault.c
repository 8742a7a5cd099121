/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_fault.c - makes a CPU fail. A stack overflow needs memory below the stack that cannot be accessed.
 */
#include "profile.h"

#include "cpu_fault.h"

void cpu_fault(void)
{
	void (*volatile nowhere)(void) = (void (*)(void))(UINTPTR_MAX - (UINTPTR_MAX >> 3));

	nowhere();
}

void cpu_fault_thrice(void)
{
#ifdef __x86_64__
	static const unsigned char no_table[10];

	__asm__ volatile("lidt %0" : : "m"(no_table));
	cpu_fault();
#endif
}

static int deeper(volatile int *above)
{
	volatile int here = *above + 1;

	/* The number never becomes so large. */
	return here < 0 ? 0 : deeper(&here) + here;
}

static void fill_stack(void)
{
	volatile int zero = 0;

	deeper(&zero);
}

#define CALL_ON(stack, set) __asm__ volatile(set : : "r"(stack), "r"(fill_stack) : "memory")

#if defined(__x86_64__)

#define VIRTUAL   0xffffffff80000000u
#define ADDRESSES 0xffffffffff000u
#define GUARD     0x1e00000u /* a page of 2 MiB. The stack is above it. */

/* Returns the table to which entry @n of the table at the physical address @table points. */
static volatile uint64_t *next(uint64_t table, unsigned int n)
{
	return (volatile uint64_t *)(VIRTUAL + (((uint64_t *)(VIRTUAL + (table & ADDRESSES)))[n] & ADDRESSES));
}

void cpu_fault_twice(void)
{
	cpu_fault();
}

void cpu_overflow(void)
{
	volatile uint64_t *table;

	__asm__ volatile("mov %%cr3, %0" : "=r"(table));
	table = next((uintptr_t)table, 511);
	table = next((uintptr_t)table - VIRTUAL, 510);
	table[GUARD >> 21] = 0;
	__asm__ volatile("invlpg (%0)" : : "r"(VIRTUAL + GUARD) : "memory");
	CALL_ON(VIRTUAL + GUARD + 0x204000, "mov %0, %%rsp; call *%1");
}

#elif defined(__aarch64__)

#define VIRTUAL     0xffffff8000000000u
#define GIGABYTE(n) ((uint64_t)(n) << 30)

void cpu_fault_twice(void)
{
	cpu_fault();
}

void cpu_overflow(void)
{
	volatile uint64_t *table;

	/* Maps RAM once more, at 3 GiB. Nothing is mapped below. */
	__asm__ volatile("mrs %0, ttbr1_el1" : "=r"(table));
	table = (volatile uint64_t *)(VIRTUAL + (uintptr_t)table);
	table[3] = table[1];
	__asm__ volatile("dsb sy; isb" : : : "memory");
	CALL_ON(VIRTUAL + GIGABYTE(3) + 0x4000, "mov sp, %0; blr %1");
}

#else

#define SYSTEM_HANDLERS (*(volatile uint32_t *)0xe000ed24)
#define MPU_CONTROL     (*(volatile uint32_t *)0xe000ed94)
#define MPU_NUMBER      (*(volatile uint32_t *)0xe000ed98)
#define MPU_ADDRESS     (*(volatile uint32_t *)0xe000ed9c)
#define MPU_SIZE        (*(volatile uint32_t *)0xe000eda0)
#define GUARD           0x20300000u /* 4 KiB. The stack is above it. */

/* Without handlers of their own, all faults have the priority of a hard fault, and a second one locks the CPU up. */
void cpu_fault_twice(void)
{
	SYSTEM_HANDLERS |= 7u << 16;
	__asm__ volatile("cpsie i" : : : "memory");
	cpu_fault();
}

void cpu_overflow(void)
{
	MPU_NUMBER = 0;
	MPU_ADDRESS = GUARD;
	MPU_SIZE = 11 << 1 | 1;
	MPU_CONTROL = 5;
	__asm__ volatile("dsb; isb" : : : "memory");
	CALL_ON(GUARD + 0x2000, "mov sp, %0; blx %1");
}

#endif
