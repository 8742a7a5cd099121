/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-lean.ld - as bareprof.ld, but records, names and vtables stay in the
 * ELF file: only counters and bitmaps are loaded. Take it where the ELF file of
 * each build is kept and has a build id (--build-id, or stamp.c and `bareprof
 * stamp`), for the host program needs it to make a profile of the counters.
 * Objects with value profiling do not link: -mllvm -disable-vp=true.
 *
 *	ld -T bareprof-lean.ld -T kernel.ld ...
 */
#define BAREPROF_LEAN
#include "bareprof.lds.S"

SECTIONS
{
	BAREPROF_NO_CONSTRUCTORS
}
