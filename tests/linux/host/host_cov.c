// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * host_cov.c - source coverage: counts what is written to its parameter.
 */
#include <linux/module.h>

static int even;
static int odd;

static int set_number(const char *text, const struct kernel_param *param)
{
	int number;
	int error = kstrtoint(text, 0, &number);

	if (error)
		return error;
	if (number % 2)
		odd++;
	else
		even++;
	return 0;
}

static const struct kernel_param_ops number_ops = {.set = set_number};
module_param_cb(number, &number_ops, NULL, 0200);

static int __init start(void)
{
	return 0;
}

static void __exit end(void)
{
	pr_info("%d even, %d odd\n", even, odd);
}

module_init(start);
module_exit(end);
MODULE_LICENSE("Dual BSD/GPL");
