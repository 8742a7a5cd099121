/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * apic.h - the interrupt controllers. The local APIC has the timer, ends interrupts and
 * starts other CPUs; the I/O APIC delivers the serial port's interrupt.
 */
#ifndef APIC_H
#define APIC_H

#include <stdbool.h>
#include <stdint.h>

void apic_init(void);
void apic_end_of_interrupt(void);

/* Returns the id of the calling CPU. */
unsigned int apic_id(void);

/*
 * Makes CPU @id, if it exists, begin in real mode at @address, which is the start of a page below 1
 * MiB. The CPU stops its previous work.
 */
void apic_start_cpu(unsigned int id, uint32_t address);

/* Waits for @microseconds with the timer. Do not call this function while a timer of apic_timer() runs. */
void apic_delay(uint32_t microseconds);

/*
 * apic_route_nmi() lets the interrupt line of the programmable timer raise an NMI on the CPU that booted, or ends this.
 * apic_send_nmi() raises an NMI on CPU @id. An NMI handler may call it.
 */
void apic_route_nmi(bool on);
void apic_send_nmi(unsigned int id);

/* Raises one interrupt after @microseconds, which may be at most 68 seconds. */
void apic_timer(uint32_t microseconds);

#endif
