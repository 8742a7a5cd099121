/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merging.h - read many inputs into one model, several at a time.
 */
#ifndef BAREPROF_HOST_MERGING_H
#define BAREPROF_HOST_MERGING_H

#include "profiles.h"

struct merge_input {
	char *path;
	uint64_t weight;
	enum status status; /* not OK: error says why */
	struct error *error;
	struct remarks remarks;
	bool has_kind; /* it told its variants */
	uint64_t variants;
};

/*
 * How to have a large file in memory without reading it, for programs that handle
 * what comes of a file which is cut short meanwhile: raw() maps a raw profile, or
 * is false; whole() tells in the end whether it was all there. Errors: SYSTEM.
 */
struct file_maps {
	bool (*raw)(const char *path, struct bytes *bytes);
	enum status (*whole)(struct error *error);
};

struct merging {
	struct merge_input *inputs;
	size_t count;
	size_t room;
	struct read_options options; /* weight, bulk and remarks are set for each input */
	bool keep_going; /* bad inputs are left out; else one is enough to fail */
	unsigned int jobs; /* 0: as many as are worth it */
	/* Called after each input, by one thread at a time; NULL: not wanted. */
	void (*step)(void *context, uint64_t bytes);
	void *context;
	const struct file_maps *maps; /* NULL: all is read */
};

void merging_add(struct merging *merging, const char *path, uint64_t weight);

/*
 * merging_run - read all inputs into @model, which has been started. Those that
 * are bad are marked; if it is to keep going, nothing of them is in the model, else
 * the model is of no use then. Inputs of kinds that do not mix are an error either
 * way: no single one is to blame, and what comes out would depend on which is the
 * first. Errors: INVALID_INPUT (that, with both names).
 */
enum status merging_run(struct merging *merging, struct model *model, struct error *error);

/* merging_free - after the model: that may point into the inputs. */
void merging_free(struct merging *merging);

#endif
