/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_job.h - reads many inputs into one model, several at a time.
 */
#ifndef BAREPROF_HOST_MERGE_JOB_H
#define BAREPROF_HOST_MERGE_JOB_H

#include "profile_read.h"

struct merge_input {
	char *path;
	uint64_t weight;
	enum status status;
	struct error *error; /* if @status is not OK */
	struct completion_report report;
	bool has_kind; /* @variants is known */
	uint64_t variants;
};

/*
 * Maps large files instead of reading them, for programs that handle the signal that is raised if
 * a mapped file is truncated. map() maps the raw profile at @path and returns true; it returns
 * false if the file has to be read. check() is called at the end, and returns an error if the
 * file was truncated meanwhile. Errors: SYSTEM.
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
	bool keep_going; /* leave bad inputs out; otherwise the job fails at the first one */
	unsigned int jobs; /* threads; 0: by the size of the inputs */
	/* Called with the size of each input after it was read, by one thread at a time. May be NULL. */
	void (*progress)(void *context, uint64_t bytes);
	void *context; /* for progress() */
	const struct file_maps *maps; /* NULL: all files are read */
};

/* merge_job_add - adds the input at @path, whose counts are multiplied by @weight. */
void merge_job_add(struct merge_job *job, const char *path, uint64_t weight);

/*
 * merge_job_run - reads all inputs into @model, which has been started. Bad inputs get a status
 * and an error. With keep_going nothing of a bad input is in the model; without it the caller
 * frees the model unused. Inputs whose kinds cannot be merged are an error in both cases: neither
 * of the two inputs is bad by itself, and the result would depend on which one comes first.
 * Errors: INVALID_INPUT (kinds that cannot be merged; the message names both inputs).
 */
enum status merge_job_run(struct merge_job *job, struct model *model, struct error *error);

/* merge_job_free - frees the job. Free the model first, because it may point into the inputs. */
void merge_job_free(struct merge_job *job);

#endif
