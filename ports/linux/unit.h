/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit.h - what an instrumented module carries, so that the core finds its sections:
 * a module parameter, which nobody sets, whose argument is a struct bareprof_unit.
 * A linker script, module.lds or that of the kernel, defines the bounds.
 */
#ifndef BAREPROF_UNIT_H
#define BAREPROF_UNIT_H

#include <linux/types.h>

#include "bareprof.h"

/* The last digit is the version of this struct. */
#define BAREPROF_UNIT_MAGIC 0x42505531u

struct bareprof_unit {
	u32 magic;
	u32 producer; /* the raw version that the compiler of the module writes */
	const uint64_t *version; /* the version word of its objects; NULL: they have none */
	struct {
		const char *start;
		const char *stop;
	} section[BAREPROF_ALL_SECTIONS]; /* without that of the build id */
};

#define BAREPROF_UNIT_PARAMETER "bareprof"

/* Of bareprof.ko: so no module is loaded before that, which would not see it. */
struct kernel_param_ops;
#ifndef CONFIG_BAREPROF
extern const struct kernel_param_ops bareprof_unit_ops;
#endif

/* The one of the module, or kernel, that this is compiled into. */
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
extern const uint64_t __llvm_profile_raw_version __weak;

#define BAREPROF_UNIT                                                                                                  \
	{                                                                                                              \
		.magic = BAREPROF_UNIT_MAGIC, .producer = BAREPROF_PRODUCER, .version = &__llvm_profile_raw_version,   \
		.section = {                                                                                           \
			[BAREPROF_DATA] = BAREPROF_UNIT_SECTION(__llvm_prf_data),                                      \
			[BAREPROF_CNTS] = BAREPROF_UNIT_SECTION(__llvm_prf_cnts),                                      \
			[BAREPROF_BITS] = BAREPROF_UNIT_SECTION(__llvm_prf_bits),                                      \
			[BAREPROF_NAMES] = BAREPROF_UNIT_SECTION(__llvm_prf_names),                                    \
			[BAREPROF_VALS] = BAREPROF_UNIT_SECTION(__llvm_prf_vals),                                      \
			[BAREPROF_VNDS] = BAREPROF_UNIT_SECTION(__llvm_prf_vnds),                                      \
		},                                                                                                     \
	}

#endif
