/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.h - the other CPUs of a PC.
 */
#ifndef SMP_H
#define SMP_H

/*
 * Where the other CPUs begin: any page of RAM below 1 MiB, as that is all they
 * see at first. Nothing is there but what the BIOS has done with.
 */
#define SMP_TRAMPOLINE 0x8000

#ifndef __ASSEMBLER__
/* Find them; after apic_init(). */
void smp_init(void);
#endif

#endif
