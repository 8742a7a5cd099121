/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - the generic timer and sleep of AArch64, for qemu/virt/board.c.
 */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

/* The virtual address to which start.S maps physical address 0. */
#define CPU_DEVICES 0xffffff8000000000u

static inline uint32_t cpu_timer_frequency(void)
{
	uint64_t frequency;

	__asm__("mrs %0, cntfrq_el0" : "=r"(frequency));
	return (uint32_t)frequency;
}

static inline uint64_t cpu_timer_count(void)
{
	uint64_t count;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
}

/* Makes the timer raise its interrupt at the count @when. The interrupt stays raised until the timer is stopped. */
static inline void cpu_timer_arm(uint64_t when)
{
	__asm__ volatile("msr cntv_cval_el0, %0\n\tmsr cntv_ctl_el0, %1\n\tisb" : : "r"(when), "r"(1ul) : "memory");
}

static inline void cpu_timer_stop(void)
{
	__asm__ volatile("msr cntv_ctl_el0, xzr\n\tisb" : : : "memory");
}

/*
 * The physical timer, which is for samples only. It raises its interrupt after @ticks, and the interrupt stays raised
 * until the timer is armed again or stopped. Each CPU has its own.
 */
static inline void cpu_sample_arm(uint32_t ticks)
{
	__asm__ volatile("msr cntp_tval_el0, %0\n\tmsr cntp_ctl_el0, %1\n\tisb"
			 :
			 : "r"((uint64_t)ticks), "r"(1ul)
			 : "memory");
}

static inline void cpu_sample_stop(void)
{
	__asm__ volatile("msr cntp_ctl_el0, xzr\n\tisb" : : : "memory");
}

/* Lets the calling CPU get FIQs. */
static inline void cpu_unmask_fiq(void)
{
	__asm__ volatile("msr daifclr, #1" : : : "memory");
}

static inline void cpu_sleep(void)
{
	__asm__ volatile("wfi" : : : "memory");
}

#endif
