/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_addresses.h - computes the addresses of probes. Clang up to 15 writes the address of the first probe of a
 * section of code, and clang from 16 on counts from the symbol of the function. A linked image may have both.
 */
#ifndef BAREPROF_HOST_PROBE_ADDRESSES_H
#define BAREPROF_HOST_PROBE_ADDRESSES_H

#include "probe_model.h"

/*
 * While the section is read, the address of a probe is what its field says: a distance from the previous probe, the
 * GUID in a sentinel, or, with this attribute, an address. No file has this attribute.
 */
#define PROBE_ATTRIBUTE_ANCHOR 0x8u

/* A record at the top: a function and everything that was inlined into it. */
struct probe_record {
	uint64_t guid;
	size_t first; /* index of its first probe; the probes of the next record follow its own */
	bool starts_section;
};

/*
 * probe_addresses_set - replaces the fields in the addresses of all probes by the addresses, and removes the sentinels.
 * @records has all records in their order. Sets the members of @probes from @distances on.
 */
void probe_addresses_set(struct probes *probes, const struct probe_record *records, size_t count);

#endif
