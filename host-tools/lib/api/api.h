/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api.h - the implementation of bareprof/profile.h. The api_*.c files only translate between the
 * types of the public API and those of the library.
 */
#ifndef BAREPROF_HOST_API_H
#define BAREPROF_HOST_API_H

#include "merge_job.h"

/* Only these symbols of the library are visible from outside. */
#pragma GCC visibility push(default)
#include <bareprof/profile.h>
#pragma GCC visibility pop

struct bareprof_profile {
	struct model model;
	bool sorted; /* the profile has been sorted, so nothing can be added any more */
	struct programs programs;
	bool partial;
	struct buffer left_out; /* names of functions that partial profiles lack, each as a string with its zero byte */
	struct arena problems; /* texts of the errors and warnings about inputs */
	struct file_maps maps; /* maps.map is NULL: files are read, not mapped */
};

/* api_report - copies @error to @message unless @status is OK. Returns @status as a status of the public API. */
enum bareprof_status api_report(enum status status, const struct error *error, struct bareprof_message *message);

/* api_remark - copies the warnings of @report to @message. Call it before api_report(), whose error replaces them. */
void api_remark(const struct completion_report *report, struct bareprof_message *message);

/* api_sort - sorts the profile unless it is sorted already. Call it before reading from the profile. */
void api_sort(struct bareprof_profile *profile);

#endif
