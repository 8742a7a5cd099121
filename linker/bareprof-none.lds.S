/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-none.ld - for builds that must not be instrumented, such as release builds. With
 * this script the link fails if any object is instrumented. Use this script in place of the
 * other scripts. Leave out bareprof.c, which needs symbols that only the other scripts
 * define:
 *
 *	ld -T bareprof-none.ld -T kernel.ld ...
 */
#include "bareprof.lds.h"

SECTIONS
{
	BAREPROF_NONE
}
INSERT AFTER .data;
