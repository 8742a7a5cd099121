/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * demangle_library.h - demangles names with libiberty of binutils and GCC, if bareprof was linked with it. Debian has it
 * in the package libiberty-dev, only as an archive for the linker.
 *
 * bareprof uses three of its files, each under a licence that allows a program with any other licence to contain it:
 * cp-demangle.c (GPL 2 or later) and rust-demangle.c (LGPL 2 or later), both with the permission to link the compiled
 * file into other programs without any restriction, and safe-ctype.c (LGPL 2 or later), a table of characters.
 */
#ifndef BAREPROF_HOST_DEMANGLE_LIBRARY_H
#define BAREPROF_HOST_DEMANGLE_LIBRARY_H

#include "arena.h"

#include <stdbool.h>

/* demangle_is_linked - returns whether bareprof was linked with libiberty. */
bool demangle_is_linked(void);

/*
 * demangle_linked - returns the name of the source for @name, which belongs to @arena. Returns NULL if @name is not
 * mangled, or not as C++ and Rust do it, or if it is too long. Only one thread may call it at a time.
 */
const char *demangle_linked(const char *name, struct arena *arena);

#endif
