/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages.h - what tables.c writes for x86_64: nested tables are those of the processor
 * itself, with the guest as a user.
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
#define PAGES_SEEN    0x060u /* accessed and written to: said before, so that the processor need not write it here */
#define PAGES_NOTHING 0x200u /* a bit for software: what is written there is lost */

#define PAGES_CONSTANT (PAGES_PRESENT | PAGES_USER | PAGES_SEEN)
#define PAGES_MEMORY   (PAGES_CONSTANT | PAGES_WRITE)
#define PAGES_TABLE    PAGES_MEMORY
#define PAGES_LOST     (PAGES_MEMORY | PAGES_NOTHING)
/* All that makes a difference. */
#define PAGES_KIND 0xfffu

#endif
