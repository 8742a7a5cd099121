/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_list.h - which files to merge, from the command line and from lists.
 */
#ifndef BAREPROF_HOST_MERGE_LIST_H
#define BAREPROF_HOST_MERGE_LIST_H

#include "error.h"

#include <bareprof/profile.h>

/* The highest weight that can be asked for. */
#define WEIGHT_MAX UINT32_MAX

/* Starts as all zeros, ends with merge_list_free(). */
struct merge_list {
	struct bareprof_input *inputs;
	size_t count;
	size_t room;
};

/*
 * merge_list_add - add the file @path ("-": standard input), or all files in the
 * folder @path and those below it. Errors: SYSTEM, INVALID_INPUT (a folder without files).
 */
enum status merge_list_add(struct merge_list *list, const char *path, uint64_t weight, struct error *error);

/*
 * merge_list_read - add the inputs that the file @path ("-": standard input) lists:
 * a path on each line, or WEIGHT,PATH; empty lines, lines with # in front and blanks
 * at either end do not count. Errors: SYSTEM, INVALID_INPUT.
 */
enum status merge_list_read(struct merge_list *list, const char *path, struct error *error);
void merge_list_free(struct merge_list *list);

#endif
