/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * in_place.lds.S - like bareprof.ld, but no loader fills the counters. They follow .bss, so that a raw binary ends before
 * them.
 */
#include "bareprof.lds.h"

SECTIONS
{
	BAREPROF_RECORDS()
	BAREPROF_NOTE()
}
INSERT AFTER .data;

SECTIONS
{
	BAREPROF_COUNTERS((NOLOAD), )
	BAREPROF_VALUES((NOLOAD), )
	BAREPROF_VALID()
	BAREPROF_COVERAGE
}
INSERT AFTER .bss;
