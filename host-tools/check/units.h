/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units.h - finds the source file of a function in the coverage mapping. Images have a
 * mapping even without debug information.
 */
#ifndef BAREPROF_HOST_UNITS_H
#define BAREPROF_HOST_UNITS_H

#include "bytes.h"

/* The mapping of one function. */
struct unit_function {
	uint64_t name; /* hash of the function's name */
	uint64_t structure; /* the structural hash; 0: clang made no code for the function, because no code uses it */
	uint64_t files; /* reference to the list of file names of the function's object */
	uint64_t file; /* index of the function's source file in that list */
};

struct unit_files {
	uint64_t reference;
	struct bytes packed; /* the list as it is in the mapping, usually packed by zlib */
};

/* The caller sets all fields to zero, and ends with units_free(). Both lists are sorted. */
struct units {
	struct unit_function *functions;
	size_t function_count;
	size_t function_room;
	struct unit_files *files;
	size_t file_count;
	size_t file_room;
};

/* units_read - reads __llvm_covmap and __llvm_covfun of clang 11 and later. Skips the parts that it cannot read. */
void units_read(struct units *units, struct bytes covmap, struct bytes covfun, bool big);
/*
 * units_function - returns the mapping of the function with the name hash @name, or NULL if the function has no
 * mapping.
 */
const struct unit_function *units_function(const struct units *units, uint64_t name);
/*
 * units_is_unused - returns true if objects have a mapping of the function with the name hash @name, but none of these
 * objects has code for the function.
 */
bool units_is_unused(const struct units *units, uint64_t name);
/* units_file - returns the source file of the function with the name hash @name, or NULL. The caller frees it. */
char *units_file(const struct units *units, uint64_t name);
void units_free(struct units *units);

#endif
