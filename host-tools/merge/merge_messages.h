/* SPDX-License-Identifier: BSD-2-Clause */
/* merge_messages.h - errors, warnings and notes about the inputs of a merge. */
#ifndef BAREPROF_HOST_MERGE_MESSAGES_H
#define BAREPROF_HOST_MERGE_MESSAGES_H

#include "merge_list.h"

/*
 * merge_print_bad - prints the error of the first bad input, or of all bad inputs if @all is set. Returns the number of
 * errors that it printed.
 */
size_t merge_print_bad(const struct merge_list *list, bool all);

/*
 * merge_print_sentences - prints the warnings about the inputs, or the notes about the inputs if @notes is true. It
 * prints only the first of them, because thousands of inputs can have the same warning. @kind is the word before each.
 */
void merge_print_sentences(const struct merge_list *list, const char *kind, bool notes);

#endif
