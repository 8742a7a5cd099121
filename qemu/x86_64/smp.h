/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.h - starts the other CPUs of a PC.
 */
#ifndef SMP_H
#define SMP_H

/*
 * The address at which the other CPUs begin. It can be any page of RAM below 1 MiB, because at
 * first the CPUs can address only this memory. After the BIOS has finished, no other code uses this
 * page.
 */
#define SMP_TRAMPOLINE 0x8000

#ifndef __ASSEMBLER__
/* Finds the other CPUs. Call it after apic_init(). */
void smp_init(void);
#endif

#endif
