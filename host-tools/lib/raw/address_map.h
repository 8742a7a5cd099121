/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * address_map.h - what lies at an address of the image that a raw profile is of:
 * from the targets that value sites saw to the references of names.
 */
#ifndef BAREPROF_HOST_ADDRESS_MAP_H
#define BAREPROF_HOST_ADDRESS_MAP_H

#include "raw_profile.h"

struct address {
	uint64_t start;
	uint64_t size; /* of a vtable */
	uint64_t reference;
};

/* Starts as all zeros, ends with address_map_free(). */
struct address_map {
	struct address *function;
	size_t functions;
	struct address *vtable;
	size_t vtables;
};

void address_map_read(struct address_map *addresses, const struct raw_profile *profile);
void address_map_free(struct address_map *addresses);

/* The reference of the function at @address, of the vtable around it; 0: not in the profile. */
uint64_t address_map_function(const struct address_map *addresses, uint64_t address);
uint64_t address_map_vtable(const struct address_map *addresses, uint64_t address);

#endif
