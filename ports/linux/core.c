// SPDX-License-Identifier: BSD-2-Clause
/*
 * core.c - the beginning and the end, as a module that other modules need.
 */
#include <linux/module.h>

#include "modules.h"
#include "profiles.h"

static int __init start(void)
{
	int error = bareprof_profiles_start();

	if (error)
		return error;
	error = bareprof_modules_start();
	if (error)
		bareprof_profiles_stop();
	return error;
}

static void __exit stop(void)
{
	bareprof_modules_stop();
	bareprof_profiles_stop();
}

module_init(start);
module_exit(stop);

MODULE_DESCRIPTION("Profiles of modules that clang has instrumented");
MODULE_LICENSE("Dual BSD/GPL");
