/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - x86_64 with AMD's virtualization (SVM): constants for the hypervisor and the guest.
 */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

#define CPU_NAME       "x86_64, SVM"
#define CPU_CONSOLE    0xb8000u /* for tests, a device that the guest must not reach: the memory of the screen */
#define CPU_HYPERVISOR 0x00100000u

/*
 * The order of the guest's registers in memory: first the registers of a hypercall, in the order of
 * the call, then rbx, rcx, rbp, r9, r11 to r15. The guest's stack pointer is in the control block.
 */
#define CPU_REGISTERS 15u

#endif
