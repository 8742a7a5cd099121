/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle.h - turns mangled names of C++ and Rust into the names of the source. */
#ifndef BAREPROF_HOST_DEMANGLE_H
#define BAREPROF_HOST_DEMANGLE_H

#include "arena.h"

#include <stdbool.h>

/* The message for a name that stays mangled, because nothing demangles it. */
#define DEMANGLE_MISSING                                                                                               \
	"note: names stay mangled: install c++filt (Debian: binutils), or build bareprof with libiberty-dev"

/*
 * demangle - replaces each mangled name among the @count names of @names by the demangled name, which belongs to
 * @arena. demangle_library.h does the work. If bareprof was built without that library, c++filt, llvm-cxxfilt or
 * llvm-cxxfilt-N does it. Returns false if a name is mangled and none of these exists. Then, and if a program fails,
 * names stay mangled.
 */
bool demangle(const char **names, size_t count, struct arena *arena);

/*
 * source_names - replaces the @count names in @names by the names of the source. @names are names of a symbol table. The
 * new names are demangled, and have no suffix of -funique-internal-linkage-names. They belong to @arena. Returns what
 * demangle() returns.
 */
bool source_names(const char **names, size_t count, struct arena *arena);

#endif
