/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cortex_m.c - the part of board.h that is alike on every Cortex-M: masking and
 * waiting, and by semihosting files of the host and the end.
 */
#include "board.h"
#include "interrupt.h"
#include "semihosting.h"

#define INTERRUPT_SET (*(volatile uint32_t *)0xe000e100) /* enable, one bit each */
#define COMMAND_MAX   256

static intptr_t channel = -1;

/* The channel goes to the file that the command line names after the program. */
static intptr_t open_channel(void)
{
	static char command[COMMAND_MAX];
	char *name = command;
	char *end;

	if (semihosting_command_line(command, sizeof(command)) != 0)
		return -1;
	while (*name != '\0' && *name != ' ')
		name++;
	while (*name == ' ')
		name++;
	for (end = name; *end != '\0' && *end != ' '; end++)
		continue;
	*end = '\0';
	return end == name ? -1 : semihosting_create(name);
}

void board_init(void)
{
	board_devices();
	INTERRUPT_SET = 1u << INTERRUPT_UART | 1u << INTERRUPT_TIMER;
	channel = open_channel();
}

int board_write(const void *data, size_t n)
{
	return channel < 0 ? -1 : semihosting_write(channel, data, n);
}

uintptr_t board_irq_save(void)
{
	uintptr_t masked;

	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(masked) : : "memory");
	return masked;
}

void board_irq_restore(uintptr_t state)
{
	if (!(state & 1))
		__asm__ volatile("cpsie i" : : : "memory");
}

void board_wait(void)
{
	/* A pending interrupt ends wfi even while masked: nothing slips in between. */
	__asm__ volatile("wfi\n\tcpsie i\n\tisb\n\tcpsid i" : : : "memory");
}

uint64_t board_nonce(void)
{
	uint32_t time = (uint32_t)semihosting_call(SEMIHOSTING_TIME, NULL);

	return (uint64_t)time << 32 | board_ticks();
}

void board_exit(int status)
{
	semihosting_exit(status);
	for (;;)
		__asm__ volatile("cpsid i\n\twfi");
}
