/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * address_map.h - finds the function or the vtable at an address that a value site recorded. The results are name
 * hashes.
 */
#ifndef BAREPROF_HOST_ADDRESS_MAP_H
#define BAREPROF_HOST_ADDRESS_MAP_H

#include "raw_profile.h"

struct address {
	uint64_t start;
	uint64_t size; /* size of the vtable in bytes; not used for functions */
	uint64_t reference; /* name hash of the function or vtable */
};

/*
 * The functions and vtables of a profile, both sorted by address. Before its first use the map is
 * all zeros; address_map_free() frees its memory.
 */
struct address_map {
	struct address *function;
	size_t functions;
	struct address *vtable;
	size_t vtables;
};

/*
 * address_map_read - reads the functions and vtables of @profile into the map. If @profile has no
 * value data, the map stays empty.
 */
void address_map_read(struct address_map *addresses, const struct raw_profile *profile);
void address_map_free(struct address_map *addresses);

/*
 * address_map_function - returns the name hash of the function that starts at @address,
 * or 0 if no function starts there.
 * address_map_vtable - returns the name hash of the vtable that contains @address, or 0
 * if no vtable contains it.
 */
uint64_t address_map_function(const struct address_map *addresses, uint64_t address);
uint64_t address_map_vtable(const struct address_map *addresses, uint64_t address);

#endif
