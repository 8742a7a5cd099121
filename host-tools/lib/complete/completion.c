/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * completion.c - frees the report about a completed profile.
 */
#include "completion.h"

void completion_report_free(struct completion_report *report)
{
	buffer_free(&report->warning);
	buffer_free(&report->note);
	buffer_free(&report->left_out);
	buffer_free(&report->origin);
}
