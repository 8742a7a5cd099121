// SPDX-License-Identifier: BSD-2-Clause
/*
 * vmlinux.c - if the core is a part of the kernel, starts the core and the kernel's own profile.
 */
#include <linux/init.h>

#include "files.h"
#include "first.h"
#include "modules.h"
#include "producer.h"
#include "vmlinux.h"

static const struct bareprof_unit unit = BAREPROF_UNIT;

/* Runs before other CPUs start. Values that code recorded before this call are dropped. */
static int __init bareprof_early(void)
{
	bareprof_coming(BAREPROF_KERNEL, &unit);
	return bareprof_modules_start();
}
early_initcall(bareprof_early);

static int __init bareprof_init(void)
{
	int error;

	bareprof_profiles_start(&bareprof_files);
	error = bareprof_files_start();
	if (!error)
		bareprof_live(BAREPROF_KERNEL, __start_notes, __stop_notes - __start_notes);
	return error;
}
fs_initcall(bareprof_init);
