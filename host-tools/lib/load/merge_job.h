/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_job.h - read many inputs into one model, several at a time.
 */
#ifndef BAREPROF_HOST_MERGE_JOB_H
#define BAREPROF_HOST_MERGE_JOB_H

#include "profile_read.h"

struct merge_input {
	char *path;
	uint64_t weight;
	enum status status; /* not OK: error says why */
	struct error *error;
	struct completion_report report;
	bool has_kind; /* it told its variants */
	uint64_t variants;
};

/*
 * How to have a large file in memory without reading it, for programs that handle
 * what comes of a file which is cut short meanwhile: map() maps a raw profile, or
 * is false; check() tells in the end whether it was all there. Errors: SYSTEM.
 */
struct file_maps {
	bool (*map)(const void *context, const char *path, struct bytes *bytes);
	enum status (*check)(const void *context, struct error *error);
	const void *context;
};

struct merge_job {
	struct merge_input *inputs;
	size_t count;
	size_t room;
	struct read_options options; /* for each input; the job sets weight, report, sums and input_outlives_model */
	bool keep_going; /* bad inputs are left out; else one is enough to fail */
	unsigned int jobs; /* 0: as many as are worth it */
	/* Called after each input, by one thread at a time; NULL: not wanted. */
	void (*progress)(void *context, uint64_t bytes);
	void *context;
	const struct file_maps *maps; /* NULL: all is read */
};

void merge_job_add(struct merge_job *job, const char *path, uint64_t weight);

/*
 * merge_job_run - read all inputs into @model, which has been started. Those that
 * are bad are marked; if it is to keep going, nothing of them is in the model, else
 * the model is of no use then. Inputs of kinds that do not mix are an error either
 * way: no single one is to blame, and what comes out would depend on which is the
 * first. Errors: INVALID_INPUT (that, with both names).
 */
enum status merge_job_run(struct merge_job *job, struct model *model, struct error *error);

/* merge_job_free - after the model: that may point into the inputs. */
void merge_job_free(struct merge_job *job);

#endif
