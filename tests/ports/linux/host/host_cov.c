// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * host_cov.c - a module with source coverage. It counts the even and the odd numbers that are written to its
 * parameter.
 */
#include <linux/module.h>

static int even;
module_param(even, int, 0400);
static int odd;
module_param(odd, int, 0400);

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

MODULE_LICENSE("Dual BSD/GPL");
