/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.h - starts the other CPUs of a PC.
 */
#ifndef SMP_H
#define SMP_H

/*
 * Address at which the other CPUs begin: any page of RAM below 1 MiB, because they can
 * address only that at first. Nothing else uses this page once the BIOS is done.
 */
#define SMP_TRAMPOLINE 0x8000

#ifndef __ASSEMBLER__
/* Finds the other CPUs. Call it after apic_init(). */
void smp_init(void);
#endif

#endif
