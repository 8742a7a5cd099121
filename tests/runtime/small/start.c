/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - from reset to the firmware. RAM that no section of the program needs
 * cleared gets what it may hold after power-on: anything.
 */
#include "board.h"
#include "interrupt.h"

extern const uint32_t data_image[];
extern uint32_t data_start[], data_end[], bss_start[], bss_end[], stack_top[];

_Noreturn void reset(void);
_Noreturn void firmware(void);

static const struct {
	const void *stack;
	void (*exception[15])(void);
} vectors __attribute__((section(".vectors"), used)) = {
	.stack = stack_top,
	.exception = {reset, fault_entry, fault_entry, fault_entry, fault_entry, fault_entry},
};

void reset(void)
{
	const uint32_t *from = data_image;
	volatile uint32_t *to;

	for (to = data_start; to < data_end; to++)
		*to = *from++;
	for (to = bss_start; to < bss_end; to++)
		*to = 0;
	/* The counters are there, and the stack from its other end. */
	for (; to < stack_top - 256; to++)
		*to = 0xdeadbeef;
	board_console();
	firmware();
}
