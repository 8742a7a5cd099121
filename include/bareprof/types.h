/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types.h - the integer types of bareprof's target side. They come from the compiler's own
 * stdint.h if that is in the include path. Otherwise (with -nostdinc) they come from the
 * compiler's predefined macros, which give the same types.
 *
 * The drop-in contains only the typedefs, with names that begin with bareprof_. So it
 * neither needs headers of the tree to which it is added, nor conflicts with them.
 */
#ifndef BAREPROF_TYPES_H
#define BAREPROF_TYPES_H

#if defined(__has_include)
/* The names are in quotes, because gcc reports an error for <...> here if there is no include path at all. */
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

#endif
