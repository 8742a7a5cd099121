/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - the generic timer and sleep of Armv7-A, for qemu/virt/board.c.
 */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

/* The virtual address of physical address 0. It is 0, because this board does not translate addresses. */
#define CPU_DEVICES 0u

static inline uint32_t cpu_timer_frequency(void)
{
	uint32_t frequency;

	__asm__("mrc p15, 0, %0, c14, c0, 0" : "=r"(frequency));
	return frequency;
}

static inline uint64_t cpu_timer_count(void)
{
	uint64_t count;

	__asm__ volatile("isb\n\tmrrc p15, 1, %Q0, %R0, c14" : "=r"(count) : : "memory");
	return count;
}

/* Makes the timer raise its interrupt at the count @when. The interrupt stays raised until the timer is stopped. */
static inline void cpu_timer_arm(uint64_t when)
{
	__asm__ volatile("mcrr p15, 3, %Q0, %R0, c14\n\tmcr p15, 0, %1, c14, c3, 1\n\tisb"
			 :
			 : "r"(when), "r"(1)
			 : "memory");
}

static inline void cpu_timer_stop(void)
{
	__asm__ volatile("mcr p15, 0, %0, c14, c3, 1\n\tisb" : : "r"(0) : "memory");
}

/*
 * The physical timer, which is for samples only. It raises its interrupt after @ticks, and the interrupt stays raised
 * until the timer is armed again or stopped. Each CPU has its own.
 */
static inline void cpu_sample_arm(uint32_t ticks)
{
	__asm__ volatile("mcr p15, 0, %0, c14, c2, 0\n\tmcr p15, 0, %1, c14, c2, 1\n\tisb"
			 :
			 : "r"(ticks), "r"(1)
			 : "memory");
}

static inline void cpu_sample_stop(void)
{
	__asm__ volatile("mcr p15, 0, %0, c14, c2, 1\n\tisb" : : "r"(0) : "memory");
}

/* Lets the calling CPU get FIQs. */
static inline void cpu_unmask_fiq(void)
{
	__asm__ volatile("cpsie f" : : : "memory");
}

static inline void cpu_sleep(void)
{
	__asm__ volatile("wfi" : : : "memory");
}

#endif
