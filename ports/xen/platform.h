/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * platform.h - the definitions that bareprof's target side takes from Xen. It replaces
 * include/bareprof/platform.h, which explains each definition.
 */
#ifndef BAREPROF_PLATFORM_H
#define BAREPROF_PLATFORM_H

#include <xen/compiler.h>
#include <xen/types.h>

typedef long intptr_t;

#define BAREPROF_API      __attribute__((__visibility__("hidden")))
#define BAREPROF_CALLBACK cf_check
#define BAREPROF_UNUSED   __maybe_unused

/*
 * The hook does nothing, because each call reads only a small window, and sysctl.c checks between
 * two windows whether the CPU is needed elsewhere.
 */
#define BAREPROF_YIELD() ((void)0)

BAREPROF_API void bareprof_copy(void *to, const void *from, size_t n);
BAREPROF_API void bareprof_fill(void *to, int byte, size_t n);

#endif
