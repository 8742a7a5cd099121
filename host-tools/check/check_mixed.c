/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_mixed.c - objects of two compilers in one image: whose they are. What
 * fewer records are of is what to compile again.
 */
#include "check.h"
#include "units.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 4u

static const char *release(unsigned int version)
{
	return version >= BAREPROF_RAW_V11   ? "11 (LLVM 23 and later)"
	       : version >= BAREPROF_RAW_V10 ? "10 (LLVM 19 to 22)"
	       : version >= BAREPROF_RAW_V9  ? "9 (LLVM 18)"
	       : version >= BAREPROF_RAW_V8  ? "8 (LLVM 14 to 17)"
	       : version >= BAREPROF_RAW_V7  ? "7 (LLVM 13)"
	                                     : "5 (LLVM 10 to 12)";
}

/* A list of words, each once. */
struct words {
	char **list;
	size_t count;
	size_t room;
};

static void add_word(struct words *words, char *word)
{
	size_t i;

	/* Records of one object stand together, so the search is short. */
	for (i = words->count; i-- && words->count - i <= 64;)
		if (!strcmp(words->list[i], word)) {
			free(word);
			return;
		}
	words->list = grow(words->list, words->count, &words->room, sizeof(*words->list));
	words->list[words->count++] = word;
}

static void list_words(const struct words *words, size_t most, const char *between, struct buffer *text)
{
	size_t i;

	for (i = 0; i < words->count && i < most; i++)
		buffer_printf(text, "%s%s", i ? between : "", words->list[i]);
	if (words->count > most)
		buffer_printf(text, " and %zu more", words->count - most);
}

static void free_words(struct words *words)
{
	while (words->count)
		free(words->list[--words->count]);
	free(words->list);
}

/* The records of each version, where every record is told to be of the one that the last was of, if it can. */
struct tally {
	size_t first; /* records of the version that comes first */
	size_t other;
	size_t unknown;
};

typedef void each_record(void *context, const struct record *record, bool other);

static struct tally walk(const struct records *records, each_record *each, void *context)
{
	const unsigned int versions[2] = {records->version, records->other};
	struct tally tally = {0, 0, 0};
	bool other = false;
	size_t at = 0;

	while (at < records->bytes.size) {
		struct record record;
		size_t tries;

		for (tries = 0; tries < 2; tries++, other = !other)
			if (record_at(records, versions[other], at, &record) && record_fits(records, &record) &&
				record_known(records, &record))
				break;
		if (tries == 2) {
			tally.unknown = records->bytes.size - at;
			return tally;
		}
		if (each)
			each(context, &record, other);
		tally.first += !other;
		tally.other += other;
		at += BAREPROF_RECORD_SIZE(versions[other], records->width);
	}
	return tally;
}

struct search {
	const struct check *check;
	struct units units;
	bool other; /* whose records are looked for */
	struct words files;
	struct words functions;
};

static void collect(void *context, const struct record *record, bool other)
{
	struct search *search = context;
	char *file;

	if (other != search->other)
		return;
	add_word(&search->functions, check_function(search->check, record));
	file = units_file(&search->units, record->name);
	if (file)
		add_word(&search->files, file);
}

void check_mixed(struct check *check)
{
	const struct records *records = &check->records;
	const struct image *image = &check->image;
	struct search search = {.check = check};
	struct tally tally = walk(records, NULL, NULL);
	struct buffer functions = {0};
	struct buffer files = {0};
	struct buffer line = {0};
	struct finding *finding;
	size_t few;

	search.other = tally.other <= tally.first;
	few = search.other ? tally.other : tally.first;
	units_read(&search.units, image_content(image, image_section(image, "__llvm_covmap")),
		image_content(image, image_section(image, "__llvm_covfun")), image->big);
	walk(records, collect, &search);
	list_words(&search.functions, SHOWN, ", ", &functions);
	list_words(&search.files, SHOWN, ", ", &files);
	list_words(&search.files, search.files.count, " ", &line);
	finding = check_add(check, SEVERITY_ERROR, "two-compilers",
		"the image has objects of two compilers: %zu record%s (of %s%s%s%s) of raw version %s, %zu of %s%s; it "
		"was compiled by: %s",
		few, few == 1 ? " is" : "s are", buffer_string(&functions), files.size ? ", from " : "",
		buffer_string(&files), tally.unknown ? ", and what follows" : "",
		release(search.other ? records->other : records->version), search.other ? tally.first : tally.other,
		release(search.other ? records->version : records->other), tally.unknown ? ", the rest of neither" : "",
		check->compilers.size ? buffer_string(&check->compilers) : "(.comment was dropped)");
	fix_add(finding, PLACE_COMPILE_AGAIN, "%s", line.size ? buffer_string(&line) : "everything");
	if (search.functions.count)
		finding->function = format("%s", search.functions.list[0]);
	buffer_free(&functions);
	buffer_free(&files);
	buffer_free(&line);
	free_words(&search.functions);
	free_words(&search.files);
	units_free(&search.units);
}
