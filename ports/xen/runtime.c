/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runtime.c - compiles bareprof's target side, with only the parts that the Xen port uses.
 */
#define CONFIG_BAREPROF_CORE             1
#define CONFIG_BAREPROF_SELF             1
#define CONFIG_BAREPROF_STRERROR         1
#define CONFIG_BAREPROF_DIAGNOSE         1
#define CONFIG_BAREPROF_WEAK_DUPLICATES  1
#define CONFIG_BAREPROF_BLOCKS           1
#define CONFIG_BAREPROF_COUNTER_CODEC    1
#define CONFIG_BAREPROF_CAPTURE          1
#define CONFIG_BAREPROF_CAPTURE_COUNTERS 1
#define CONFIG_BAREPROF_UNIFORM          1
#define CONFIG_BAREPROF_TEXT             1

#include "bareprof.c"
