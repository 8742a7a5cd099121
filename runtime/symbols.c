/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.c - defines the symbols that instrumented objects need, and nothing else
 * (docs/SPEC.md, part 2). compiler-rt defines the same names, so leave this file out if
 * you link with compiler-rt.
 */
#include "image_bounds.h"

BAREPROF_API extern const int __llvm_profile_runtime;
BAREPROF_API void __llvm_profile_register_function(void *record);
BAREPROF_API void __llvm_profile_register_names_function(void *names, uint64_t size);
BAREPROF_API extern const uint64_t __llvm_profile_counter_bias;
BAREPROF_API extern const uint64_t __llvm_profile_bitmap_bias;

/*
 * Every instrumented object for bare metal refers to this symbol, so that the link fails
 * without a runtime. This symbol is defined first because it is the only constant of 4
 * bytes in this file. The linker may place this symbol after another file's table of bytes.
 * The symbol then fills space that would otherwise be padding before the constants of 8
 * bytes below.
 */
const int __llvm_profile_runtime = 0;

/*
 * Objects with IR PGO or byte coverage define this symbol. 0 means that no object defines
 * it. Read it only in other files, because in this file gcc assumes that its value is 0.
 */
__attribute__((weak)) const uint64_t __llvm_profile_raw_version = 0;

/*
 * The distances of counters and bitmaps from their sections. Objects compiled with
 * -runtime-counter-relocation or -fprofile-continuous add these distances to each address.
 * With this runtime, counters and bitmaps are in their sections, so the distances are 0.
 * The symbols are not weak, so the linker reports an error if another object defines them.
 * A linker script with BAREPROF_BIAS replaces them.
 * An image that does not refer to the symbols does not contain them.
 */
const uint64_t __llvm_profile_counter_bias = 0;
const uint64_t __llvm_profile_bitmap_bias = 0;

/*
 * Constructors in objects of clang 13 to 16 call these functions for every record. The
 * functions do nothing, because the runtime finds the records by the bounds of their
 * section. Besides, clang 14 to 16 pass a pointer that does not point to a record.
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
