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
	bool bad; /* it could not be read, and error says why */
	struct error *error;
};

/* What to do about bad inputs. */
enum failure_mode {
	FAIL_ON_ANY, /* one is enough to fail */
	FAIL_ON_ALL, /* fail if none is good */
	FAIL_NEVER,
};

struct merging {
	struct merge_input *inputs;
	size_t count;
	size_t room;
	struct reading reading; /* weight and bulk are set for each input */
	enum failure_mode mode;
	unsigned int jobs; /* 0: as many as are worth it */
};

void merging_add(struct merging *merging, const char *path, uint64_t weight);

/*
 * merging_list - add the inputs that the file @path ("-": standard input) lists: a
 * path on each line, or WEIGHT,PATH; empty lines and lines with # in front do not
 * count. Errors: SYSTEM, BAD.
 */
enum status merging_list(struct merging *merging, const char *path, struct error *error);

/*
 * merging_run - read all inputs into @model, which has been started. Those that
 * are bad are marked; nothing of them is in the model, unless the mode is
 * FAIL_ON_ANY: then the model is of no use if there is one. Errors: BAD (inputs
 * of kinds that do not mix, which no single one is to blame for).
 */
enum status merging_run(struct merging *merging, struct model *model, struct error *error);

/*
 * merging_whole - after the model was written: the inputs were all there until then,
 * or *@path was cut short meanwhile and the output is of no use. Errors: SYSTEM.
 */
enum status merging_whole(const struct merging *merging, const char **path, struct error *error);

/* merging_free - after the model: that may point into the inputs. */
void merging_free(struct merging *merging);

#endif
