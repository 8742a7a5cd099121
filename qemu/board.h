/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - the functions that a board provides to the demo kernel. Each board implements them in a folder beside
 * this file. The name of the folder is the name of the board. No code in these folders is instrumented, so that
 * sending a profile does not change the profile.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name of the board, which is also the name of its folder. */
extern const char board_name[];

/* Prepares console and timer. Interrupts stay masked until board_wait(). */
void board_init(void);

/* The console. board_putc() sends one byte. board_getc() returns the next byte, or -1 if no byte has arrived. */
void board_putc(char c);
int board_getc(void);

/*
 * Writes @n bytes to the side channel, which is separate from the console and carries binary data. On x86_64 this
 * channel is debugcon. On Arm it is a file, which is written by semihosting. Returns 0, or -1 if the board has no
 * side channel or the write fails.
 */
int board_write(const void *data, size_t n);

/*
 * Starts a one-shot timer. After @microseconds the board calls kernel_tick() once, in interrupt
 * context.
 */
void board_timer(uint32_t microseconds);
void kernel_tick(void);

/* board_irq_save() masks interrupts and returns the previous state, which board_irq_restore() restores. */
uintptr_t board_irq_save(void);
void board_irq_restore(uintptr_t state);

/* Sleeps until there is an interrupt or a byte from the console. Interrupts are enabled during this time. */
void board_wait(void);

/*
 * CPUs have numbers. CPU 0 is the CPU that booted and that runs the kernel. board_cpus() returns
 * the number of CPUs. Call it only after board_init(). board_cpu() returns the number of the
 * calling CPU.
 */
#define BOARD_CPUS_MAX 8u
unsigned int board_cpus(void);
unsigned int board_cpu(void);

/*
 * board_cpu_run() makes @cpu call function(argument), on a stack of its own, with interrupts
 * masked. If @cpu is 0, board_cpu_run() returns after function() has returned. For any other CPU,
 * board_cpu_run() returns at once. Only CPU 0 may call board_cpu_run(). Before each call, CPU 0
 * must call board_cpu_wait() for the same CPU. board_cpu_wait() returns when the previous function
 * on that CPU has returned, and all writes of the function are visible.
 */
void board_cpu_run(unsigned int cpu, void (*function)(void *argument), void *argument);
void board_cpu_wait(unsigned int cpu);

/* Only one CPU at a time runs code between board_lock() and board_unlock(). */
void board_lock(void);
void board_unlock(void);

/*
 * Samples of the program counter, only in images with SAMPLES (qemu.mk). board_sample_start() starts timers that are
 * separate from board_timer(). On each CPU that runs a function, they interrupt about @hz times in a second, from 20 to
 * 20000, also while board_irq_save() masks other interrupts. The board then calls kernel_sample(). The distance between
 * two interrupts is kernel_sample_distance(period, @jitter). board_sample_stop() stops the timers. CPU 0 calls both.
 */
void board_sample_start(uint32_t hz, bool jitter);
void board_sample_stop(void);
struct bareprof_interrupted;
void kernel_sample(const struct bareprof_interrupted *at);
uint32_t kernel_sample_distance(uint32_t period, bool jitter);

/* Returns a number that differs from boot to boot and from call to call. */
uint64_t board_nonce(void);

/* Ends the machine; @status 0 is success. */
_Noreturn void board_exit(int status);

/* Runs the constructors of all objects (constructors.c). The start-up code calls this function. */
void board_constructors(void);

/*
 * The start-up code calls kernel_main() on a stack of at least 8 KiB, after it has copied .data and cleared .bss. If
 * the counters are in a NOLOAD section, it has also called bareprof_start(). A fault prints the registers on the
 * console and ends the machine with status 3.
 */
_Noreturn void kernel_main(void);

/* The kernel's own image, which the start-up code passes to bareprof_start(). */
struct bareprof_image;
extern struct bareprof_image kernel_image;
/* The kernel's machine profile, if it has one. If its sections are NOLOAD, the start-up code prepares them. */
extern struct bareprof_image mip_image;

#endif
