/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api.h - the implementation of bareprof/profile.h. The api_*.c files only translate between the
 * types of the public API and the types of the library.
 */
#ifndef BAREPROF_HOST_API_H
#define BAREPROF_HOST_API_H

#include "merge_job.h"

/* Only the symbols that this header declares are visible from outside the library. */
#pragma GCC visibility push(default)
#include <bareprof/profile.h>
#pragma GCC visibility pop

struct bareprof_profile {
	struct model model;
	bool sorted; /* the profile has been sorted, so no input can be added any more */
	struct programs programs;
	bool partial;
	struct buffer left_out; /* names of functions that partial profiles lack, each as a string with its zero byte */
	struct arena problems; /* memory for the texts of errors, warnings and notes about inputs */
	struct file_maps maps; /* If maps.map is NULL, files are read and not mapped. */
};

/*
 * api_report - if @status is not OK, copies the text of @error to @message, unless @message is
 * NULL. Returns @status as a status of the public API.
 */
enum bareprof_status api_report(enum status status, const struct error *error, struct bareprof_message *message);

/*
 * api_remark - copies the warning of @report to @message. If @report has no warning, copies its
 * note. Does nothing if @message is NULL. Call api_remark() before api_report(), so that the text
 * of an error replaces the warning in @message.
 */
void api_remark(const struct completion_report *report, struct bareprof_message *message);

/* api_sort - sorts the profile unless it is sorted already. Call api_sort() before you read from the profile. */
void api_sort(struct bareprof_profile *profile);

#endif
