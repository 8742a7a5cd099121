/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relocate.c - lets U-Boot count before it has copied itself to RAM. The image is in flash
 * until then. Flash treats stores as commands, so counters in flash cannot be incremented.
 */
#include "bareprof.h"

#define HIDDEN __attribute__((visibility("hidden"))) extern

HIDDEN char __start___llvm_prf_cnts[], __stop___llvm_prf_bits[];
HIDDEN bareprof_uint64_t __llvm_profile_counter_bias, __llvm_profile_bitmap_bias;

void bareprof_before_copy(void);
void bareprof_after_copy(void);

/* The address in RAM at which code counts until the image was copied. */
#define EARLY ((char *)CONFIG_BAREPROF_EARLY)

/*
 * Called with a stack, before the first instrumented function. Fills the counters at EARLY
 * with their start values. The biases lead to EARLY only if the image is at its address in
 * flash. If a loader has already put the image into RAM, sets the biases to 0, so that code
 * counts in the image itself.
 */
void bareprof_before_copy(void)
{
	char *counters = __start___llvm_prf_cnts;

	if (counters + __llvm_profile_counter_bias == EARLY)
		bareprof_copy(EARLY, counters, (bareprof_size_t)(__stop___llvm_prf_bits - counters));
	else
		__llvm_profile_counter_bias = __llvm_profile_bitmap_bias = 0;
}

/*
 * Called in the copy, before its first instrumented function. Moves the counts from EARLY
 * to the counters of the copy.
 */
void bareprof_after_copy(void)
{
	char *counters = __start___llvm_prf_cnts;

	if (!__llvm_profile_counter_bias)
		return;
	bareprof_copy(counters, EARLY, (bareprof_size_t)(__stop___llvm_prf_bits - counters));
	__llvm_profile_counter_bias = __llvm_profile_bitmap_bias = 0;
}
