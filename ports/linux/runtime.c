// SPDX-License-Identifier: BSD-2-Clause
/*
 * runtime.c - compiles bareprof's target side, with the parts that the Linux port uses.
 */
#define CONFIG_BAREPROF_CORE             1
#define CONFIG_BAREPROF_STRERROR         1
#define CONFIG_BAREPROF_DIAGNOSE         1
#define CONFIG_BAREPROF_WEAK_DUPLICATES  1
#define CONFIG_BAREPROF_BUILD_ID_NOTE    1
#define CONFIG_BAREPROF_IMAGE_SET        1
#define CONFIG_BAREPROF_BLOCKS           1
#define CONFIG_BAREPROF_COUNTER_CODEC    1
#define CONFIG_BAREPROF_CAPTURE          1
#define CONFIG_BAREPROF_CAPTURE_COUNTERS 1
#define CONFIG_BAREPROF_CAPTURE_PROFRAW  1
#define CONFIG_BAREPROF_VALUES           1
#define CONFIG_BAREPROF_MIP_IMAGE        1

#include "bareprof.c"

#include <linux/export.h>

BAREPROF_STATE;
EXPORT_SYMBOL_GPL(bareprof_global_state); /* code in each module uses the clock in it (first.h) */

/* Code of instrumented modules calls these functions. */
EXPORT_SYMBOL_GPL(__llvm_profile_instrument_target);
EXPORT_SYMBOL_GPL(__llvm_profile_instrument_memop);
