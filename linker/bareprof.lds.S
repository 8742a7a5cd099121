/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bareprof.ld - for images that are loaded into memory as a whole, for example kernels. All
 * sections of the profile follow .data. Name this script before the image's own script:
 *
 *	ld -T bareprof.ld -T kernel.ld ...
 *
 * If the script reserves a stack or heap after .bss in a section of its own, write the name
 * of the last such section in place of .bss into the last line of this script. Otherwise
 * lld may put this section at address 0, because the sections that only tools read come
 * before it. GNU ld does so if the script uses the dot between .bss and this section.
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
