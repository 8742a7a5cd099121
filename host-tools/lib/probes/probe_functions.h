/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_functions.h - the functions to which probes refer. A probe names a function by a GUID: the first 8 bytes of
 * the MD5 of its linkage name. The section .pseudo_probe_desc has the name and the hash of each function that clang
 * gave probes, and the symbol table has the addresses.
 */
#ifndef BAREPROF_HOST_PROBE_FUNCTIONS_H
#define BAREPROF_HOST_PROBE_FUNCTIONS_H

#include "image.h"

/* A function that clang gave probes. Its code may have been inlined everywhere, or discarded. */
struct probe_descriptor {
	uint64_t guid;
	uint64_t hash; /* hash of the control flow graph; a profile only fits a function with the same hash */
	struct bytes name; /* linkage name; the memory belongs to struct probe_functions */
};

/* The extent of a function in the image. */
struct probe_extent {
	uint64_t guid;
	uint64_t start;
	uint64_t end; /* equal to start: the size of the function is not known */
	const char *name; /* name of the symbol; the memory belongs to struct image */
	bool suffixed; /* the GUID is that of the name without a suffix */
};

struct probe_functions {
	struct probe_descriptor *descriptors; /* by GUID; each pair of GUID and hash once */
	size_t count;
	struct probe_extent *extents; /* by GUID */
	size_t extent_count;
	struct buffer content; /* the bytes of the section */
};

/*
 * probe_functions_read - reads the descriptors and the symbols of @image, which must stay open while @functions is in
 * use. The caller must call probe_functions_free() even after an error. Errors: INVALID_INPUT.
 */
enum status probe_functions_read(struct probe_functions *functions, const struct image *image, struct error *error);
void probe_functions_free(struct probe_functions *functions);

/*
 * probe_descriptor - returns the first descriptor with @guid, or NULL.
 * probe_extent - returns the extent of the function with @guid, or NULL. If several functions have the GUID, because
 * the linker kept copies with a suffix, returns the function whose name has no suffix. If static functions have the
 * same name, returns the one with the lowest address.
 * probe_extent_next - returns the function after @extent with the same GUID and name, by address, or NULL.
 */
const struct probe_descriptor *probe_descriptor(const struct probe_functions *functions, uint64_t guid);
const struct probe_extent *probe_extent(const struct probe_functions *functions, uint64_t guid);
const struct probe_extent *probe_extent_next(
	const struct probe_functions *functions, const struct probe_extent *extent);

#endif
