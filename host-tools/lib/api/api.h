/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api.h - what is behind bareprof/profile.h. The api_*.c files only translate
 * between it and the library; what a profile is, the others know.
 */
#ifndef BAREPROF_HOST_API_H
#define BAREPROF_HOST_API_H

#include "merge_job.h"

/* In the library all else is hidden. */
#pragma GCC visibility push(default)
#include <bareprof/profile.h>
#pragma GCC visibility pop

struct bareprof_profile {
	struct model model;
	bool sorted; /* and nothing can be added any more */
	struct programs programs;
	bool partial;
	struct buffer left_out; /* names of functions, each with a zero byte at its end */
	struct arena problems; /* errors and warnings of inputs */
	struct file_maps maps; /* map is NULL: all is read */
};

/* api_report - hand @error over to the caller, if @status is one, and return it as his. */
enum bareprof_status api_report(enum status status, const struct error *error, struct bareprof_message *message);

/* api_remark - give what is said of a good input to the caller, before api_report() does what is bad. */
void api_remark(const struct completion_report *report, struct bareprof_message *message);

/* api_sort - bring the profile into order, once, before it is looked at. */
void api_sort(struct bareprof_profile *profile);

#endif
