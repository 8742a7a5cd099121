/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware.c - the thread and an interrupt call the same function, as fast as they can. After each step, the firmware
 * prints two numbers: the calls of the function, and the calls that its counter shows. At the end, it dumps the counts
 * of the last step.
 */
#include "profile.h"

#include "app.h"
#include "board.h"

#define TICKS 1000u
#define FULL  0xffffffffu /* the next increment carries into the upper half of the counter */

struct bareprof_image kernel_image;

static volatile uint32_t ticks; /* only the interrupt writes to it */
static volatile uint32_t seen_half;
static volatile uint32_t carrying;
static void (*last)(void);

/* Registers of a Cortex-M3. The watchdog of the board MPS2 raises the NMI. */
#define VECTORS          (*(volatile uint32_t *)0xe000ed08)
#define WATCHDOG         ((volatile uint32_t *)0x40008000)
#define WATCHDOG_LOAD    0
#define WATCHDOG_CONTROL 2
#define WATCHDOG_CLEAR   3
#define WATCHDOG_LOCK    (0xc00 / 4)
#define PERIOD           701u

static volatile uint64_t *counter(void)
{
	return (volatile uint64_t *)(uintptr_t)kernel_image.section[BAREPROF_CNTS].start;
}

static void put_string(const char *s)
{
	while (*s)
		board_putc(*s++);
}

static void put_half(uint32_t n)
{
	int shift;

	for (shift = 28; shift >= 0; shift -= 4)
		board_putc("0123456789abcdef"[n >> shift & 15]);
}

static void put_number(uint64_t n)
{
	put_string(" 0x");
	put_half((uint32_t)(n >> 32));
	put_half((uint32_t)n);
}

static void said(const char *name, uint64_t calls, uint64_t counted)
{
	put_string("\r\n");
	put_string(name);
	put_number(calls);
	put_number(counted);
	put_string("\r\n");
}

/* The period varies, so that the interrupt is not in step with the loop. */
static void arm(void)
{
	board_timer(20 + (ticks * 7 & 15));
}

void kernel_tick(void)
{
	/* If the thread has changed only one half of the counter so far, the counter is wrong by 1 << 32 here. */
	if (carrying && *counter() - FULL > TICKS)
		seen_half++;
	turn();
	ticks++;
	if (ticks < TICKS)
		arm();
	else if (last)
		last();
}

static void race(const char *name)
{
	uint32_t n = 0;

	*counter() = 0;
	ticks = 0;
	arm();
	board_irq_restore(0);
	do {
		turn();
		n++;
	} while (ticks < TICKS);
	(void)board_irq_save();
	said(name, (uint64_t)n + ticks, *counter());
}

/*
 * Sets the counter to FULL before each call of turn(). The increment in this call then carries into the upper half,
 * unless the interrupt handler called turn() first.
 */
static void carry(void)
{
	uint32_t n = 0;
	uint64_t sum = 0;

	ticks = 0;
	seen_half = 0;
	carrying = 1;
	*counter() = FULL;
	arm();
	do {
		*counter() = FULL;
		board_irq_restore(0);
		turn();
		(void)board_irq_save();
		n++;
		sum += *counter() - FULL;
	} while (ticks < TICKS);
	carrying = 0;
	said("carry", (uint64_t)n + ticks, sum);
	said("half", 0, seen_half);
}

/* Tests a call while interrupts are masked. They must still be masked after the call. */
static void mask(void)
{
	uintptr_t masked;
	uintptr_t open;

	turn();
	masked = board_irq_save();
	board_irq_restore(0);
	turn();
	open = board_irq_save();
	said("mask", 1, masked != open);
}

#if __ARM_ARCH_PROFILE == 'M'
/* These functions are linked if counters are atomic. Each release of clang calls one of the two. */
extern uint64_t fetch_add(volatile void *object, uint64_t n, int order) __asm__("__atomic_fetch_add_8")
	__attribute__((weak));
extern uint64_t sync_add(volatile void *object, uint64_t n) __asm__("__sync_fetch_and_add_8") __attribute__((weak));

/*
 * Tests an addition in which the lower half carries. It checks the result of the function and the sum that the
 * function stores.
 */
static void result(void)
{
	static volatile uint64_t object;

	if (fetch_add) {
		object = 0x1fffffffe;
		said("was", 0x1fffffffe, fetch_add(&object, 0x200000003, 0));
		said("is", 0x400000001, object);
	}
	if (sync_add) {
		object = 0x1fffffffe;
		said("was", 0x1fffffffe, sync_add(&object, 0x200000003));
		said("is", 0x400000001, object);
	}
}
#else
static void result(void)
{
}
#endif

#if __ARM_ARCH_7M__
/* Makes the thread privileged again. The last interrupt can do this, because interrupts are always privileged. */
static void privileged(void)
{
	__asm__ volatile("msr control, %0\n\tisb" : : "r"(0) : "memory");
}

static void unprivileged(void)
{
	uint32_t n = 0;

	*counter() = 0;
	ticks = 0;
	last = privileged;
	arm();
	board_irq_restore(0);
	__asm__ volatile("msr control, %0\n\tisb" : : "r"(1) : "memory");
	do {
		turn();
		n++;
	} while (ticks < TICKS);
	(void)board_irq_save();
	last = NULL;
	said("unprivileged", (uint64_t)n + ticks, *counter());
}

static void nmi(void)
{
	WATCHDOG[WATCHDOG_CLEAR] = 1;
	WATCHDOG[WATCHDOG_LOAD] = PERIOD;
	turn();
	if (++ticks == TICKS)
		WATCHDOG[WATCHDOG_CONTROL] = 0;
}

static void unmasked(void)
{
	static uint32_t vectors[64] __attribute__((aligned(256)));
	const volatile uint32_t *from = (const volatile uint32_t *)(uintptr_t)VECTORS;
	uint32_t n = 0;
	unsigned int i;

	for (i = 0; i < 48; i++)
		vectors[i] = from[i];
	vectors[2] = (uint32_t)(uintptr_t)nmi;
	VECTORS = (uint32_t)(uintptr_t)vectors;
	*counter() = 0;
	ticks = 0;
	WATCHDOG[WATCHDOG_LOCK] = 0x1acce551;
	WATCHDOG[WATCHDOG_LOAD] = PERIOD;
	WATCHDOG[WATCHDOG_CONTROL] = 1;
	do {
		turn();
		n++;
	} while (ticks < TICKS);
	said("nmi", (uint64_t)n + ticks, *counter());
}
#endif

static int put(void *context, const void *data, size_t n)
{
	const char *p = data;

	(void)context;
	while (n--)
		board_putc(*p++);
	return 0;
}

_Noreturn void kernel_main(void)
{
	static struct bareprof_capture capture;
	static uint8_t block[512];
	int error = bareprof_image_self(&kernel_image);

	if (error)
		board_exit(1);
	board_init();
	result();
	mask();
	carry();
#if __ARM_ARCH_7M__
	unprivileged();
	unmasked();
#endif
	race("race");
	error = bareprof_capture_open(&capture, &kernel_image, board_nonce(), block, sizeof(block));
	if (!error)
		error = bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, NULL);
	board_exit(error ? 2 : 0);
}
