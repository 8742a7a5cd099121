/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * u-boot.lds.h - the sections of the profile, for U-Boot's linker script. BAREPROF_COPIED
 * is in the range that U-Boot copies to RAM.
 */
#ifdef CONFIG_BAREPROF
#ifdef CONFIG_BAREPROF_LEAN
#define BAREPROF_LEAN
#endif
#include "bareprof.lds.h"
#define BAREPROF_COPIED                                                                                                \
	BAREPROF_COUNTERS(, )                                                                                          \
	BAREPROF_VALUES(, )                                                                                            \
	BAREPROF_RECORDS()                                                                                             \
	BAREPROF_NOTE()                                                                                                \
	BAREPROF_BIAS(CONFIG_BAREPROF_EARLY, )
#else
#define BAREPROF_COPIED
#define BAREPROF_COVERAGE
#endif
