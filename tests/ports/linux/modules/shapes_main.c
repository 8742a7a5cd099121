// SPDX-License-Identifier: BSD-2-Clause
/*
 * shapes_main.c - the first file of the module shapes. The test loads the module, lets it work with 4 and with 0, and
 * unloads it. The comments say how many times each line must then have run.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "shapes.h"

static int idle;

static int work(const char *value, const struct kernel_param *parameter)
{ /* 2 times */
	int total = 0;
	int n;
	int i;

	if (kstrtoint(value, 0, &n))
		return -EINVAL; /* 0 times */
	for (i = 0; i < n; i++)
		total += area(i, n); /* 4 times */
	if (!total)
		idle++; /* 1 times */
	return 0;
}

static const struct kernel_param_ops work_ops = {.set = work};
module_param_cb(work, &work_ops, NULL, 0200);

static int __init shapes_start(void)
{ /* 1 times */
	int i;
	int total = 0;

	for (i = 0; i < 3; i++)
		total += area(2, i); /* 3 times */
	return total == 3 ? 0 : -EIO;
}

static void __exit shapes_stop(void)
{
	idle = 0; /* stopped */
}

module_init(shapes_start);
module_exit(shapes_stop);

MODULE_DESCRIPTION("A test of bareprof");
MODULE_LICENSE("Dual BSD/GPL");
