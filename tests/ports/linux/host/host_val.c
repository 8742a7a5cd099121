// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * host_val.c - a module with IR PGO and values. The values are the target of a call, which is one of two functions,
 * and sizes of copies.
 */
#include <linux/module.h>
#include <linux/string.h>

static noinline int first(int number)
{
	return number + 1;
}

static noinline int second(int number)
{
	return number * 3;
}

static int (*volatile choice[2])(int) = {first, second};
static char from[64];
static char to[64];

static int set_number(const char *text, const struct kernel_param *param)
{
	unsigned int number;
	int error = kstrtouint(text, 0, &number);

	if (error)
		return error;
	memcpy(to, from, choice[number % 2](number) % sizeof(to));
	return 0;
}

static const struct kernel_param_ops number_ops = {.set = set_number};
module_param_cb(number, &number_ops, NULL, 0200);

MODULE_LICENSE("Dual BSD/GPL");
