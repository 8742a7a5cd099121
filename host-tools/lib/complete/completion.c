/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * completion.c - functions for reports about completed profiles. They free a report, compare the
 * origins of two captures, and warn about a capture that was added twice.
 */
#include "completion.h"

#include <string.h>

void completion_report_free(struct completion_report *report)
{
	buffer_free(&report->warning);
	buffer_free(&report->note);
	buffer_free(&report->left_out);
	buffer_free(&report->origin);
}

bool completion_same_origin(const struct completion_report *a, const struct completion_report *b)
{
	return a->origin.size && a->origin.size == b->origin.size &&
	       !memcmp(a->origin.data, b->origin.data, a->origin.size);
}

void completion_add_repeated(struct buffer *text, const char *earlier)
{
	buffer_printf(text,
		"comes from the same boot as %.1000s with no reset in between, so counts were added twice: leave out "
		"the earlier capture; if the two captures come from different boots, give each boot a different nonce",
		earlier);
}
