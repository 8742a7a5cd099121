/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip-rom.ld - for images with machine profiles that run from ROM. The coverage bytes and call
 * entries are in RAM that nothing loads, so call bareprof_mip_start() before instrumented code runs.
 * The scripts of the image name the two memories, as bareprof-rom.ld explains:
 *
 *	REGION_ALIAS("BAREPROF_ROM", FLASH)
 *	REGION_ALIAS("BAREPROF_RAM", RAM)
 *
 *	ld -T memory.ld -T mip-rom.ld -T sections.ld ...
 *
 * If the image also has LLVM's counters, use mip-rom-beside.ld in place of this script, together with
 * bareprof-rom.ld.
 */
#include "mip.lds.h"

#ifndef BAREPROF_BESIDE
SECTIONS
{
	BAREPROF_NOTE(> BAREPROF_ROM)
}
INSERT AFTER .text;
#endif

SECTIONS
{
	BAREPROF_MIP((NOLOAD), > BAREPROF_RAM AT> BAREPROF_RAM)
}
INSERT BEFORE .bss;

SECTIONS
{
	BAREPROF_MIP_MAP
}
