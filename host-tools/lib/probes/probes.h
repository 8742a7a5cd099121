/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.h - the pseudo probes of an image: which block or call of which function is at which address, through which
 * chain of inlined calls. Clang writes them with -fpseudo-probe-for-profiling. They are not loaded, so they are read
 * from the ELF file. SPEC.md, part 5.1, defines the format.
 */
#ifndef BAREPROF_HOST_PROBES_H
#define BAREPROF_HOST_PROBES_H

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
	size_t sentinels;
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

/*
 * probes_read - reads the probes of @image, which must stay open while @probes is in use. An image without probes is
 * not an error: then there are no nodes. The caller must call probes_free() even after an error. Errors: INVALID_INPUT.
 */
enum status probes_read(struct probes *probes, const struct image *image, struct error *error);
void probes_free(struct probes *probes);

/* The number of functions in the longest chain of inlined calls that is read. Clang makes chains of 10 to 20. */
#define PROBE_DEPTH_MAX 1000u

/*
 * probe_chain - stores the nodes of the chain of inlined calls to which @node belongs, the outermost first. Returns
 * their number.
 */
size_t probe_chain(const struct probes *probes, uint32_t node, uint32_t chain[PROBE_DEPTH_MAX]);

/*
 * probe_name - returns the linkage name of the function with @guid. A part that LLVM split off has no descriptor, so
 * this is then the name of its symbol. The slice is empty if the image has neither.
 */
struct bytes probe_name(const struct probes *probes, uint64_t guid);

/* probes_at - returns the index of the first probe whose address is at least @address, or the number of probes. */
size_t probes_at(const struct probes *probes, uint64_t address);

#endif
