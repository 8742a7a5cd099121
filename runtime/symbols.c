/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.c - the symbols that clang's objects refer to, and nothing else (formats:
 * docs/SPEC.md, part 2). Leave this file out to link with compiler-rt, which defines the
 * same names.
 */
#include <bareprof/platform.h>

BAREPROF_API extern const int __llvm_profile_runtime;
BAREPROF_API void __llvm_profile_register_function(void *record);
BAREPROF_API void __llvm_profile_register_names_function(void *names, uint64_t size);
BAREPROF_API extern const uint64_t __llvm_profile_raw_version;
BAREPROF_API extern const uint64_t __llvm_profile_counter_bias;
BAREPROF_API extern const uint64_t __llvm_profile_bitmap_bias;

/*
 * Every bare-metal object refers to this symbol, so that the linker must add a runtime. It
 * is defined first because it is the only constant of 4 bytes here: after tables of bytes it
 * fills the gap before the constants of 8 bytes.
 */
const int __llvm_profile_runtime = 0;

/*
 * Objects with IR PGO or byte coverage define this; 0 means that no object did. Read it from
 * other files only: in this file gcc takes the 0 as its final value.
 */
__attribute__((weak)) const uint64_t __llvm_profile_raw_version = 0;

/*
 * How far counters and bitmaps are from their sections; objects compiled with
 * -runtime-counter-relocation or -fprofile-continuous add it to each address. Here they are
 * where the linker put them, so it is 0. The symbols are not weak: another definition is an
 * error of the link. An image that does not refer to them does not contain them.
 */
const uint64_t __llvm_profile_counter_bias = 0;
const uint64_t __llvm_profile_bitmap_bias = 0;

/*
 * Constructors in objects of clang 13 to 16 call these for every record. They do nothing:
 * the records are found by the bounds of their section, and clang 14 to 16 even pass a
 * pointer that does not point to a record.
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
