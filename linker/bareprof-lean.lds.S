/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-lean.ld - like bareprof.ld, except that only counters and bitmaps are loaded.
 * Records, names and vtables stay in the ELF file. The host program needs the ELF file to
 * make a profile from the counters. So use this script only if you keep the ELF file of
 * each build. The ELF file must also have a build id (--build-id, or stamp.c and
 * `bareprof stamp`). Objects with value profiling do not link with this script. Compile
 * them with -mllvm -disable-vp=true.
 *
 *	ld -T bareprof-lean.ld -T kernel.ld ...
 */
#define BAREPROF_LEAN
#include "bareprof.lds.S"

SECTIONS
{
	BAREPROF_NO_CONSTRUCTORS
}
