/* SPDX-License-Identifier: BSD-2-Clause */
/* modules.h - internal to the Linux port: tells profiles.c when instrumented modules are loaded and unloaded. */
#ifndef BAREPROF_MODULES_H
#define BAREPROF_MODULES_H

#ifdef CONFIG_MODULES
int bareprof_modules_start(void);
void bareprof_modules_stop(void);
#else
static inline int bareprof_modules_start(void)
{
	return 0;
}
#endif

#endif
