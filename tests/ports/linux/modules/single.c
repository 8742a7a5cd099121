// SPDX-License-Identifier: BSD-2-Clause
/*
 * single.c - a module of one file. If it is loaded once and works with 7 and 8, each line must run as many times as
 * its comment says.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>

static int odd;

static int work(const char *value, const struct kernel_param *parameter)
{ /* 2 times */
	int n;

	if (kstrtoint(value, 0, &n))
		return -EINVAL; /* 0 times */
	if (n % 2)
		odd++; /* 1 times */
	else
		odd--; /* 1 times */
	return 0;
}

static const struct kernel_param_ops work_ops = {.set = work};
module_param_cb(work, &work_ops, NULL, 0200);

static bool fail;
module_param(fail, bool, 0);

static int __init single_start(void)
{
	return fail ? -EIO : 0;
}

static void __exit single_stop(void)
{
}

module_init(single_start);
module_exit(single_stop);

MODULE_DESCRIPTION("A test of bareprof");
MODULE_LICENSE("Dual BSD/GPL");
