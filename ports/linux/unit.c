// SPDX-License-Identifier: BSD-2-Clause
/*
 * unit.c - compiled anew for, and linked into, each instrumented module.
 */
#include <linux/errno.h>
#include <linux/moduleparam.h>

#include "producer.h"
#include "unit.h"

/* Sections that objects may lack are of memory all the same, so that their bounds are. */
#define EMPTY(name) ".pushsection " name ", \"aw\"\n\t.popsection\n\t"
__asm__(EMPTY("__llvm_prf_bits") EMPTY("__llvm_prf_vals") EMPTY("__llvm_prf_vnds"));

static const struct bareprof_unit unit = BAREPROF_UNIT;

#ifdef CONFIG_BAREPROF
/* The core is in the kernel. */
static int set(const char *value, const struct kernel_param *parameter)
{
	return -EINVAL;
}
static const struct kernel_param_ops bareprof_unit_ops = {.set = set};
#endif

module_param_cb(bareprof, &bareprof_unit_ops, (void *)&unit, 0);
