/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * address_map.h - maps addresses that value sites recorded to the functions and vtables at these
 * addresses, as references to their names.
 */
#ifndef BAREPROF_HOST_ADDRESS_MAP_H
#define BAREPROF_HOST_ADDRESS_MAP_H

#include "raw_profile.h"

struct address {
	uint64_t start;
	uint64_t size; /* of a vtable, in bytes; functions have none */
	uint64_t reference; /* to the name */
};

/* Both lists are sorted by address. Starts as all zeros, ends with address_map_free(). */
struct address_map {
	struct address *function;
	size_t functions;
	struct address *vtable;
	size_t vtables;
};

/*
 * address_map_read - reads the functions and vtables of @profile. If the profile has no value
 * data, the map stays empty.
 */
void address_map_read(struct address_map *addresses, const struct raw_profile *profile);
void address_map_free(struct address_map *addresses);

/*
 * address_map_function - returns the reference to the name of the function that starts at
 * @address; 0: no function starts there.
 * address_map_vtable - returns the reference to the name of the vtable that contains @address;
 * 0: no vtable contains it.
 */
uint64_t address_map_function(const struct address_map *addresses, uint64_t address);
uint64_t address_map_vtable(const struct address_map *addresses, uint64_t address);

#endif
