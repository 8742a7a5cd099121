/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.c - interrupts a Cortex-M for samples, by SysTick, which the kernel does not need. PRIMASK masks SysTick too. So
 * while samples are taken, the kernel runs without PRIMASK, and its own interrupts are disabled in the interrupt
 * controller instead: cortex_m.c enables them only while it waits.
 */
#include "profile.h"

#include "board.h"
#include "interrupt.h"
#include "sample_wait.h"

#define SYSTICK_CONTROL   (*(volatile uint32_t *)0xe000e010)
#define SYSTICK_RELOAD    (*(volatile uint32_t *)0xe000e014) /* distance to the next interrupt but one, minus 1 */
#define SYSTICK_VALUE     (*(volatile uint32_t *)0xe000e018)
#define SYSTICK_ENABLE    0x5u /* counts the processor's clock */
#define SYSTICK_INTERRUPT 0x2u
#define SYSTICK_MOST      0xffffffu

/* Registers of the interrupt controller. */
#define INTERRUPT_SET      (*(volatile uint32_t *)0xe000e100)
#define INTERRUPT_CLEAR    (*(volatile uint32_t *)0xe000e180)
#define INTERRUPT_PRIORITY ((volatile uint32_t *)0xe000e400) /* one byte for each interrupt */
#define LOWEST_PRIORITY    0xc0u
#define LINES              (1u << INTERRUPT_UART | 1u << INTERRUPT_TIMER)

extern const uint32_t stack_top[];

/* The registers that the processor pushes. */
struct pushed {
	uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

void sample_interrupt(const struct pushed *pushed, uintptr_t frame);

static uint32_t period;
static bool varies;
static volatile bool on;

/* Passes the registers that the processor pushed, and the frame pointer of Thumb code. */
__attribute__((naked)) void sample_entry(void)
{
	__asm__ volatile("mov r0, sp\n\tmov r1, r7\n\tldr r2, =sample_interrupt\n\tbx r2");
}

void sample_interrupt(const struct pushed *pushed, uintptr_t frame)
{
	struct bareprof_interrupted at = {pushed->pc, 0, frame, (uintptr_t)(pushed + 1), (uintptr_t)stack_top};

	SYSTICK_RELOAD = kernel_sample_distance(period, varies) - 1;
	kernel_sample(&at);
}

static void set_priority(unsigned int interrupt)
{
	INTERRUPT_PRIORITY[interrupt / 4] |= LOWEST_PRIORITY << interrupt % 4 * 8;
}

void board_sample_start(uint32_t hz, bool jitter)
{
	varies = jitter;
	period = board_clock / hz;
	if (period > SYSTICK_MOST / 2)
		period = SYSTICK_MOST / 2;
	/* So SysTick can interrupt the handlers of the kernel. */
	set_priority(INTERRUPT_UART);
	set_priority(INTERRUPT_TIMER);
	INTERRUPT_CLEAR = LINES;
	on = true;
	SYSTICK_RELOAD = period - 1;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = SYSTICK_ENABLE | SYSTICK_INTERRUPT;
	__asm__ volatile("cpsie i" : : : "memory");
}

void board_sample_stop(void)
{
	__asm__ volatile("cpsid i" : : : "memory");
	SYSTICK_CONTROL = SYSTICK_ENABLE;
	SYSTICK_RELOAD = SYSTICK_MOST;
	on = false;
	INTERRUPT_SET = LINES;
	/* An interrupt that is still pending comes when interrupts are enabled the next time. */
}

bool sample_wait(void)
{
	if (!on)
		return false;
	/* As in board_wait(), an interrupt that arrives before wfi is not missed. */
	__asm__ volatile("cpsid i" : : : "memory");
	INTERRUPT_SET = LINES;
	__asm__ volatile("wfi\n\tcpsie i\n\tisb\n\tcpsid i" : : : "memory");
	INTERRUPT_CLEAR = LINES;
	__asm__ volatile("dsb\n\tisb\n\tcpsie i" : : : "memory");
	return true;
}
