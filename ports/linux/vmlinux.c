// SPDX-License-Identifier: BSD-2-Clause
/*
 * vmlinux.c - if the core is a part of the kernel, starts the core and the kernel's own profile.
 */
#include <linux/init.h>
#include <linux/sched.h> /* asm/sections.h needs it */

#include <asm/sections.h>

#include "files.h"
#include "first.h"
#include "modules.h"
#include "producer.h"
#include "sampler.h"
#include "vmlinux.h"

static const struct bareprof_unit unit = BAREPROF_UNIT;

/* A kernel that only takes samples of itself has no profile, and this is no error. */
#define ONLY_SAMPLES                                                                                                   \
	(IS_ENABLED(CONFIG_BAREPROF_SAMPLES) && IS_ENABLED(CONFIG_BAREPROF_NO_COUNTERS) &&                             \
		IS_ENABLED(CONFIG_BAREPROF_NO_MACHINE))

/* Runs before other CPUs start. Values that code recorded before this call are dropped. */
static int __init bareprof_early(void)
{
	if (!ONLY_SAMPLES)
		bareprof_coming(BAREPROF_KERNEL, &unit);
	return bareprof_modules_start();
}
early_initcall(bareprof_early);

static void __init prepare_samples(void)
{
	const struct kernel_bounds bounds = {
		._stext = (unsigned long)_stext,
		._etext = (unsigned long)_etext,
		.__start_notes = (unsigned long)__start_notes,
		.__stop_notes = (unsigned long)__stop_notes,
	};

	if (!bareprof_sampler_init(&bounds))
		bareprof_sampler_files();
}

static int __init bareprof_init(void)
{
	int error;

	bareprof_profiles_start(&bareprof_files);
	error = bareprof_files_start();
	if (error)
		return error;
	bareprof_live(BAREPROF_KERNEL, __start_notes, __stop_notes - __start_notes);
	if (IS_ENABLED(CONFIG_BAREPROF_SAMPLES))
		prepare_samples();
	return 0;
}
fs_initcall(bareprof_init);
