/* SPDX-License-Identifier: BSD-2-Clause */
/* promises_yield.h - makes the runtime call yield() of the tests where it yields. */
void yield(void);
#define BAREPROF_YIELD() yield()
