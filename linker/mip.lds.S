/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip.ld - for images with machine profiles that are loaded into memory as a whole, for example
 * kernels. The sections of the machine profile follow .data. Name this script before the image's own
 * script:
 *
 *	ld -T mip.ld -T kernel.ld ...
 *
 * If the image also has LLVM's counters, use mip-beside.ld in place of this script, together with
 * bareprof.ld. If the script reserves a stack or heap after .bss in a section of its own, write the
 * name of the last such section in place of .bss into the last line of this script.
 */
#include "mip.lds.h"

SECTIONS
{
#ifndef BAREPROF_BESIDE
	BAREPROF_NOTE()
#endif
	BAREPROF_MIP(, )
}
INSERT AFTER .data;

SECTIONS
{
	BAREPROF_MIP_MAP
}
INSERT AFTER .bss;
