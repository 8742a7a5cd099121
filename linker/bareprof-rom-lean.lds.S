/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-rom-lean.ld - as bareprof-rom.ld, with its MEMORY and aliases, but
 * records, names and vtables stay in the ELF file: neither ROM nor a flash image
 * has them. Take it where the ELF file of each build is kept and has a build id
 * (--build-id, or stamp.c and `bareprof stamp`), for the host program needs it
 * to make a profile of the counters. Objects with value profiling do not link:
 * -mllvm -disable-vp=true.
 *
 *	ld -T memory.ld -T bareprof-rom-lean.ld -T sections.ld ...
 */
#define BAREPROF_LEAN
#include "bareprof-rom.lds.S"

SECTIONS
{
	BAREPROF_NO_CONSTRUCTORS
}
