/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * addresses.h - what lies at an address of the image that a raw profile is of:
 * from the targets that value sites saw to the references of names.
 */
#ifndef BAREPROF_HOST_ADDRESSES_H
#define BAREPROF_HOST_ADDRESSES_H

#include "raw_profile.h"

struct address {
	uint64_t start;
	uint64_t size; /* of a vtable */
	uint64_t reference;
};

/* Starts as all zeros, ends with addresses_free(). */
struct addresses {
	struct address *function;
	size_t functions;
	struct address *vtable;
	size_t vtables;
};

void addresses_read(struct addresses *addresses, const struct raw_profile *profile);
void addresses_free(struct addresses *addresses);

/* The reference of the function at @address, of the vtable around it; 0: not in the profile. */
uint64_t addresses_function(const struct addresses *addresses, uint64_t address);
uint64_t addresses_vtable(const struct addresses *addresses, uint64_t address);

#endif
