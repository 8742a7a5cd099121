/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vmlinux.lds.h - where vmlinux keeps its profile, for the linker scripts of the
 * architectures: BAREPROF_DATA between .data and .bss, outside of what is freed after init,
 * and BAREPROF_DETAILS after the last section with an address. Both are nothing without
 * CONFIG_BAREPROF.
 */
/* clang-format off */
#ifdef CONFIG_BAREPROF

#define BAREPROF_AT(name) AT(ADDR(name) - LOAD_OFFSET)
#include "bareprof.lds.h"

/* Loaded, and in the segment that goes on. */
#define BAREPROF_PLAIN
#define BAREPROF_DATA                                     \
	BAREPROF_COUNTERS(BAREPROF_PLAIN, BAREPROF_PLAIN) \
	BAREPROF_VALUES(BAREPROF_PLAIN, BAREPROF_PLAIN)   \
	BAREPROF_RECORDS(BAREPROF_PLAIN)
#define BAREPROF_DETAILS BAREPROF_COVERAGE

#else

#define BAREPROF_DATA
#define BAREPROF_DETAILS

#endif
