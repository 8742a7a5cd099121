// SPDX-License-Identifier: BSD-2-Clause
/*
 * core.c - starts and stops bareprof.ko, the module on which instrumented modules depend.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "files.h"
#include "modules.h"

/*
 * Each instrumented module has a module parameter, which only shows the core where the unit (unit.h) is. This function
 * refuses all attempts to set the parameter.
 */
static int set(const char *value, const struct kernel_param *parameter)
{
	return -EINVAL;
}
const struct kernel_param_ops bareprof_unit_ops = {.set = set};
EXPORT_SYMBOL_GPL(bareprof_unit_ops);

static int __init start(void)
{
	int error;

	bareprof_profiles_start(&bareprof_files);
	error = bareprof_files_start();
	if (error)
		return error;
	error = bareprof_modules_start();
	if (error) {
		bareprof_profiles_stop();
		bareprof_files_stop();
	}
	return error;
}

static void __exit stop(void)
{
	bareprof_modules_stop();
	bareprof_profiles_stop();
	bareprof_files_stop();
}

module_init(start);
module_exit(stop);

MODULE_DESCRIPTION("Profiles of modules that clang has instrumented");
MODULE_LICENSE("Dual BSD/GPL");
