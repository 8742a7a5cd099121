/* SPDX-License-Identifier: BSD-2-Clause */
/* probe_model.h - the pseudo probes of an image in memory. */
#ifndef BAREPROF_HOST_PROBE_MODEL_H
#define BAREPROF_HOST_PROBE_MODEL_H

#include "probe_functions.h"
#include "probe_layout.h"

#define PROBE_NO_PARENT UINT32_MAX

/*
 * A node of the inline trees: a function, or a copy of a function that was inlined. A parent comes before its children.
 */
struct probe_node {
	uint64_t guid; /* the function */
	uint32_t
		parent; /* index of the node into which the copy was inlined; PROBE_NO_PARENT: the code was not inlined */
	uint32_t call; /* index of the probe of the call in the parent */
};

struct probe {
	uint64_t address;
	uint32_t node; /* index of the node to which the probe belongs */
	uint32_t index; /* number of the probe within its function, from 1 on */
	uint32_t discriminator; /* 0: none */
	uint8_t type; /* enum probe_type */
	uint8_t attributes;
};

struct probes {
	struct probe_functions functions;
	struct probe_node *nodes;
	size_t node_count;
	struct probe *probes; /* by address; probes with the same address in the order of the section */
	size_t count;
	size_t records; /* number of nodes that were not inlined */
	bool distances; /* a record starts at the symbol of its function, as clang from 16 on writes it */
	bool addresses; /* a record starts with an address, as clang up to 15 writes it */
	/*
	 * The records that are left out, because the symbol table has no function with their GUID, so the addresses of
	 * their probes are not known.
	 */
	size_t lost_records;
	size_t lost_probes;
	uint64_t lost_guid; /* the GUID of the first of them */
};

#endif
