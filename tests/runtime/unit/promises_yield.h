/* SPDX-License-Identifier: BSD-2-Clause */
/* promises_yield.h - makes the runtime call yield(), which promises.c defines, where it yields. */
void yield(void);
#define BAREPROF_YIELD() yield()
