// SPDX-License-Identifier: BSD-2-Clause
/*
 * unit.c - defines the unit of an instrumented module. This file is compiled separately for each module and linked into
 * the module.
 */
#include <linux/errno.h>
#include <linux/moduleparam.h>

#include "first.h"
#include "producer.h"
#include "unit.h"

/*
 * Creates those sections that objects may lack. The created sections are loaded, so that their bounds have addresses in
 * memory.
 */
#define EMPTY(name, type) ".pushsection " name ", \"aw\", @" type "\n\t.popsection\n\t"
/* Coverage bytes that start as 0 take no space in the file. */
#ifdef CONFIG_ARM64
#define COVERAGE_TYPE "progbits"
#else
#define COVERAGE_TYPE "nobits"
#endif
__asm__(EMPTY("__llvm_prf_data", "progbits") EMPTY("__llvm_prf_cnts", "progbits") EMPTY("__llvm_prf_bits", "progbits")
		EMPTY("__llvm_prf_names", "progbits") EMPTY("__llvm_prf_vals", "progbits") EMPTY("__llvm_prf_vnds",
			"progbits") EMPTY("__llvm_mipraw_calls", "progbits") EMPTY("__llvm_mipraw_cov", COVERAGE_TYPE));

static const struct bareprof_unit unit = BAREPROF_UNIT;

#ifdef CONFIG_BAREPROF
/* If the core is a part of the kernel, each module has its own copy of these operations. */
static int set(const char *value, const struct kernel_param *parameter)
{
	return -EINVAL;
}
static const struct kernel_param_ops bareprof_unit_ops = {.set = set};
#endif

module_param_cb(bareprof, &bareprof_unit_ops, (void *)&unit, 0);
