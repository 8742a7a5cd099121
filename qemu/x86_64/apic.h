/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * apic.h - the interrupt controllers: timer and end of interrupt of the local
 * one, the serial line of the other.
 */
#ifndef APIC_H
#define APIC_H

#include <stdint.h>

void apic_init(void);
void apic_end_of_interrupt(void);

/* One interrupt after @microseconds; at most 68 seconds. */
void apic_timer(uint32_t microseconds);

#endif
