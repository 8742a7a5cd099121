// SPDX-License-Identifier: BSD-2-Clause
/* logic.c - a module with a decision of several conditions, for MC/DC. */
#include <linux/module.h>
#include <linux/moduleparam.h>

static int passed;

/* The lowest bits of the number are the conditions. */
static int work(const char *value, const struct kernel_param *parameter)
{
	int n;

	if (kstrtoint(value, 0, &n))
		return -EINVAL;
	if ((n & 1) && ((n & 2) || (n & 4)))
		passed++;
	return 0;
}

static const struct kernel_param_ops work_ops = {.set = work};
module_param_cb(work, &work_ops, NULL, 0200);

MODULE_DESCRIPTION("A test of bareprof");
MODULE_LICENSE("Dual BSD/GPL");
