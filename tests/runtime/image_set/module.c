/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * module.c - exports the bounds of a module's sections to the loader. This file is not instrumented.
 */
#include "module.h"

#define PASTE(a, b)   a##b
#define FUNCTION(...) PASTE(work_, __VA_ARGS__)

int FUNCTION(NAME)(int n);

#define SECTION(name)                                                                                                  \
	extern const char __start_##name[] __attribute__((weak, visibility("hidden")));                                \
	extern const char __stop_##name[] __attribute__((weak, visibility("hidden")));
extern const uint64_t __llvm_profile_raw_version __attribute__((weak, visibility("hidden")));
SECTION(__llvm_prf_data)
SECTION(__llvm_prf_cnts)
SECTION(__llvm_prf_bits)
SECTION(__llvm_prf_names)
SECTION(__llvm_prf_vtab)
SECTION(__llvm_prf_vns)

/* clang-format off */
const struct module module = {
	FUNCTION(NAME),
	&__llvm_profile_raw_version,
	{
		{0, 0},
#define BOUNDS(name) {__start_##name, __stop_##name}
		BOUNDS(__llvm_prf_data),
		BOUNDS(__llvm_prf_cnts),
		BOUNDS(__llvm_prf_bits),
		BOUNDS(__llvm_prf_names),
		BOUNDS(__llvm_prf_vtab),
		BOUNDS(__llvm_prf_vns),
	},
};
/* clang-format on */
