/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * culprits.c - the functions and source files that a finding is about.
 */
#include "culprits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* At most this many functions or files are named. */
#define SHOWN 4u
/* A new word is compared only with this many of the last words, because the records of one object are adjacent. */
#define NEAR 64u

char *record_function(const struct check *check, const struct record *record)
{
	const struct name *name = names_find(&check->names, record->name);

	if (!name)
		return format("<name hash %016" PRIx64 ">", record->name);
	return format("%.*s", (int)(name->text.size & 0xff), (const char *)name->text.data);
}

char *record_function_at(const struct check *check, size_t at)
{
	const struct records *records = &check->records;
	struct record record;

	/*
	 * If the version is unknown, any version will do, because the name hash is the first field of a record in all
	 * versions.
	 */
	if (record_at(records, records->version ? records->version : BAREPROF_RAW_V8, at, &record))
		return record_function(check, &record);
	return format("<record cut short>");
}

static void add_word(struct words *words, char *word)
{
	size_t i;

	for (i = words->count; i-- && words->count - i <= NEAR;)
		if (!strcmp(words->list[i], word)) {
			free(word);
			return;
		}
	words->list = array_grow(words->list, words->count, &words->room, sizeof(*words->list));
	words->list[words->count++] = word;
}

static void list_words(const struct words *words, size_t max, const char *between, struct buffer *text)
{
	size_t i;

	for (i = 0; i < words->count && i < max; i++)
		buffer_printf(text, "%s%s", i ? between : "", words->list[i]);
	if (words->count > max)
		buffer_printf(text, " and %zu more", words->count - max);
}

static void free_words(struct words *words)
{
	while (words->count)
		free(words->list[--words->count]);
	free(words->list);
}

void culprits_start(struct culprits *culprits, const struct check *check)
{
	const struct image *image = &check->image;

	*culprits = (struct culprits){.check = check};
	units_read(&culprits->units, image_content(image, image_section(image, "__llvm_covmap")),
		image_content(image, image_section(image, "__llvm_covfun")), image->big);
}

void culprits_add(struct culprits *culprits, const struct record *record)
{
	char *file = units_file(&culprits->units, record->name);

	add_word(&culprits->functions, record_function(culprits->check, record));
	if (file)
		add_word(&culprits->files, file);
}

void culprits_text(const struct culprits *culprits, struct buffer *text)
{
	list_words(&culprits->functions, SHOWN, ", ", text);
	if (!culprits->files.count)
		return;
	buffer_printf(text, ", from ");
	list_words(&culprits->files, SHOWN, ", ", text);
}

void culprits_add_files(const struct culprits *culprits, struct finding *finding, enum fix_location location)
{
	const struct words *words = culprits->files.count ? &culprits->files : &culprits->functions;
	struct buffer line = {0};

	list_words(words, words->count, " ", &line);
	fix_add(finding, location, "%s", buffer_string(&line));
	if (culprits->functions.count)
		finding->function = format("%s", culprits->functions.list[0]);
	buffer_free(&line);
}

void culprits_add_fix(const struct culprits *culprits, struct finding *finding)
{
	struct buffer line = {0};

	list_words(&culprits->files, culprits->files.count, " ", &line);
	fix_add(finding, FIX_COMPILE_AGAIN, "%s", line.size ? buffer_string(&line) : "everything");
	if (culprits->functions.count)
		finding->function = format("%s", culprits->functions.list[0]);
	buffer_free(&line);
}

void culprits_end(struct culprits *culprits)
{
	free_words(&culprits->functions);
	free_words(&culprits->files);
	units_free(&culprits->units);
}
