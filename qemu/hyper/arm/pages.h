/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pages.h - what tables.c writes for Arm processors: tables of the second stage of
 * translation, which AArch64 and Armv7-A have alike. Addresses of 32 bits, so the first
 * table is of level 1, with 4 entries.
 */
#ifndef PAGES_H
#define PAGES_H

#define PAGES_SHIFTS                                                                                                   \
	{                                                                                                              \
		30, 21, 12                                                                                             \
	}

#define PAGES_TABLE    0x003u /* and a page of the last level */
#define PAGES_READ     0x440u /* can be read; was accessed, as far as the processor cares */
#define PAGES_WRITE    0x080u
#define PAGES_CACHED   0x33cu /* memory: cached for reads and writes, shared */
#define PAGES_IN_ORDER 0x004u /* a device */

#define PAGES_CONSTANT (PAGES_TABLE | PAGES_READ | PAGES_CACHED)
#define PAGES_MEMORY   (PAGES_CONSTANT | PAGES_WRITE)
#define PAGES_CONSOLE  (PAGES_TABLE | PAGES_READ | PAGES_WRITE | PAGES_IN_ORDER)
/* All that makes a difference. */
#define PAGES_KIND 0xfffu

#endif
