/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.h - what the functions that clang calls without a context keep between calls.
 * Nothing of bareprof's is static, so the integrator owns it: BAREPROF_STATE; in one
 * file, if values are profiled or functions get timestamps, else the link fails with
 * the name below.
 */
#ifndef BAREPROF_STATE_H
#define BAREPROF_STATE_H

#include <bareprof/platform.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bareprof_values;

struct bareprof_state {
	struct bareprof_values *images; /* whose values are noted: values.h */
	size_t dropped; /* values of records that no image has */
	size_t clock; /* the last timestamp */
};

#define bareprof_global_state bareprof_state_is_missing_write_BAREPROF_STATE
#define BAREPROF_STATE        struct bareprof_state bareprof_global_state
BAREPROF_API extern BAREPROF_STATE;

/*
 * What clang calls first in each function of a temporal profile (since 18): the first call
 * gets the next timestamp, from 1 on. Any context and CPU; of two CPUs that call a function
 * for the first time at once, either's is kept.
 */
void __llvm_profile_set_timestamp(uint64_t *slot);

#ifdef __cplusplus
}
#endif

#endif
