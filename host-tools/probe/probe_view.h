/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe_view.h - the probes of an image as `bareprof probes` prints them: grouped by function, with names.
 */
#ifndef BAREPROF_HOST_PROBE_VIEW_H
#define BAREPROF_HOST_PROBE_VIEW_H

#include "arena.h"
#include "probes.h"

/* A function with probes of its own: the code of one record that was not inlined. */
struct probe_group {
	uint32_t node;
	size_t start; /* index of the first probe in probe_view.order */
	size_t count; /* the probes of the function and of all copies that were inlined into it */
	size_t copies; /* number of inlined copies */
};

struct probe_view {
	const struct probes *probes;
	struct bytes *names; /* the printed name of each descriptor */
	uint32_t *
		descriptors; /* the index of the descriptor of each node; PROBE_NO_PARENT: the node has no descriptor */
	size_t *order; /* the probes by function, and within a function by address */
	struct probe_group *groups; /* by address of the first probe; functions without probes come last */
	size_t group_count;
	bool mangled; /* some names are mangled, because no tool that demangles names is installed */
	struct arena arena;
};

/*
 * probe_view_make - prepares @view for @probes, which must stay in place. @linkage: names are printed as they are in
 * the symbol table. Otherwise they are demangled, and the suffix that makes names of static functions unique is left
 * out. The caller frees @view with probe_view_free().
 */
void probe_view_make(struct probe_view *view, const struct probes *probes, bool linkage);
void probe_view_free(struct probe_view *view);

/* probe_view_name - appends the printed name of the function of @node to @out. */
void probe_view_name(const struct probe_view *view, uint32_t node, struct buffer *out);
/* probe_view_linkage - returns the linkage name of @node, or an empty slice as probe_name(). */
struct bytes probe_view_linkage(const struct probe_view *view, uint32_t node);
/*
 * probe_view_chain - appends " @ NAME:CALL" for each function into which @node was inlined, the outermost first.
 * NAME is the function that contains the call, CALL is the index of its probe.
 */
void probe_view_chain(const struct probe_view *view, uint32_t node, struct buffer *out);

/* probe_type_name - returns the name that LLVM has for the type. */
const char *probe_type_name(unsigned int type);

#endif
