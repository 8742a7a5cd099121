/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * culprits.c - name the functions and files of some records, each once.
 */
#include "culprits.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 4u
/* Records of one object stand together: so many words are looked at for the same. */
#define NEAR 64u

static void add_word(struct words *words, char *word)
{
	size_t i;

	for (i = words->count; i-- && words->count - i <= NEAR;)
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

void whose_start(struct whose *whose, const struct check *check)
{
	const struct image *image = &check->image;

	*whose = (struct whose){.check = check};
	units_read(&whose->units, image_content(image, image_section(image, "__llvm_covmap")),
		image_content(image, image_section(image, "__llvm_covfun")), image->big);
}

void whose_add(struct whose *whose, const struct record *record)
{
	char *file = units_file(&whose->units, record->name);

	add_word(&whose->functions, check_function(whose->check, record));
	if (file)
		add_word(&whose->files, file);
}

void whose_say(const struct whose *whose, struct buffer *text)
{
	buffer_printf(text, "of ");
	list_words(&whose->functions, SHOWN, ", ", text);
	if (!whose->files.count)
		return;
	buffer_printf(text, ", from ");
	list_words(&whose->files, SHOWN, ", ", text);
}

void whose_mend(const struct whose *whose, struct finding *finding)
{
	struct buffer line = {0};

	list_words(&whose->files, whose->files.count, " ", &line);
	fix_add(finding, PLACE_COMPILE_AGAIN, "%s", line.size ? buffer_string(&line) : "everything");
	if (whose->functions.count)
		finding->function = format("%s", whose->functions.list[0]);
	buffer_free(&line);
}

void whose_end(struct whose *whose)
{
	free_words(&whose->functions);
	free_words(&whose->files);
	units_free(&whose->units);
}
