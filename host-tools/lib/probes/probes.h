/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probes.h - the pseudo probes of an image: which block or call of which function is at which address, through which
 * chain of inlined calls. Clang writes them with -fpseudo-probe-for-profiling. They are not loaded, so they are read
 * from the ELF file. SPEC.md, part 5.1, defines the format.
 */
#ifndef BAREPROF_HOST_PROBES_H
#define BAREPROF_HOST_PROBES_H

#include "probe_model.h"

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
