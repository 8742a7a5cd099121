/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-rom.ld - for images that run from ROM. Constants are in ROM, and counters are in
 * RAM that nothing loads. A script of the image comes before this script and names the two
 * memories. Another script of the image comes after this script and describes the image's
 * sections:
 *
 *	MEMORY { FLASH : ORIGIN = 0, LENGTH = 1M ... }
 *	REGION_ALIAS("BAREPROF_ROM", FLASH)
 *	REGION_ALIAS("BAREPROF_RAM", RAM)
 *
 *	ld -T memory.ld -T bareprof-rom.ld -T sections.ld ...
 *
 * The constants follow .text. If a script has no section .text, change the name in the
 * line INSERT AFTER. If the script computes the load address of .data from the size of
 * .text, the link fails, because the constants and .data overlap. In this case make
 * BAREPROF_ROM a memory of its own, which has addresses that no other memory has.
 *
 * The counters come before .bss, because the heap often begins at the end of .bss. The
 * sections that only tools read come before all other sections. (A script may reserve a
 * stack after .bss by moving the dot. If a section that is not loaded came between .bss and
 * this stack, lld would not load the stack either.)
 */
#include "bareprof.lds.h"

SECTIONS
{
#ifdef BAREPROF_RECORDS_IN_RAM
	BAREPROF_NAMES(> BAREPROF_ROM)
#else
	BAREPROF_RECORDS(> BAREPROF_ROM)
#endif
	BAREPROF_NOTE(> BAREPROF_ROM)
}
INSERT AFTER .text;

SECTIONS
{
#ifdef BAREPROF_RECORDS_IN_RAM
	BAREPROF_RECORDS_COPIED(> BAREPROF_RAM AT> BAREPROF_ROM)
#endif
	BAREPROF_COUNTERS((NOLOAD), > BAREPROF_RAM AT> BAREPROF_RAM)
	BAREPROF_VALUES((NOLOAD), > BAREPROF_RAM AT> BAREPROF_RAM)
	BAREPROF_VALID(> BAREPROF_RAM AT> BAREPROF_RAM)
}
INSERT BEFORE .bss;

SECTIONS
{
	BAREPROF_COVERAGE
}
