/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle.h - turns mangled names of C++ and Rust into the names of the source. */
#ifndef BAREPROF_HOST_DEMANGLE_H
#define BAREPROF_HOST_DEMANGLE_H

#include "arena.h"

#include <stdbool.h>

/*
 * demangle - replaces each mangled name among the @count names of @names by the demangled name, which belongs to
 * @arena. c++filt, llvm-cxxfilt or llvm-cxxfilt-N does the work. Returns false if a name is mangled and none of these
 * programs is installed. Then, and if a program fails, names stay mangled.
 */
bool demangle(const char **names, size_t count, struct arena *arena);

/*
 * source_names - replaces the @count names in @names, which are as in a symbol table, by those of the source: without
 * the suffix of -funique-internal-linkage-names, and demangled. New names belong to @arena. The result is that of
 * demangle().
 */
bool source_names(const char **names, size_t count, struct arena *arena);

#endif
