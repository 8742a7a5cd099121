/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages.h - the bits that tables.c writes into second-stage translation tables. These bits
 * are the same on AArch64 and Armv7-A. Addresses have 32 bits, so the first table is a level 1
 * table with 4 entries.
 */
#ifndef PAGES_H
#define PAGES_H

#define PAGES_SHIFTS                                                                                                   \
	{                                                                                                              \
		30, 21, 12                                                                                             \
	}

#define PAGES_TABLE    0x003u /* marks a table, and in a last-level table also a page */
#define PAGES_READ     0x440u /* readable; marked as accessed, so that no access fault occurs */
#define PAGES_WRITE    0x080u
#define PAGES_CACHED   0x33cu /* memory: cached for reads and writes, shared */
#define PAGES_IN_ORDER 0x004u /* device: accesses stay in order */

#define PAGES_CONSTANT (PAGES_TABLE | PAGES_READ | PAGES_CACHED)
#define PAGES_MEMORY   (PAGES_CONSTANT | PAGES_WRITE)
#define PAGES_CONSOLE  (PAGES_TABLE | PAGES_READ | PAGES_WRITE | PAGES_IN_ORDER)
/* The bits in which the kinds of pages differ. */
#define PAGES_KIND 0xfffu

#endif
