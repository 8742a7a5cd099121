/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vmlinux.lds.h - places the sections of vmlinux's profile, for the linker scripts of the
 * architectures. Put BAREPROF_DATA between .data and .bss, outside of the memory that is freed
 * after init. Put BAREPROF_DETAILS after the last section with an address. Without CONFIG_BAREPROF
 * both macros are empty.
 */
/* clang-format off */
#ifdef CONFIG_BAREPROF

#define BAREPROF_AT(name) AT(ADDR(name) - LOAD_OFFSET)
#include "mip.lds.h"

/* The sections of these macros are loaded, and stay in the current segment. */
#define BAREPROF_PLAIN
#define BAREPROF_DATA                                     \
	BAREPROF_COUNTERS(BAREPROF_PLAIN, BAREPROF_PLAIN) \
	BAREPROF_VALUES(BAREPROF_PLAIN, BAREPROF_PLAIN)   \
	BAREPROF_RECORDS(BAREPROF_PLAIN)                  \
	BAREPROF_MIP(BAREPROF_PLAIN, BAREPROF_PLAIN)
#define BAREPROF_DETAILS BAREPROF_COVERAGE BAREPROF_MIP_MAP

#else

#define BAREPROF_DATA
#define BAREPROF_DETAILS

#endif
