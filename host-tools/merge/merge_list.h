/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge_list.h - the files to merge, from the command line and from lists.
 */
#ifndef BAREPROF_HOST_MERGE_LIST_H
#define BAREPROF_HOST_MERGE_LIST_H

#include "error.h"

#include <bareprof/profile.h>

/* The maximum of --weight, and of the weights in --weighted-input and in a list. */
#define WEIGHT_MAX UINT32_MAX

/* The inputs of a merge. Starts as all zeros and ends with merge_list_free(). */
struct merge_list {
	struct bareprof_input *inputs;
	size_t count;
	size_t room;
};

/*
 * merge_list_add - adds the file @path ("-": standard input), or all files in the folder @path
 * and its subfolders. Errors: SYSTEM, INVALID_INPUT (a folder without files).
 */
enum status merge_list_add(struct merge_list *list, const char *path, uint64_t weight, struct error *error);

/*
 * merge_list_weighted - parses @text, which has the form WEIGHT,PATH. Returns the start of PATH in @text, and sets
 * *@weight. Returns NULL if @text does not have this form.
 */
const char *merge_list_weighted(const char *text, uint64_t *weight);

/*
 * merge_list_read - adds the inputs that the file @path ("-": standard input) lists. Each line
 * is a path, or WEIGHT,PATH. Empty lines, lines that begin with #, and blanks at both ends of a line are ignored.
 * Errors: SYSTEM, INVALID_INPUT.
 */
enum status merge_list_read(struct merge_list *list, const char *path, struct error *error);
void merge_list_free(struct merge_list *list);

#endif
