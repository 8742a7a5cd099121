/* SPDX-License-Identifier: BSD-2-Clause */
/* words.c - splits and joins command lines by the rules of GNU's response files. */
#include "words.h"
#include "error.h"
#include "input.h"

#include <ctype.h>
#include <stdlib.h>

/* Appends @word, which the list owns afterwards. */
static void take_word(struct words *words, char *word)
{
	/* The list needs room for a NULL after its last word. */
	words->list = array_grow(words->list, words->count + 1, &words->room, sizeof(*words->list));
	words->list[words->count++] = word;
	words->list[words->count] = NULL;
}

void words_add(struct words *words, const char *word)
{
	take_word(words, format("%s", word));
}

void words_add_all(struct words *words, char *const *list)
{
	for (; *list; list++)
		words_add(words, *list);
}

void words_free(struct words *words)
{
	size_t i;

	for (i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct words){0};
}

/* Removes the first word from @text and appends it to @word. */
static void split_word(struct bytes *text, struct buffer *word)
{
	uint8_t quote = 0;

	for (; text->size && (quote || !isspace(*text->data)); text->data++, text->size--) {
		uint8_t c = *text->data;

		if (c == '\\' && text->size > 1) {
			text->data++;
			text->size--;
			buffer_add(word, text->data, 1);
		} else if (quote ? c == quote : c == '\'' || c == '"') {
			quote = quote ? 0 : c;
		} else {
			buffer_add(word, &c, 1);
		}
	}
}

void words_split(struct words *words, struct bytes text)
{
	for (;;) {
		struct buffer word = {0};

		while (text.size && isspace(*text.data)) {
			text.data++;
			text.size--;
		}
		if (!text.size)
			return;
		split_word(&text, &word);
		words_add(words, buffer_string(&word));
		buffer_free(&word);
	}
}

bool words_expand(struct words *words, char *const *list)
{
	/* The words that are not handled yet. A response file is replaced by its words, so that nothing recurses. */
	struct words open = {0};
	struct words file = {0};
	size_t files = 0;
	bool complete = true;

	for (; *list && complete; list++) {
		words_add(&open, *list);
		while (open.count && complete) {
			char *word = open.list[--open.count];
			struct input input = {0};
			struct error ignored;

			open.list[open.count] = NULL;
			if (word[0] != '@' || !word[1] || !strcmp(word, "@-") ||
				input_read(&input, word + 1, &ignored) != STATUS_OK) {
				take_word(words, word);
				continue;
			}
			complete = ++files <= WORDS_FILES_MAX;
			words_split(&file, input.bytes);
			while (file.count)
				take_word(&open, file.list[--file.count]);
			input_free(&input);
			free(word);
		}
	}
	words_free(&open);
	words_free(&file);
	return complete;
}

void words_quote(struct buffer *text, char *const *list)
{
	const char *c;

	for (; *list; list++) {
		buffer_add_text(text, "\"");
		for (c = *list; *c; c++) {
			if (*c == '"' || *c == '\\')
				buffer_add_text(text, "\\");
			buffer_add(text, c, 1);
		}
		buffer_add_text(text, "\"\n");
	}
}
