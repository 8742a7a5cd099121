/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - interrupts the CPUs of a PC for samples, by NMIs, because the kernel runs with interrupts disabled. The
 * programmable timer (PIT), which nothing else uses, raises an NMI on CPU 0. The handler of CPU 0 sends an NMI to each
 * other CPU that runs a function. The timer is started again for each interrupt, so the distances can vary.
 */
#include "apic.h"
#include "board.h"
#include "cpus.h"
#include "interrupt.h"
#include "interrupted.h"
#include "port.h"

#define TIMER_COUNT   0x40
#define TIMER_COMMAND 0x43
#define TIMER_ONCE    0x30 /* counter 0, low byte then high byte, mode 0: the output rises when the count is 0 */
#define TIMER_CLOCK   1193182u

static uint32_t period;
static bool varies;
/* Indexed by id: the CPU runs a function, and its interrupt table is loaded. */
static volatile bool runs[CPUS_MAX];

static void arm(void)
{
	uint32_t count = kernel_sample_distance(period, varies);

	if (count > 0xffff)
		count = 0xffff;
	port_write(TIMER_COMMAND, TIMER_ONCE);
	port_write(TIMER_COUNT, (uint8_t)count);
	port_write(TIMER_COUNT, (uint8_t)(count >> 8));
}

void sample_interrupt(const struct frame *frame)
{
	struct bareprof_interrupted at = interrupted(frame->rip, frame->rbp, frame->rsp);
	unsigned int id = apic_id();
	unsigned int other;

	if (id == 0) {
		for (other = 1; other < CPUS_MAX; other++)
			if (runs[other])
				apic_send_nmi(other);
		if (period)
			arm();
	}
	kernel_sample(&at);
}

void board_sample_start(uint32_t hz, bool jitter)
{
	varies = jitter;
	period = TIMER_CLOCK / hz;
	apic_route_nmi(true);
	arm();
}

void board_sample_stop(void)
{
	period = 0;
	apic_route_nmi(false);
}

void cpu_sample(bool on)
{
	runs[cpu_id()] = on;
}
