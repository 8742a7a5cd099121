/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * apic.h - the interrupt controllers: timer, end of interrupt and other CPUs by
 * the local one, the serial line by the other.
 */
#ifndef APIC_H
#define APIC_H

#include <stdint.h>

void apic_init(void);
void apic_end_of_interrupt(void);

/* Which CPU this is. */
unsigned int apic_id(void);

/*
 * Have that CPU, if it exists, begin in real mode at @address, which is the
 * start of a page below 1 MiB. Whatever it was doing ends.
 */
void apic_start_cpu(unsigned int id, uint32_t address);

/* Wait, with the timer; not while apic_timer() runs. */
void apic_delay(uint32_t microseconds);

/* One interrupt after @microseconds; at most 68 seconds. */
void apic_timer(uint32_t microseconds);

#endif
