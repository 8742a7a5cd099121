/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.h - the state of the functions that clang's instrumentation calls. Clang passes no
 * pointer to a struct to these functions, so their state is a global struct.
 *
 * The runtime has no static data, so the integrator defines this struct. If values are
 * profiled or functions get timestamps, write the line "BAREPROF_STATE;" at file scope in
 * exactly one C file. Without this line the link fails, and the name of the missing symbol
 * shows which line is missing.
 */
#ifndef BAREPROF_STATE_H
#define BAREPROF_STATE_H

#include <bareprof/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bareprof_values;

struct bareprof_state {
	struct bareprof_values *images; /* the images whose values are recorded, see values.h */
	size_t dropped; /* number of values that were dropped because no image has their record */
	size_t clock; /* the last timestamp */
};

#define bareprof_global_state bareprof_state_is_missing_write_BAREPROF_STATE
#define BAREPROF_STATE        struct bareprof_state bareprof_global_state
BAREPROF_API extern BAREPROF_STATE;

/*
 * __llvm_profile_set_timestamp - writes the next timestamp to *slot, if *slot has no
 * timestamp yet. The first timestamp is 1. In temporal profiles, code that clang 18 or
 * later compiled calls this function at the start of each function. It may be called in any
 * context and on any CPU. If two CPUs call it for one function for the first time at the
 * same moment, one of the two timestamps is kept.
 */
void __llvm_profile_set_timestamp(uint64_t *slot);

#ifdef __cplusplus
}
#endif

#endif
