// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * host_big.c - a profile so large that it takes many reads. Nearly all of it is padding in the section of names,
 * because a compiler would take a long time to compile enough functions.
 */
#include <linux/module.h>

static u64 number;
static const char room[2000000] __used __section("__llvm_prf_names");

static int set_number(const char *text, const struct kernel_param *param)
{
	return kstrtou64(text, 0, &number);
}

static const struct kernel_param_ops number_ops = {.set = set_number};
module_param_cb(number, &number_ops, NULL, 0200);

MODULE_LICENSE("Dual BSD/GPL");
