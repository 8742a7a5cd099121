/* SPDX-License-Identifier: BSD-2-Clause */
/* aarch64.c - on QEMU's virt machine, lets a CPU other than the first take the interrupts of its own timer. */
#include "cpu.h"
#include "gicv2.h"
#include "stress.h"

/* The GIC is at the same address as in qemu/virt/board.c. At this address, each CPU sees its own registers. */
#define GIC_DISTRIBUTOR (CPU_DEVICES + 0x08000000u)
#define GIC_CPU         (CPU_DEVICES + 0x08010000u)

void stress_interrupts(void)
{
	gicv2_init(GIC_DISTRIBUTOR, GIC_CPU);
	gicv2_enable(GIC_DISTRIBUTOR, GICV2_PRIVATE(11));
	__asm__ volatile("msr daifclr, #2" : : : "memory");
}

uint64_t stress_time(void)
{
	return cpu_timer_count() * 1000000 / cpu_timer_frequency();
}
