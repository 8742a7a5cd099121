/* SPDX-License-Identifier: BSD-2-Clause */
/* promises_yield.h - where the runtime lets others run, they do. */
void yield(void);
#define BAREPROF_YIELD() yield()
