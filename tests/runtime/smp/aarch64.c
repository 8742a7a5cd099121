/* SPDX-License-Identifier: BSD-2-Clause */
/* aarch64.c - lets another CPU of QEMU's machine take the interrupts of its own timer. */
#include "cpu.h"
#include "gicv2.h"
#include "stress.h"

/* As in qemu/virt/board.c. Each CPU sees its own registers at this address. */
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
