/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - x86_64 with AMD's virtualisation (SVM), as far as C in both programs has to know.
 */
#ifndef CPU_H
#define CPU_H

#include <stdint.h>

#define CPU_NAME       "x86_64, SVM"
#define CPU_CONSOLE    0xb8000u /* of the machine, by memory; the guest has the serial port */
#define CPU_HYPERVISOR 0x00100000u

/*
 * The guest's registers in memory: those of a hypercall first, in its order, then
 * rbx, rcx, rbp, r9, r11 to r15. Its stack pointer is in the control block.
 */
#define CPU_REGISTERS 15u

#endif
