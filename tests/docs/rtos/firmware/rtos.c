/* SPDX-License-Identifier: BSD-2-Clause */
/* rtos.c - switches between the threads. switch_handler in entry.S calls rtos_next() with the lowest priority. */
#include "board.h"
#include "idle.h"
#include "interrupt.h"
#include "rtos.h"

#define INTERRUPT_STATE (*(volatile uint32_t *)0xe000ed04)
#define SET_SWITCH      (1u << 28)
#define PRIORITY_SWITCH (*(volatile uint8_t *)0xe000ed22)
#define TICK            ((volatile uint32_t *)0xe000e010)
#define TICK_CYCLES     2500u /* 100 microseconds */

uint32_t *rtos_next(uint32_t *stack);
void rtos_tick(void);
void rtos_timer(void);

static uint32_t *saved[RTOS_THREADS];
static enum rtos_number current = RTOS_IDLE;
static volatile int kernel_ready = 1;
static volatile int locked;

void rtos_thread(enum rtos_number number, void (*function)(void), uint32_t *stack, uint32_t words)
{
	uint32_t *frame = stack + words - 17;

	frame[8] = 0xfffffffd; /* return to thread mode, with the process stack */
	frame[15] = (uint32_t)(uintptr_t)function & ~1u;
	frame[16] = 1u << 24; /* Thumb */
	saved[number] = frame;
}

uint32_t *rtos_next(uint32_t *stack)
{
	saved[current] = stack;
	if (kernel_ready)
		current = RTOS_KERNEL;
	else
		current = current == RTOS_WORKER ? RTOS_IDLE : RTOS_WORKER;
	return saved[current];
}

void rtos_yield(void)
{
	INTERRUPT_STATE = SET_SWITCH;
	__asm__ volatile("dsb\n\tisb" : : : "memory");
}

/* The next two functions are the handlers of interrupts. */
void rtos_tick(void)
{
	INTERRUPT_STATE = SET_SWITCH;
}

void rtos_timer(void)
{
	timer_interrupt();
	kernel_ready = 1;
	INTERRUPT_STATE = SET_SWITCH;
}

void rtos_run(void)
{
	PRIORITY_SWITCH = 0xff;
	TICK[1] = TICK_CYCLES - 1;
	TICK[2] = 0;
	TICK[0] = 7;
	__asm__ volatile("cpsie i" : : : "memory");
	rtos_yield();
}

/* Only the kernel thread calls this function. It returns after an interrupt of the timer, or after rtos_unlock(). */
static void wait(void)
{
	kernel_ready = 0;
	INTERRUPT_STATE = SET_SWITCH;
	__asm__ volatile("cpsie i\n\tisb\n\tcpsid i" : : : "memory");
}

void idle_until(const volatile int *flag)
{
	while (!*flag)
		wait();
}

void rtos_lock(void)
{
	while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) {
		if (current == RTOS_KERNEL)
			wait();
		else
			rtos_yield();
	}
}

void rtos_unlock(void)
{
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
	kernel_ready = 1;
	rtos_yield();
}
