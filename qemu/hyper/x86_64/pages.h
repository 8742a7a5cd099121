/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages.h - the bits that tables.c writes into nested page tables for x86_64. Nested page tables
 * have the format of ordinary page tables. The guest can access only pages with PAGES_USER, because
 * the processor treats each access of the guest as an access from user mode.
 */
#ifndef PAGES_H
#define PAGES_H

#define PAGES_SHIFTS                                                                                                   \
	{                                                                                                              \
		39, 30, 21, 12                                                                                         \
	}

#define PAGES_PRESENT 0x001u
#define PAGES_WRITE   0x002u
#define PAGES_USER    0x004u
#define PAGES_SEEN    0x060u /* accessed and dirty, set in advance so that the processor never writes to the table */
#define PAGES_NOTHING 0x200u /* ignored by the processor; marks addresses at which the guest has no memory */

#define PAGES_CONSTANT (PAGES_PRESENT | PAGES_USER | PAGES_SEEN)
#define PAGES_MEMORY   (PAGES_CONSTANT | PAGES_WRITE)
#define PAGES_TABLE    PAGES_MEMORY
#define PAGES_LOST     (PAGES_MEMORY | PAGES_NOTHING)
/* The bits in which the kinds of pages differ. */
#define PAGES_KIND 0xfffu

#endif
