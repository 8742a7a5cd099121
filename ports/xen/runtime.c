/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.c - compiles bareprof's target side, with only the parts that the Xen port uses. If Xen
 * is built with machine profiles, the makefile defines CONFIG_BAREPROF_MIP.
 */
#ifndef BAREPROF_COUNTS
/* Only samples, whose option is in Xen's configuration. */
#elif defined(CONFIG_BAREPROF_MIP)
#define CONFIG_BAREPROF_MIP_CALLS  1
/* Xen's linker script has no rule for .text.*. */
#define BAREPROF_MIP_FIRST_SECTION ".text"
#ifdef CONFIG_RETURN_THUNK
#define BAREPROF_MIP_FIRST_RETURN "jmp __x86_return_thunk\n\t"
#endif
#else
#define CONFIG_BAREPROF_CORE            1
#define CONFIG_BAREPROF_SELF            1
#define CONFIG_BAREPROF_DIAGNOSE        1
#define CONFIG_BAREPROF_WEAK_DUPLICATES 1
#endif
#define CONFIG_BAREPROF_STRERROR      1
#define CONFIG_BAREPROF_BLOCKS        1
#define CONFIG_BAREPROF_COUNTER_CODEC 1
#define CONFIG_BAREPROF_CAPTURE       1
#ifdef BAREPROF_COUNTS
#define CONFIG_BAREPROF_CAPTURE_COUNTERS 1
#define CONFIG_BAREPROF_UNIFORM          1
#define CONFIG_BAREPROF_TEXT             1
#endif

#include "bareprof.c"
