/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof-none.ld - for builds that must not be instrumented, such as those that
 * are shipped: the link fails if any object is. In place of the other fragments,
 * and without bareprof.c, which wants their symbols:
 *
 *	ld -T bareprof-none.ld -T kernel.ld ...
 */
#include "bareprof.lds.h"

SECTIONS
{
	BAREPROF_NONE
}
INSERT AFTER .data;
