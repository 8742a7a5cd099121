/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * platform.h - everything bareprof's target side assumes about its surroundings.
 *
 * This is the only header of the target side that includes anything from
 * outside the project. A port whose tree has its own integer types, attributes
 * or interrupt control puts a bareprof/platform.h of its own earlier in the
 * include path and defines the same names; nothing else has to change.
 */
#ifndef BAREPROF_PLATFORM_H
#define BAREPROF_PLATFORM_H

/*
 * Integer types. The compiler's own stdint.h where it can be seen; with
 * -nostdinc the compiler's predefined types, which are the same ones.
 */
#if defined(__has_include)
/* Quotes: with no include path at all, gcc takes <...> here for an error. */
#if __has_include("stdint.h") && __has_include("stddef.h")
#define BAREPROF_STDINT 1
#endif
#endif
#ifdef BAREPROF_STDINT
#include "stddef.h"
#include "stdint.h"
#else
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __SIZE_TYPE__ size_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#ifndef NULL
#define NULL ((void *)0)
#endif
#endif

/*
 * Visibility of everything bareprof defines or references. Hidden, so that a
 * position-independent image at a high address needs no GOT.
 */
#ifndef BAREPROF_API
#define BAREPROF_API __attribute__((visibility("hidden")))
#endif

/*
 * Marks a function that is called through a pointer, for trees that check
 * indirect calls (Xen's cf_check). Goes between the return type and the name.
 */
#ifndef BAREPROF_CALLBACK
#define BAREPROF_CALLBACK
#endif

/* For inline functions that not every build calls; clang says so where all is one file. */
#ifndef BAREPROF_UNUSED
#define BAREPROF_UNUSED __attribute__((unused))
#endif

/*
 * Called after each block of a capture, each record that is checked and each
 * section of a read: the place to pet a watchdog or to let others run. It is not
 * called while memory is copied or filled, which goes at the speed of memory.
 */
#ifndef BAREPROF_YIELD
#define BAREPROF_YIELD() ((void)0)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * bareprof_copy - copy @n bytes from @from to @to; the areas do not overlap.
 * bareprof_fill - set @n bytes at @to to @byte.
 *
 * Both move whole machine words wherever @from (for fill: @to) is aligned, so
 * a counter that another CPU increments meanwhile is never seen or written in
 * half. runtime/copy.c has them in C; arch/x86_64/copy.c replaces that file
 * with string instructions, and a port may bring its own. Any context.
 */
BAREPROF_API void bareprof_copy(void *to, const void *from, size_t n);
BAREPROF_API void bareprof_fill(void *to, int byte, size_t n);

#ifdef __cplusplus
}
#endif

#endif
