/* SPDX-License-Identifier: BSD-2-Clause */
/* x86_64.c - lets a CPU of the PC other than the first take the interrupts of its local APIC. */
#include "stress.h"
#include "x86_64/apic.h"

void stress_interrupts(void)
{
	apic_init();
	__asm__ volatile("sti" : : : "memory");
}

uint64_t stress_time(void)
{
	uint32_t low;
	uint32_t high;

	/* In QEMU, the time stamp counter counts nanoseconds. */
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return ((uint64_t)high << 32 | low) / 1000;
}
