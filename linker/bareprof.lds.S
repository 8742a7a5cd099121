/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.ld - for images that are loaded as they are, a kernel for example:
 * everything follows .data. Give it before the image's own script:
 *
 *	ld -T bareprof.ld -T kernel.ld ...
 */
#include "bareprof.lds.h"

SECTIONS
{
	BAREPROF_COUNTERS(, )
	BAREPROF_VALUES(, )
	BAREPROF_RECORDS()
	BAREPROF_NOTE()
}
INSERT AFTER .data;

SECTIONS
{
	BAREPROF_COVERAGE
}
INSERT AFTER .bss;
