/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.ld - for images that are loaded into memory as a whole, for example kernels. All
 * sections of the profile follow .data. Name this script before the image's own script:
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
