/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - interrupts the CPUs of QEMU's `virt` machine for samples. The kernel masks only IRQ, so the interrupts are
 * FIQs. Each CPU has its own physical timer, which nothing else uses. The timer is armed again for each interrupt, so the
 * distances can vary. CPU 0 starts the timers of the other CPUs by a software-generated interrupt.
 */
#include "board.h"
#include "cpu.h"
#include "cpus.h"
#include "gicv2.h"
#include "interrupted.h"
#include "virt.h"

#define INTERRUPT_START 0u /* software-generated */
#define INTERRUPT_TIMER GICV2_PRIVATE(14) /* the interrupt of the physical timer */

static volatile uint32_t period; /* in ticks; 0: no samples */
static volatile bool varies;

static void arm(void)
{
	uint32_t now = period; /* CPU 0 may change it at any moment */

	if (now)
		cpu_sample_arm(kernel_sample_distance(now, varies));
	else
		cpu_sample_stop();
}

void sample_interrupt(uintptr_t pc, uintptr_t frame, uintptr_t stack)
{
	struct bareprof_interrupted at = interrupted(pc, frame, stack);
	uint32_t taken = gicv2_take(VIRT_GIC_CPU);
	uint32_t number = gicv2_number(taken);

	if (number >= GICV2_NONE)
		return;
	if (number == INTERRUPT_TIMER || number == INTERRUPT_START)
		arm();
	if (number == INTERRUPT_TIMER)
		kernel_sample(&at);
	gicv2_end(VIRT_GIC_CPU, taken);
}

void board_sample_start(uint32_t hz, bool jitter)
{
	varies = jitter;
	period = cpu_timer_frequency() / hz;
	arm();
	gicv2_raise(VIRT_GIC_DISTRIBUTOR, INTERRUPT_START);
}

void board_sample_stop(void)
{
	period = 0;
	arm();
	gicv2_raise(VIRT_GIC_DISTRIBUTOR, INTERRUPT_START);
}

void cpu_sample(bool on)
{
	if (!on) {
		cpu_sample_stop();
		return;
	}
	gicv2_split(VIRT_GIC_DISTRIBUTOR, VIRT_GIC_CPU, 1u << INTERRUPT_START | 1u << INTERRUPT_TIMER);
	cpu_unmask_fiq();
	arm();
}
