/* SPDX-License-Identifier: BSD-2-Clause */
/* merge_messages.c - prints the errors, warnings and notes about the inputs of a merge. */
#include "merge_messages.h"
#include "exit.h"
#include "input.h"

/* The maximum number of warnings about inputs that are printed. */
#define WARNINGS_MAX 20

size_t merge_print_bad(const struct merge_list *list, bool all)
{
	size_t bad = 0;
	size_t i;

	for (i = 0; i < list->count && (all || !bad); i++) {
		const struct bareprof_input *input = &list->inputs[i];

		if (input->status == BAREPROF_STATUS_OK)
			continue;
		bad++;
		complain(input_name(input->path), "%s%s", input->error,
			all || list->count == 1 ? "" : " (with --failure-mode warn, the other inputs are merged)");
	}
	return bad;
}

void merge_print_sentences(const struct merge_list *list, const char *kind, bool notes)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < list->count; i++) {
		const char *sentence = notes ? list->inputs[i].note : list->inputs[i].warning;

		if (sentence && count++ < WARNINGS_MAX)
			complain(input_name(list->inputs[i].path), "%s: %s", kind, sentence);
	}
	if (count > WARNINGS_MAX)
		complain(NULL, "%s: %zu more inputs have %ss, which are not shown", kind, count - WARNINGS_MAX, kind);
}
