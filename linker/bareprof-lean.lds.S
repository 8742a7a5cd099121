/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-lean.ld - like bareprof.ld, but records, names and vtables stay in the
 * ELF file; only counters and bitmaps are loaded. The host program needs the ELF
 * file to make a profile from the counters. So use this script if you keep the ELF
 * file of each build and it has a build id (--build-id, or stamp.c and `bareprof
 * stamp`). Objects with value profiling do not link; compile them with -mllvm
 * -disable-vp=true.
 *
 *	ld -T bareprof-lean.ld -T kernel.ld ...
 */
#define BAREPROF_LEAN
#include "bareprof.lds.S"

SECTIONS
{
	BAREPROF_NO_CONSTRUCTORS
}
