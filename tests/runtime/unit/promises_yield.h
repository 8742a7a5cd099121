/* SPDX-License-Identifier: BSD-2-Clause */
/* promises_yield.h - makes the runtime call yield() at each point where it yields. promises.c defines yield(). */
void yield(void);
#define BAREPROF_YIELD() yield()
