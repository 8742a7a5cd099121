/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit.h - struct bareprof_unit, in which the core finds the bounds of an instrumented module's
 * sections. The module contains a module parameter that nobody sets. The argument of this parameter
 * is a struct bareprof_unit. The bounds of the sections come from a linker script: module.lds, or the kernel's
 * linker script.
 */
#ifndef BAREPROF_UNIT_H
#define BAREPROF_UNIT_H

#include <linux/types.h>

#include "bareprof.h"

/* The value of @magic. Its last digit is the version of this struct. */
#define BAREPROF_UNIT_MAGIC 0x42505532u

struct bareprof_bounds {
	const char *start;
	const char *stop;
};

struct bareprof_unit {
	u32 magic;
	u32 producer; /* the raw version that the compiler of the module writes */
	const uint64_t *version; /* the version word of the module's objects; NULL: the objects have none */
	struct bareprof_bounds section[BAREPROF_ALL_SECTIONS]; /* clang's sections; the build id is not one of them */
	struct bareprof_bounds machine_coverage; /* the two sections of the machine profile */
	struct bareprof_bounds machine_calls;
};

#define BAREPROF_UNIT_PARAMETER "bareprof"

/*
 * Each unit's module parameter refers to these operations, and bareprof.ko defines them. So the kernel refuses to load
 * an instrumented module before bareprof.ko. Otherwise the core would not notice this module.
 */
struct kernel_param_ops;
#ifndef CONFIG_BAREPROF
extern const struct kernel_param_ops bareprof_unit_ops;
#endif

/* The initializer of a unit, for the module or kernel into which the initializer is compiled. */
#define BAREPROF_UNIT_DECLARE(name) extern const char __start_##name[], __stop_##name[]
#define BAREPROF_UNIT_SECTION(name)                                                                                    \
	{                                                                                                              \
		__start_##name, __stop_##name                                                                          \
	}

BAREPROF_UNIT_DECLARE(__llvm_prf_data);
BAREPROF_UNIT_DECLARE(__llvm_prf_cnts);
BAREPROF_UNIT_DECLARE(__llvm_prf_bits);
BAREPROF_UNIT_DECLARE(__llvm_prf_names);
BAREPROF_UNIT_DECLARE(__llvm_prf_vals);
BAREPROF_UNIT_DECLARE(__llvm_prf_vnds);
BAREPROF_UNIT_DECLARE(bareprof_mip_cov);
BAREPROF_UNIT_DECLARE(bareprof_mip_calls);
extern const uint64_t __llvm_profile_raw_version __weak;

#define BAREPROF_UNIT                                                                                                  \
	{                                                                                                              \
		.magic = BAREPROF_UNIT_MAGIC, .producer = BAREPROF_PRODUCER, .version = &__llvm_profile_raw_version,   \
		.section =                                                                                             \
			{                                                                                              \
				[BAREPROF_DATA] = BAREPROF_UNIT_SECTION(__llvm_prf_data),                              \
				[BAREPROF_CNTS] = BAREPROF_UNIT_SECTION(__llvm_prf_cnts),                              \
				[BAREPROF_BITS] = BAREPROF_UNIT_SECTION(__llvm_prf_bits),                              \
				[BAREPROF_NAMES] = BAREPROF_UNIT_SECTION(__llvm_prf_names),                            \
				[BAREPROF_VALS] = BAREPROF_UNIT_SECTION(__llvm_prf_vals),                              \
				[BAREPROF_VNDS] = BAREPROF_UNIT_SECTION(__llvm_prf_vnds),                              \
			},                                                                                             \
		.machine_coverage = BAREPROF_UNIT_SECTION(bareprof_mip_cov),                                           \
		.machine_calls = BAREPROF_UNIT_SECTION(bareprof_mip_calls),                                            \
	}

#endif
