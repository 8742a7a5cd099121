/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * platform.h - the platform of bareprof's target side on Linux. It replaces
 * include/bareprof/platform.h, which explains each definition.
 */
#ifndef BAREPROF_PLATFORM_H
#define BAREPROF_PLATFORM_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/types.h>

typedef long intptr_t;

#define BAREPROF_API __attribute__((__visibility__("hidden")))
#define BAREPROF_CALLBACK
#define BAREPROF_UNUSED __maybe_unused

/*
 * cond_resched() may sleep. This is allowed, because profiles are read, reset and checked only in contexts that may
 * sleep.
 */
#define BAREPROF_YIELD() cond_resched()

BAREPROF_API void bareprof_copy(void *to, const void *from, size_t n);
BAREPROF_API void bareprof_fill(void *to, int byte, size_t n);

#endif
