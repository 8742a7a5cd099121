/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_text.c - what a raw version and its variant bits mean, for people.
 */
#include "raw.h"

/* Which releases write each raw version; no other reads it. */
static const struct raw_release releases[] = {
	{BAREPROF_RAW_V5, 10, 12},
	{BAREPROF_RAW_V7, 13, 13},
	{BAREPROF_RAW_V8, 14, 17},
	{BAREPROF_RAW_V9, 18, 18},
	{BAREPROF_RAW_V10, 19, 22},
	{BAREPROF_RAW_V11, 23, 0},
};

const struct raw_release *raw_release(uint64_t version)
{
	size_t i;

	for (i = 0; i < sizeof(releases) / sizeof(*releases); i++)
		if (releases[i].version == version)
			return &releases[i];
	return NULL;
}

void raw_release_text(unsigned int version, struct buffer *text)
{
	const struct raw_release *release = raw_release(version);

	if (!release)
		buffer_add_text(text, "no release of LLVM");
	else if (!release->newest)
		buffer_printf(text, "LLVM %u and later", release->oldest);
	else if (release->oldest == release->newest)
		buffer_printf(text, "LLVM %u", release->oldest);
	else
		buffer_printf(text, "LLVM %u to %u", release->oldest, release->newest);
}

void raw_kind_text(uint64_t version_word, struct buffer *text)
{
	static const struct {
		uint64_t bit;
		const char *text;
	} more[] = {
		{BAREPROF_VARIANT_ENTRY_ONLY, "function entries only"},
		{BAREPROF_VARIANT_BYTE_COVERAGE, "single-byte counters"},
		{BAREPROF_VARIANT_ENTRY_FIRST, "entry counters first"},
		{BAREPROF_VARIANT_LOOP_ENTRIES, "loop entries counted"},
		{BAREPROF_VARIANT_TEMPORAL, "temporal"},
		{BAREPROF_VARIANT_DEBUG_CORRELATE, "records in debug info"},
	};
	size_t i;

	if (version_word & BAREPROF_VARIANT_CSIR)
		buffer_add_text(text, "context-sensitive IR PGO");
	else if (version_word & BAREPROF_VARIANT_IR)
		buffer_add_text(text, "IR PGO");
	else
		buffer_add_text(text, "front-end coverage");
	for (i = 0; i < sizeof(more) / sizeof(*more); i++)
		if (version_word & more[i].bit)
			buffer_printf(text, ", %s", more[i].text);
}
