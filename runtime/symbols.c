/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.c - what clang's objects want to find in the image they are linked
 * into, and nothing else (formats: docs/SPEC.md, part 2). Leave this file out
 * to link beside compiler-rt, which defines the same names.
 */
#include <bareprof/platform.h>

BAREPROF_API extern const int __llvm_profile_runtime;
BAREPROF_API void __llvm_profile_register_function(void *record);
BAREPROF_API void __llvm_profile_register_names_function(void *names, uint64_t size);
BAREPROF_API extern const uint64_t __llvm_profile_raw_version;
BAREPROF_API extern const uint64_t __llvm_profile_counter_bias;
BAREPROF_API extern const uint64_t __llvm_profile_bitmap_bias;

/*
 * Every bare-metal object refers to it, so that a runtime gets linked in. The only word of 4
 * bytes comes first: behind tables of bytes it fills the gap before the words of 8.
 */
const int __llvm_profile_runtime = 0;

/*
 * Objects of IR PGO and of byte coverage define this; 0 means that none did.
 * Read it from other files only: gcc folds a weak constant within its own.
 */
__attribute__((weak)) const uint64_t __llvm_profile_raw_version = 0;

/*
 * How far from their sections counters and bitmaps are, as objects compiled with
 * -runtime-counter-relocation or -fprofile-continuous want to know. Here they are where
 * the linker put them: constant, and not weak, so that who wants something else hears of it
 * from the linker. Dropped from images that do not ask.
 */
const uint64_t __llvm_profile_counter_bias = 0;
const uint64_t __llvm_profile_bitmap_bias = 0;

/*
 * Constructors in objects of clang 13 to 16 call these for every record. The
 * section bounds say it all, and clang 14 to 16 even pass a pointer that is no
 * record, so nothing is looked at.
 */
void __llvm_profile_register_function(void *record)
{
	(void)record;
}

void __llvm_profile_register_names_function(void *names, uint64_t size)
{
	(void)names;
	(void)size;
}
