/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_symbols.c - reads a list of symbols in place of an ELF file. Each line has an address, perhaps a type, and a name,
 * as nm and /proc/kallsyms print them.
 */
#include "image.h"
#include "input.h"

#include <stdlib.h>

/* Longer lines have long C++ names, which are not needed. */
#define LINE_MAX_BYTES 512
/* A word of a line, and the words of /proc/kallsyms that name a module in brackets. */
#define WORDS 4

/* Splits @line, which is changed, and returns the number of words. */
static unsigned int split(char *line, char *words[WORDS])
{
	unsigned int count = 0;
	char *rest = NULL;
	char *word;

	for (word = strtok_r(line, " \t\r", &rest); word && count < WORDS; word = strtok_r(NULL, " \t\r", &rest))
		words[count++] = word;
	return count;
}

/* Adds the symbol in @text. Returns false if @text is no line of such a list. */
static bool add_line(struct image *image, size_t *room, struct bytes text)
{
	char line[LINE_MAX_BYTES];
	char *words[WORDS];
	struct image_symbol *symbol;
	unsigned int count;
	char *end;

	if (text.size >= sizeof(line))
		return true;
	memcpy(line, text.data, text.size);
	line[text.size] = '\0';
	count = split(line, words);
	/* nm prints no address for undefined symbols. The symbols of modules have the name of the module after them. */
	if (!count || (count == 2 && strlen(words[0]) == 1) || count == WORDS)
		return true;
	if (count == 1)
		return false;
	image->symbols = array_grow(image->symbols, image->symbol_count, room, sizeof(*image->symbols));
	symbol = &image->symbols[image->symbol_count];
	*symbol = (struct image_symbol){.value = strtoull(words[0], &end, 16), .file = ""};
	if (*end)
		return false;
	/* All other symbols of a kernel would only take memory. */
	if (!strstr(words[count - 1], "__llvm_") && !strstr(words[count - 1], "bareprof"))
		return true;
	symbol->name = format("%s", words[count - 1]);
	image->symbol_count++;
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct image_symbol *)a)->name, ((const struct image_symbol *)b)->name);
}

enum status image_symbols(struct image *image, const char *path, struct error *error)
{
	struct input input = {0};
	enum status status = input_read(&input, path, error);
	struct bytes left = input.bytes;
	size_t room = 0;
	size_t number = 0;

	*image = (struct image){.fd = -1, .listed = true};
	while (status == STATUS_OK && left.size) {
		const uint8_t *newline = memchr(left.data, '\n', left.size);
		size_t size = newline ? (size_t)(newline - left.data) : left.size;

		number++;
		if (memchr(left.data, 0, size) || !add_line(image, &room, (struct bytes){left.data, size}))
			status = error_set(error, STATUS_INVALID_INPUT,
				"is no list of symbols: line %zu is not ADDRESS TYPE NAME; give the output of nm, a "
				"System.map, or /proc/kallsyms",
				number);
		size += newline ? 1 : 0;
		left.data += size;
		left.size -= size;
	}
	input_free(&input);
	if (image->symbol_count)
		qsort(image->symbols, image->symbol_count, sizeof(*image->symbols), compare_names);
	return status;
}
