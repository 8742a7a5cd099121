/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - starts the firmware after a reset. C needs only some of the RAM initialised; this code fills the rest
 * with garbage, as if the power had just been switched on.
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
	/* This part of the RAM has the counters at its start, and the stack at its end. */
	for (; to < stack_top - 256; to++)
		*to = 0xdeadbeef;
	board_console();
	firmware();
}
