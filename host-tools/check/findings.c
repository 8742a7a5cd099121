/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * findings.c - the table of findings.
 */
#include "findings.h"

static const struct {
	const char *word;
	enum severity severity;
} findings[FINDINGS] = {
#define ROW(name, word, severity, meaning) {word, SEVERITY_##severity},
	CHECK_FINDINGS(ROW)
#undef ROW
};

static const char *const old_words[FINDINGS] = {
#define OLD(name, word) [FINDING_##name] = word,
	CHECK_FINDINGS_RENAMED(OLD)
#undef OLD
};

const char *finding_word(enum finding_id id)
{
	return findings[id].word;
}

const char *finding_old_word(enum finding_id id)
{
	return old_words[id];
}

enum severity finding_severity(enum finding_id id)
{
	return findings[id].severity;
}
