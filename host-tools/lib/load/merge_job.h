/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_job.h - reads many inputs into one model, several inputs at the same time.
 */
#ifndef BAREPROF_HOST_MERGE_JOB_H
#define BAREPROF_HOST_MERGE_JOB_H

#include "profile_read.h"

struct merge_input {
	char *path;
	uint64_t weight;
	enum status status;
	struct error *error; /* the error, if @status is not OK */
	struct completion_report report;
	bool has_kind; /* true: the reader found the kind of the input, so @variants is valid */
	uint64_t variants;
};

/*
 * Functions that map large files instead of reading them. A program may use them only if it handles
 * the signal that is raised if a mapped file is truncated.
 * map() - maps the raw profile at @path and returns true. Returns false if the file has to be read
 * instead.
 * check() - is called after the profile was read. Returns an error if the mapped file was truncated
 * in the meantime. Errors: SYSTEM.
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
	/* options for each input; the job itself sets weight, report, sums, add_dumps and input_outlives_model */
	struct read_options options;
	bool keep_going; /* true: bad inputs are left out; false: the job fails at the first bad input */
	unsigned int jobs; /* number of threads; 0: computed from the size of the inputs */
	/*
	 * Called with the size of each input after that input was read. Only one thread at a time
	 * calls this function. May be NULL.
	 */
	void (*progress)(void *context, uint64_t bytes);
	void *context; /* passed to progress() */
	const struct file_maps *maps; /* NULL: all files are read */
};

/*
 * merge_job_add - adds the input at @path to the list of inputs. All counts of the input will be
 * multiplied by @weight.
 */
void merge_job_add(struct merge_job *job, const char *path, uint64_t weight);

/*
 * merge_job_run - reads all inputs into @model, for which model_start() was called before. Each bad input gets a status
 * and an error. If keep_going is true, @model contains nothing of a bad input. If keep_going is false and there is a
 * bad input, the caller must free @model without using it. If the kinds of two inputs cannot be merged, the whole job
 * fails, even if keep_going is true. Neither of these inputs is bad by itself. If one of them were left out, the result
 * would depend on the order of the inputs. Errors: INVALID_INPUT if two kinds cannot be merged; the
 * text names both inputs.
 */
enum status merge_job_run(struct merge_job *job, struct model *model, struct error *error);

/* merge_job_free - frees the job. Free the model before the job, because the model may point into the inputs. */
void merge_job_free(struct merge_job *job);

#endif
