/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_release.c - has a table of the LLVM releases that use each raw version. Also describes raw versions and variant
 * bits in words.
 */
#include "raw_release.h"

#include <bareprof/layout.h>

static const struct raw_release releases[] = {
#define RELEASES(version, oldest, newest, words) {version, oldest, newest, words},
	BAREPROF_RAW_RELEASES(RELEASES)
#undef RELEASES
};

#define AND_LATER(version, oldest, newest, words) +!(newest)
_Static_assert(0 BAREPROF_RAW_RELEASES(AND_LATER) == 1, "exactly one version belongs to all future releases");
#undef AND_LATER

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

	if (release)
		buffer_printf(text, "LLVM %s", release->words);
	else
		buffer_add_text(text, "no release of LLVM");
}

/*
 * The kind of instrumentation does not depend on these variant bits. If one of them is set, messages
 * print its @text after the name of the kind, as in "IR PGO, temporal". @since is the first LLVM
 * release that knows the bit.
 */
static const struct {
	uint64_t bit;
	unsigned int since;
	const char *text;
} more[] = {
	{BAREPROF_VARIANT_ENTRY_ONLY, 14, "function entries only"},
	{BAREPROF_VARIANT_BYTE_COVERAGE, 14, "single-byte counters"},
	{BAREPROF_VARIANT_ENTRY_FIRST, 13, "entry counters first"},
	{BAREPROF_VARIANT_LOOP_ENTRIES, 20, "loop entries counted"},
	{BAREPROF_VARIANT_TEMPORAL, 17, "temporal"},
	{BAREPROF_VARIANT_DEBUG_CORRELATE, 14, "records in debug info"},
};

unsigned int raw_version_of_release(unsigned int release)
{
	size_t i;

	for (i = 0; i < sizeof(releases) / sizeof(*releases); i++)
		if (release >= releases[i].oldest && (!releases[i].newest || release <= releases[i].newest))
			return releases[i].version;
	return 0;
}

void raw_later_kinds(uint64_t version_word, unsigned int release, struct buffer *text)
{
	size_t i;

	for (i = 0; i < sizeof(more) / sizeof(*more); i++)
		if ((version_word & more[i].bit) && release < more[i].since)
			buffer_printf(text, "%sthe kind '%s' (LLVM %u and later)", text->size ? ", " : "", more[i].text,
				more[i].since);
}

void raw_kind_text(uint64_t version_word, struct buffer *text)
{
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
