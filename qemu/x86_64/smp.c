/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.c - the other CPUs of a PC, as QEMU has it: how many, and how they start.
 */
#include "port.h"
#include "apic.h"
#include "board.h"
#include "cpus.h"
#include "interrupt.h"
#include "smp.h"

/* QEMU tells guests about themselves by two ports: a number goes out, bytes come in. */
#define CONFIG_SELECT 0x510
#define CONFIG_DATA   0x511
#define CONFIG_CPUS   5 /* two bytes, the lower first */

/* In start.S: real-mode code that runs wherever SMP_TRAMPOLINE says. */
extern const uint8_t trampoline[], trampoline_end[];
_Noreturn void smp_enter(unsigned int id);

/* Where there are no such ports all ones are read: wait as long as is allowed. */
static unsigned int cpus_of_machine(void)
{
	unsigned int low;

	port_write_word(CONFIG_SELECT, CONFIG_CPUS);
	low = port_read(CONFIG_DATA);
	return low | (unsigned int)port_read(CONFIG_DATA) << 8;
}

void smp_init(void)
{
	volatile uint8_t *to = (volatile uint8_t *)SMP_TRAMPOLINE;
	const uint8_t *from;

	for (from = trampoline; from < trampoline_end; from++)
		*to++ = *from;
	cpus_init(cpus_of_machine());
}

/* From start.S. */
void smp_enter(unsigned int id)
{
	interrupt_cpu(id);
	cpus_enter(id);
}

unsigned int cpu_id(void)
{
	return apic_id();
}

bool cpu_start(unsigned int id)
{
	/* Whether there is one, nobody answers but the CPU itself. */
	apic_start_cpu(id, SMP_TRAMPOLINE);
	return true;
}

void cpu_stop(void)
{
	for (;;)
		__asm__ volatile("cli; hlt");
}

void cpu_pause(void)
{
	__asm__ volatile("pause" : : : "memory");
}

void cpu_delay(uint32_t microseconds)
{
	apic_delay(microseconds);
}
