// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * host_broken.c - a module with a counter that belongs to no function, as if the link had lost the record of the
 * counter.
 */
#include <linux/module.h>

static u64 room[1] __used __section("__llvm_prf_cnts");

static int set_number(const char *text, const struct kernel_param *param)
{
	return kstrtou64(text, 0, &room[0]);
}

static const struct kernel_param_ops number_ops = {.set = set_number};
module_param_cb(number, &number_ops, NULL, 0200);

MODULE_LICENSE("Dual BSD/GPL");
