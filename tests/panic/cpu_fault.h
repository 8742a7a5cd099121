/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_fault.h - ways in which a CPU can fail, and the functions of the kernel that panic.c takes the place of.
 */
#ifndef CPU_FAULT_H
#define CPU_FAULT_H

#include <stddef.h>
#include <stdint.h>

/* Jumps to an address where there is no code. */
void cpu_fault(void);
/* The same, but a fault in the handler of this fault can also be handled. */
void cpu_fault_twice(void);
/* The same, but no handler can run, so that the machine is reset. Only on x86_64. */
void cpu_fault_thrice(void);
/* Calls itself until the stack, below which no memory can be accessed, is full. */
void cpu_overflow(void);

#ifdef IN_PLACE
#elif defined(__x86_64__)
#define KEPT_AT 0xffffffff83000000
#elif defined(__aarch64__)
#define KEPT_AT 0xffffff8043000000
#endif

struct bareprof_image;
int __wrap_bareprof_start(struct bareprof_image *image);
uint64_t __wrap_send_nonce(void);
void __wrap_board_constructors(void);
void __real_board_constructors(void);
void __wrap_cov_init(void);
void __real_cov_init(void);
int __wrap_bareprof_encode_text(const void *data, size_t n, bareprof_sink sink, void *context);
int __real_bareprof_encode_text(const void *data, size_t n, bareprof_sink sink, void *context);
void __wrap_report_register(const char *name, uintptr_t value);
void __real_report_register(const char *name, uintptr_t value);
_Noreturn void __wrap_crash_panic(const char *why);
_Noreturn void __wrap_board_exit(int status);
_Noreturn void __real_board_exit(int status);

#endif
