/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-none.ld - for builds that must not be instrumented, such as release
 * builds: the link fails if any object is instrumented. Use it in place of the other
 * scripts, and leave out bareprof.c, which needs the symbols that those define:
 *
 *	ld -T bareprof-none.ld -T kernel.ld ...
 */
#include "bareprof.lds.h"

SECTIONS
{
	BAREPROF_NONE
}
INSERT AFTER .data;
