// SPDX-License-Identifier: BSD-2-Clause
/*
 * core.c - starts and stops bareprof.ko, the module on which instrumented modules depend.
 */
#define pr_fmt(fmt) "bareprof: " fmt

#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "files.h"
#include "modules.h"
#include "sampler.h"

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

/*
 * The addresses for samples, from /proc/kallsyms, because a module cannot know the bounds of the kernel. If there are
 * none, there are no files for samples.
 */
static struct kernel_bounds kernel;
module_param_named(_stext, kernel._stext, ulong, 0);
module_param_named(_etext, kernel._etext, ulong, 0);
module_param_named(__start_notes, kernel.__start_notes, ulong, 0);
module_param_named(__stop_notes, kernel.__stop_notes, ulong, 0);

static int __init start(void)
{
	bool samples = kernel._stext || kernel._etext || kernel.__start_notes || kernel.__stop_notes;
	int error;

	if (samples && bareprof_sampler_init(&kernel)) {
		pr_err("_stext, _etext, __start_notes and __stop_notes are not those of this kernel: take them from /proc/kallsyms, as root\n");
		return -EINVAL;
	}

	bareprof_profiles_start(&bareprof_files);
	error = bareprof_files_start();
	if (error)
		return error;
	error = bareprof_modules_start();
	if (error) {
		bareprof_profiles_stop();
		bareprof_files_stop();
	} else if (samples) {
		bareprof_sampler_files();
	}
	return error;
}

static void __exit stop(void)
{
	bareprof_modules_stop();
	bareprof_profiles_stop();
	bareprof_files_stop();
	bareprof_sampler_stop();
}

module_init(start);
module_exit(stop);

MODULE_DESCRIPTION("Profiles of modules that clang has instrumented");
MODULE_LICENSE("Dual BSD/GPL");
