/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * said.c - the sentences of LLVM's tools. The words are those of releases 13 to 22. Upper and lower case do not matter,
 * because llvm-cov changed them between releases.
 */
#include "said.h"

#include <ctype.h>
#include <stdlib.h>

/* The longest text in which sentences are looked for. Build logs are longer, but the sentence is near their end. */
#define TEXT_MAX (16u << 20)

static const struct {
	const char *words;
	unsigned int sentence;
} sentences[] = {
	/* The first line of each sentence is the one that said_words() returns. */
	{"empty raw profile file", SAID_EMPTY},
	{"unrecognized instrumentation profile encoding format", SAID_ENCODING},
	{"file header is corrupt", SAID_HEADER},
	{"truncated profile data", SAID_TRUNCATED},
	{"malformed instrumentation profile data", SAID_MALFORMED},
	{"raw profile version mismatch", SAID_VERSION},
	{"function name is empty", SAID_NAME},
	{"failed to uncompress data", SAID_UNCOMPRESS},
	{"merge ir generated profile with clang generated profile", SAID_KINDS},
	{"debug info for correlation is required", SAID_CORRELATE},
	{"excessively large counter value", SAID_HUGE},
	{"basic block count change detected", SAID_CHANGED},
	{"no profile data available for file", SAID_UNPROFILED},
	{"mismatched data", SAID_MISMATCH},
	{"no coverage data found", SAID_NO_COVERAGE},
	{"malformed coverage data", SAID_BAD_MAPPING},
	{"unsupported coverage format version", SAID_MAPPING_VERSION},
	{"not recognized as a valid object file", SAID_NO_OBJECT},
	{"the report shows 0", SAID_ZERO},
	{"control flow change detected", SAID_HASH},
	{"instrumentation profile data (bad magic)", SAID_MAGIC},
	/* Other words of the same sentences. */
	{"empty profile", SAID_EMPTY},
	{"profile is empty", SAID_EMPTY},
	{"profile uses zlib compression but", SAID_UNCOMPRESS},
	{"too much profile data", SAID_MALFORMED},
	{"not enough space for another header", SAID_MALFORMED},
	{"number of counters is zero", SAID_MALFORMED},
	{"greater than the maximum", SAID_MALFORMED},
	{"unsupported instrumentation profile format version", SAID_VERSION},
	{"unsupported profiling format version", SAID_VERSION},
	{"uses raw profile format version", SAID_VERSION},
	{"symbol name is empty", SAID_NAME},
	{"merge clang generated profile with ir generated profile", SAID_KINDS},
	{"missing correlation info", SAID_CORRELATE},
	{"debug info/binary for correlation is required", SAID_CORRELATE},
	{"counter overflow", SAID_HUGE},
	{"counter mismatch", SAID_CHANGED},
	{"bitmap size change detected", SAID_CHANGED},
	{"profile data may be out of date: of", SAID_MISMATCH},
	{"hash mismatch", SAID_HASH},
	{"truncated coverage data", SAID_BAD_MAPPING},
	{"malformed coverage", SAID_BAD_MAPPING},
	{"failed to decompress coverage", SAID_BAD_MAPPING},
	{"no profile data available for function", SAID_UNPROFILED},
	{"0.00%", SAID_ZERO},
	{"no covered files", SAID_ZERO},
	{"file format not recognized", SAID_NO_OBJECT},
};
#define ROWS (sizeof(sentences) / sizeof(*sentences))

const char *said_words(unsigned int number)
{
	return sentences[number].words;
}

/* Returns the number after @words in @text, or 0. */
static uint64_t number_after(const char *text, const char *words)
{
	const char *at = strstr(text, words);

	return at ? strtoull(at + strlen(words), NULL, 10) : 0;
}

/* Returns whether @text has @words. If they begin with a digit, they must be a whole number, because 80.00% is not 0.00%. */
static bool has_words(const char *text, const char *words)
{
	const char *at;

	for (at = strstr(text, words); at; at = strstr(at + 1, words))
		if (!isdigit((unsigned char)*words) || at == text || !isdigit((unsigned char)at[-1]))
			return true;
	return false;
}

bool said_read(struct said *said, struct bytes text)
{
	unsigned int found = 0;
	struct buffer low = {0};
	const char *words;
	size_t i;

	if (text.size > TEXT_MAX) {
		text.data += text.size - TEXT_MAX;
		text.size = TEXT_MAX;
	}
	buffer_reserve(&low, text.size + 1);
	for (i = 0; i < text.size; i++) {
		/* A terminal or a CI service may break a sentence into lines. */
		uint8_t c = text.data[i] <= ' ' ? ' ' : (uint8_t)tolower(text.data[i]);

		if (c != ' ' || !low.size || low.data[low.size - 1] != ' ')
			buffer_add(&low, &c, 1);
	}
	words = buffer_string(&low);
	for (i = 0; i < ROWS; i++)
		if (has_words(words, sentences[i].words)) {
			if (!said->words)
				said->words = sentences[i].words;
			found |= sentences[i].sentence;
		}
	if (found & SAID_VERSION) {
		said->has_version = number_after(words, "uses raw profile format version = ");
		said->wants_version = number_after(words, "expected version = ");
	}
	/* The general sentence says less than the one that it contains. */
	if (found & SAID_NAME)
		found &= ~(unsigned int)SAID_MALFORMED;
	buffer_free(&low);
	said->sentences |= found;
	return found != 0;
}
