/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - what a board gives to the demo kernel. Each folder beside this file
 * that is named after a board implements it; nothing in those folders is
 * instrumented, so that sending a profile does not change it.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Name of the board, as the folder is called. */
extern const char board_name[];

/* Prepare console and timer; interrupts stay off until board_wait(). */
void board_init(void);

/* Console: send one byte; receive one, or -1 if none has come. */
void board_putc(char c);
int board_getc(void);

/*
 * A channel for binary data that is apart from the console (debugcon, a file
 * by semihosting). Returns 0, or -1 if there is none.
 */
int board_write(const void *data, size_t n);

/*
 * One-shot timer: after @microseconds the board calls kernel_tick() once, in
 * interrupt context.
 */
void board_timer(uint32_t microseconds);
void kernel_tick(void);

/* Mask interrupts, and put them back as they were. */
uintptr_t board_irq_save(void);
void board_irq_restore(uintptr_t state);

/* Sleep until an interrupt or a console byte, with interrupts on meanwhile. */
void board_wait(void);

/*
 * CPUs have numbers from 0, which is the one that booted and runs the kernel.
 * board_cpus() says how many there are, once board_init() is done, and
 * board_cpu() which of them asks.
 */
#define BOARD_CPUS_MAX 8u
unsigned int board_cpus(void);
unsigned int board_cpu(void);

/*
 * Have @cpu call function(argument), on a stack of its own, with interrupts
 * masked. Comes back at once, unless @cpu is 0: then that calls it itself. Only
 * CPU 0 may ask, and only after board_cpu_wait(), which comes back when the call
 * before is over and all it wrote can be seen.
 */
void board_cpu_run(unsigned int cpu, void (*function)(void *argument), void *argument);
void board_cpu_wait(unsigned int cpu);

/* One CPU at a time is between these two. */
void board_lock(void);
void board_unlock(void);

/* A number that differs from boot to boot and from call to call. */
uint64_t board_nonce(void);

/* End the machine; 0 is success. Does not return. */
_Noreturn void board_exit(int status);

/* Run the objects' constructors; the start-up code does so (constructors.c). */
void board_constructors(void);

/*
 * The start-up code calls kernel_main() on a stack of at least 8 KiB, with
 * .data copied, .bss cleared and, where counters are NOLOAD, bareprof_start()
 * done. A fault prints its registers on the console and exits with status 3.
 */
_Noreturn void kernel_main(void);

/* The kernel as bareprof sees it: what the start-up code gives bareprof_start(). */
struct bareprof_image;
extern struct bareprof_image kernel_image;

#endif
