/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.c - starts and stops the other CPUs with PSCI calls to the firmware. This machine has neither EL2 nor
 * EL3. On such a machine QEMU emulates the firmware, and a program calls it with the instruction hvc.
 */
#include "cpu.h"
#include "cpus.h"

#define PSCI_CPU_OFF    0x84000002u
#define PSCI_CPU_ON     0xc4000003u
#define PSCI_OK         0
#define PSCI_ALREADY_ON (-4)
#define PSCI_ON_PENDING (-5)

/* The virtual address of the code in start.S with which other CPUs start. */
extern const uint8_t start_other[];

static int32_t psci(uintptr_t function, uintptr_t a, uintptr_t b, uintptr_t c)
{
	register uintptr_t x0 __asm__("x0") = function;
	register uintptr_t x1 __asm__("x1") = a;
	register uintptr_t x2 __asm__("x2") = b;
	register uintptr_t x3 __asm__("x3") = c;

	/* The barrier makes earlier writes visible before the other CPU reads them. */
	__asm__ volatile(
		"dsb sy\n\thvc #0"
		: "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
		:
		: "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "memory");
	return (int32_t)x0;
}

unsigned int cpu_id(void)
{
	uintptr_t affinity;

	__asm__ volatile("mrs %0, mpidr_el1" : "=r"(affinity));
	return affinity & (CPUS_MAX - 1);
}

bool cpu_start(unsigned int id)
{
	int32_t status;

	/* A CPU that has finished its work may still be stopping. Until it has stopped, PSCI refuses to start it. */
	do {
		status = psci(PSCI_CPU_ON, id, (uintptr_t)start_other - CPU_DEVICES, 0);
	} while (status == PSCI_ALREADY_ON || status == PSCI_ON_PENDING);
	return status == PSCI_OK;
}

void cpu_stop(void)
{
	for (;;)
		psci(PSCI_CPU_OFF, 0, 0, 0);
}

void cpu_pause(void)
{
	__asm__ volatile("yield" : : : "memory");
}

void cpu_delay(uint32_t microseconds)
{
	uint64_t end = cpu_timer_count() + (uint64_t)microseconds * cpu_timer_frequency() / 1000000;

	while (cpu_timer_count() < end)
		continue;
}
