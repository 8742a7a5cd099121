/* SPDX-License-Identifier: BSD-2-Clause */
/* impossible.c - warns of impossible counts. Lines with such counts would look as if they had run very often. */
#include "counts_check.h"
#include "exit.h"
#include "report.h"

void report_impossible(struct report *report, size_t i)
{
	struct counts_check check = {.negative = false};
	struct buffer text = {0};
	size_t n;

	/* The counts of the only profile are those of the report, which were checked before. */
	for (n = 0; n < report->coverage.count && report->count == 1; n++)
		counts_check_add(&check, report->coverage.functions[n].name, report->coverage.functions[n].verdict);
	if (report->count > 1)
		counts_check_program(&check, report->pairs[i].mapping, &report->pairs[i].model);
	report->impossible += check.impossible.count;
	if (check.impossible.count) {
		counts_check_text(&check, &text);
		complain(input_name(report->pairs[i].profile_path), "%s", buffer_string(&text));
	}
	if (check.dead.count) {
		text.size = 0;
		counts_check_dead_text(&check, &text);
		complain(input_name(report->pairs[i].profile_path), "%s", buffer_string(&text));
	}
	buffer_free(&text);
	counts_check_free(&check);
}
