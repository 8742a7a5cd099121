/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - what a board provides to the demo kernel. Each board implements it in
 * a folder beside this file, which has the name of the board. Nothing in those folders is
 * instrumented, so that sending a profile does not change it.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* The name of the board, which is also the name of its folder. */
extern const char board_name[];

/* Prepares console and timer. Interrupts stay masked until board_wait(). */
void board_init(void);

/* Console: board_putc() sends one byte; board_getc() returns the next byte, or -1 if none has arrived. */
void board_putc(char c);
int board_getc(void);

/*
 * Writes @n bytes to a channel for binary data that is separate from the console
 * (debugcon, or a file by semihosting). Returns 0, or -1 if there is none.
 */
int board_write(const void *data, size_t n);

/*
 * One-shot timer: after @microseconds the board calls kernel_tick() once, in
 * interrupt context.
 */
void board_timer(uint32_t microseconds);
void kernel_tick(void);

/* board_irq_save() masks interrupts and returns the previous state, which board_irq_restore() restores. */
uintptr_t board_irq_save(void);
void board_irq_restore(uintptr_t state);

/* Sleeps until there is an interrupt or a console byte. Interrupts are enabled meanwhile. */
void board_wait(void);

/*
 * CPUs have numbers. CPU 0 is the one that booted and runs the kernel.
 * board_cpus() returns how many CPUs there are, and is valid after board_init().
 * board_cpu() returns the number of the calling CPU.
 */
#define BOARD_CPUS_MAX 8u
unsigned int board_cpus(void);
unsigned int board_cpu(void);

/*
 * Has @cpu call function(argument), on a stack of its own, with interrupts
 * masked. Returns at once, unless @cpu is 0, which makes the call itself. Only
 * CPU 0 may call this, and only after board_cpu_wait(). That function returns when
 * the previous call on @cpu has finished and all its writes are visible.
 */
void board_cpu_run(unsigned int cpu, void (*function)(void *argument), void *argument);
void board_cpu_wait(unsigned int cpu);

/* Code between these two runs on one CPU at a time. */
void board_lock(void);
void board_unlock(void);

/* Returns a number that differs from boot to boot and from call to call. */
uint64_t board_nonce(void);

/* Ends the machine; @status 0 is success. */
_Noreturn void board_exit(int status);

/* Runs the constructors of all objects; start-up code calls it (constructors.c). */
void board_constructors(void);

/*
 * The start-up code calls kernel_main() on a stack of at least 8 KiB, after it has
 * copied .data, cleared .bss and, where counters are NOLOAD, called bareprof_start().
 * A fault prints its registers on the console and exits with status 3.
 */
_Noreturn void kernel_main(void);

/* The kernel's own image, which the start-up code passes to bareprof_start(). */
struct bareprof_image;
extern struct bareprof_image kernel_image;

#endif
