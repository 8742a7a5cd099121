/* SPDX-License-Identifier: BSD-2-Clause */
/* modules.h - within the Linux port: which of the modules that come and go are instrumented. */
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
