/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.h - state of the functions that clang's instrumentation calls. They get no pointer
 * to any struct, so they need a global one.
 *
 * bareprof has no static data, so the integrator owns this struct. If values are profiled
 * or functions get timestamps, write BAREPROF_STATE; at file scope in exactly one C file.
 * Without it the link fails, and the name of the missing symbol says what to write.
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
	size_t dropped; /* values dropped because no image has their record */
	size_t clock; /* the last timestamp */
};

#define bareprof_global_state bareprof_state_is_missing_write_BAREPROF_STATE
#define BAREPROF_STATE        struct bareprof_state bareprof_global_state
BAREPROF_API extern BAREPROF_STATE;

/*
 * __llvm_profile_set_timestamp - writes the next timestamp to *slot, if *slot has none yet.
 * The first timestamp is 1. In temporal profiles, clang 18 and later calls it at the start
 * of each function. Any context and CPU. If two CPUs call it for one function for the first
 * time at the same moment, one of the two timestamps is kept.
 */
void __llvm_profile_set_timestamp(uint64_t *slot);

#ifdef __cplusplus
}
#endif

#endif
