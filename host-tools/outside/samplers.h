/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * samplers.h - finds the samplers of a program (include/bareprof/sample.h). The variables belong to the integrator and have
 * any names, so the debug information tells where they are.
 */
#ifndef BAREPROF_HOST_SAMPLERS_H
#define BAREPROF_HOST_SAMPLERS_H

#include "image.h"

/* The members of the three structs, as offsets in bytes. Members that a struct does not have are 0. */
struct sampler_layout {
	uint64_t base;
	uint64_t range;
	uint64_t build_id; /* of the pointer; the size follows it */
	uint64_t rate;
	uint64_t words;
	uint64_t rings;
	/* struct bareprof_ring */
	uint64_t next;
	uint64_t slots;
	uint64_t mask;
	uint64_t outside;
	uint64_t dropped;
	/* struct bareprof_histogram */
	uint64_t shift;
	uint64_t memory;
	uint64_t counted;
	uint64_t histogram_outside;
};

/* A variable of type struct bareprof_sampler or struct bareprof_histogram. */
struct sampler {
	uint64_t address; /* of struct bareprof_sampler, also in a histogram; link address */
	uint64_t histogram; /* of struct bareprof_histogram; 0: the variable is no histogram */
	struct sampler_layout layout;
};

struct samplers {
	struct sampler *list;
	size_t count;
	size_t room;
	size_t searched; /* number of types, also of members and elements */
};

/*
 * samplers_expected - returns whether the program has code of bareprof that initializes rings or histograms.
 * samplers_find - finds all samplers among the global and static variables of @image, also in other structs and in arrays.
 * Returns false if the file has no debug information. The caller frees samplers->list.
 */
bool samplers_expected(const struct image *image);
bool samplers_find(struct samplers *samplers, const struct image *image);

#endif
