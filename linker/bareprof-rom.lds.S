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
INSERT AFTER .rodata;

SECTIONS
{
#ifdef BAREPROF_RECORDS_IN_RAM
	BAREPROF_RECORDS_COPIED(> BAREPROF_RAM AT> BAREPROF_ROM)
#endif
	BAREPROF_COUNTERS((NOLOAD), > BAREPROF_RAM AT> BAREPROF_RAM)
	BAREPROF_VALUES((NOLOAD), > BAREPROF_RAM AT> BAREPROF_RAM)
	BAREPROF_VALID(> BAREPROF_RAM AT> BAREPROF_RAM)
	BAREPROF_COVERAGE
}
INSERT AFTER .bss;
