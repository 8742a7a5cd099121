/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.c - a PC as QEMU emulates it, with serial console, debug ports and APIC timer.
 */
#include "debugcon.h"
#include "port.h"
#include "uart16550.h"
#include "apic.h"
#include "board.h"
#include "interrupt.h"
#include "smp.h"

#define RTC_INDEX   0x70
#define RTC_DATA    0x71
#define RTC_SECONDS 0
#define RTC_MINUTES 2
#define RTC_HOURS   4
#define RTC_DAY     7

#define FLAG_INTERRUPTS 0x200

const char board_name[] = "x86_64";

_Noreturn void board_start(void);

void board_start(void)
{
	uart16550_init(UART16550_COM1);
	interrupt_init();
	interrupt_cpu(apic_id());
	board_constructors();
	kernel_main();
}

void board_init(void)
{
	apic_init();
	smp_init();
}

void board_putc(char c)
{
	uart16550_put(UART16550_COM1, (uint8_t)c);
}

int board_getc(void)
{
	return uart16550_get(UART16550_COM1);
}

int board_write(const void *data, size_t n)
{
	return debugcon_write(data, n);
}

void board_timer(uint32_t microseconds)
{
	apic_timer(microseconds);
}

uintptr_t board_irq_save(void)
{
	uintptr_t flags;

	__asm__ volatile("pushfq; popq %0; cli" : "=r"(flags) : : "memory");
	return flags;
}

void board_irq_restore(uintptr_t state)
{
	if (state & FLAG_INTERRUPTS)
		__asm__ volatile("sti" : : : "memory");
}

void board_wait(void)
{
	/* sti takes effect after the next instruction, so no interrupt is missed before hlt. */
	__asm__ volatile("sti; hlt; cli" : : : "memory");
}

static uint64_t rtc(uint8_t index)
{
	port_write(RTC_INDEX, index);
	return port_read(RTC_DATA);
}

uint64_t board_nonce(void)
{
	uint32_t low, high;
	uint64_t time = rtc(RTC_DAY) << 24 | rtc(RTC_HOURS) << 16 | rtc(RTC_MINUTES) << 8 | rtc(RTC_SECONDS);

	/*
	 * The time stamp counter counts nanoseconds since the machine started. Two boots may read the
	 * same value, so the time of day is added.
	 */
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (time << 32) ^ ((uint64_t)high << 32 | low);
}

void board_exit(int status)
{
	debug_exit((uint8_t)status);
	for (;;)
		__asm__ volatile("cli; hlt");
}
