// SPDX-License-Identifier: BSD-2-Clause
/* calls.c - a module with calls through pointers, and copies of variable sizes. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

static char from[64];
static char to[64];
static int sum;

static noinline void often(int n)
{
	sum += n;
}

static noinline void seldom(int n)
{
	sum -= n;
}

static noinline void copies(size_t n)
{
	__builtin_memcpy(to, from, n);
	barrier_data(to);
}

static void (*const way[])(int) = {often, often, often, seldom};

static int work(const char *value, const struct kernel_param *parameter)
{
	int n;
	int i;

	if (kstrtoint(value, 0, &n))
		return -EINVAL;
	for (i = 0; i < n; i++) {
		way[i % 4](i);
		copies(i % 4 ? 5 : 16);
	}
	return 0;
}

static const struct kernel_param_ops work_ops = {.set = work};
module_param_cb(work, &work_ops, NULL, 0200);

MODULE_DESCRIPTION("A test of bareprof");
MODULE_LICENSE("Dual BSD/GPL");
