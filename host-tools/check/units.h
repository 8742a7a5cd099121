/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units.h - which source file a function is of, by the coverage mapping: what
 * an image without debug information knows of its objects.
 */
#ifndef BAREPROF_HOST_UNITS_H
#define BAREPROF_HOST_UNITS_H

#include "bytes.h"

/* The mapping of one function. */
struct unit_function {
	uint64_t name;
	uint64_t files; /* reference to the list of file names of its object */
	uint64_t file; /* number in it */
};

struct unit_files {
	uint64_t reference;
	struct bytes packed;
};

/* Starts as all zeros, ends with units_free(). Both lists are sorted. */
struct units {
	struct unit_function *functions;
	size_t function_count;
	size_t function_room;
	struct unit_files *files;
	size_t file_count;
	size_t file_room;
};

/* units_read - from __llvm_covmap and __llvm_covfun of clang 11 and later; what cannot be read is left out. */
void units_read(struct units *units, struct bytes covmap, struct bytes covfun, bool big);
/* units_function - the mapping of the function that is called @name; NULL: it has none. */
const struct unit_function *units_function(const struct units *units, uint64_t name);
/* units_file - the source file of the function that is called @name; NULL: not known. The caller frees it. */
char *units_file(const struct units *units, uint64_t name);
void units_free(struct units *units);

#endif
