/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_graph.h - the call graph that the samples in a machine profile show: which function called which, and about how
 * often.
 */
#ifndef BAREPROF_HOST_MIP_GRAPH_H
#define BAREPROF_HOST_MIP_GRAPH_H

#include "image.h"
#include "mip_sources.h"

/* A function of the graph. The strings belong to the profile, the sources or the image. */
struct mip_node {
	const char *name; /* NULL: code that is in no function that is known */
	const char *shown; /* the name for people; never NULL */
	uint64_t address;
	const struct mip_function *function; /* NULL: the function is not in the map */
};

/*
 * The calls from one caller to one callee. An arc has all of these calls, or only those from one call site. The number of
 * calls is an estimate: the counter of the callee, times the samples of the arc, divided by all samples of the callee.
 */
struct mip_arc {
	size_t caller; /* index of the node */
	size_t callee;
	uint64_t site; /* address of the instruction after the call; 0: not known, or all sites */
	uint64_t samples;
	double calls;
	double error; /* standard deviation of @calls */
};

struct mip_graph {
	const struct mip_profile *profile;
	struct mip_node *nodes;
	size_t node_count;
	size_t node_room;
	struct mip_arc *arcs; /* most calls first */
	size_t arc_count;
};

/*
 * mip_graph_make - makes the call graph of @profile. If @by_site is true, each call site has an arc of its own. A call
 * site belongs to the function of the map, or of the symbols of @image, whose bytes contain the end of the call
 * instruction. Otherwise its caller is not known. @image is NULL if there is none. mip_graph_free() frees @graph.
 */
void mip_graph_make(struct mip_graph *graph, const struct mip_profile *profile, const struct mip_sources *sources,
	const struct image *image, bool by_site);
void mip_graph_free(struct mip_graph *graph);

/* mip_graph_text, mip_graph_dot, mip_graph_json - print the graph to standard output. */
void mip_graph_text(const struct mip_graph *graph);
void mip_graph_dot(const struct mip_graph *graph);
void mip_graph_json(const struct mip_graph *graph);

#endif
