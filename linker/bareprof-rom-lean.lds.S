/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-rom-lean.ld - like bareprof-rom.ld, with the same MEMORY and aliases. But
 * records, names and vtables stay in the ELF file, and take no space in ROM or in a flash
 * image. The host program needs the ELF file to make a profile from the counters. So use
 * this script only if you keep the ELF file of each build. The ELF file must also have a
 * build id (--build-id, or stamp.c and `bareprof stamp`). Objects with value profiling do
 * not link with this script. Compile them with -mllvm -disable-vp=true.
 *
 *	ld -T memory.ld -T bareprof-rom-lean.ld -T sections.ld ...
 */
#define BAREPROF_LEAN
#include "bareprof-rom.lds.S"

SECTIONS
{
	BAREPROF_NO_CONSTRUCTORS
}
