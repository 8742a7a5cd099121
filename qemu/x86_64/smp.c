/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.c - counts and starts the other CPUs of a PC, as QEMU emulates it.
 */
#include "port.h"
#include "apic.h"
#include "board.h"
#include "cpus.h"
#include "interrupt.h"
#include "smp.h"

/* QEMU describes the machine through two ports: the guest writes the number of an item, and reads its bytes. */
#define CONFIG_SELECT 0x510
#define CONFIG_DATA   0x511
#define CONFIG_CPUS   5 /* the item with the number of CPUs: two bytes, the lower byte first */

/* Code for real mode, in start.S. It is copied to SMP_TRAMPOLINE and runs there. */
extern const uint8_t trampoline[], trampoline_end[];
_Noreturn void smp_enter(unsigned int id);

/*
 * Returns the machine's number of CPUs. If the machine does not have QEMU's two ports, returns 65535.
 * cpus_init() then waits for its maximum time.
 */
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

/* Prepares this CPU and enters cpus.c. start.S calls this function. */
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
	/* The result is always true, because only the arrival of a CPU shows whether the CPU exists. */
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
