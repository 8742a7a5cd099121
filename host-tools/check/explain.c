/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain.c - `bareprof check --explain ID`: prints the meaning and the page of a finding.
 */
#include "explain.h"
#include "explain_pages.h"
#include "findings.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

static const char *const severities[] = {"note", "warning", "error"};

static const char *const meanings[FINDINGS] = {
#define MEANING(name, word, severity, meaning) meaning,
	CHECK_FINDINGS(MEANING)
#undef MEANING
};

static void list_all(void)
{
	int id;

	for (id = 0; id < FINDINGS; id++)
		printf("%-26s %-8s %s\n", finding_word((enum finding_id)id),
			severities[finding_severity((enum finding_id)id)], meanings[id]);
}

static bool is_called(enum finding_id id, const char *word)
{
	const char *old = finding_old_word(id);

	return !strcmp(finding_word(id), word) || (old && !strcmp(old, word));
}

enum status explain(const char *word)
{
	const char *words[FINDINGS + 1];
	const char *close;
	int id;

	if (!strcmp(word, "list")) {
		list_all();
		return STATUS_OK;
	}
	for (id = 0; id < FINDINGS; id++) {
		words[id] = finding_word((enum finding_id)id);
		if (!is_called((enum finding_id)id, word))
			continue;
		printf("%s (%s)\n%s.\n\n%s", words[id], severities[finding_severity((enum finding_id)id)], meanings[id],
			explain_page((enum finding_id)id));
		return STATUS_OK;
	}
	words[FINDINGS] = NULL;
	close = nearest(word, words);
	fprintf(stderr, "bareprof: check has no finding '%s'%s%s%s 'bareprof check --explain list' lists all of them\n",
		word, close ? "; did you mean '" : ";", close ? close : "", close ? "'?" : "");
	return STATUS_USAGE;
}
