/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-rom.ld - for parts that run from ROM: constants are in ROM, counters in RAM
 * that nothing loads. One script of the image comes before this one and names the two
 * memories; another comes after it and describes the image's sections:
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
