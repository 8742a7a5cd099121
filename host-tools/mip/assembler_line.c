/* SPDX-License-Identifier: BSD-2-Clause */
/* assembler_line.c - finds the input among the arguments of the GNU assembler. */
#include "assembler_line.h"

/*
 * The options of the GNU assembler (binutils 2.40; x86, Arm, AArch64) whose argument is another word. A long option may
 * have one dash or two.
 */
static bool takes_next(const char *word)
{
	static const char *const names[] = {"defsym", "MD", "debug-prefix-map", "hash-size", "listing-lhs-width",
		"listing-lhs-width2", "listing-rhs-width", "listing-cont-lines", "march", "mtune", "size-check",
		"elf-stt-common", "generate-missing-build-notes", "gdwarf-cie-version"};
	size_t i;

	if (!strcmp(word, "-o") || !strcmp(word, "-I"))
		return true;
	word += starts_with(word, "--") ? 2 : 1;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(word, names[i]))
			return true;
	return false;
}

static bool only_prints(const char *word)
{
	return !strcmp(word, "--version") || !strcmp(word, "-version") || !strcmp(word, "--help") ||
	       !strcmp(word, "--target-help") || !strcmp(word, "--dump-config");
}

static void read_option(struct assembler_line *line, size_t index)
{
	const char *word = line->words.list[index];
	const char *bare = word + (starts_with(word, "--") ? 2 : 1);

	if (only_prints(word))
		line->assembles = false;
	else if (!strcmp(word, "--32") || !strcmp(word, "--x32"))
		line->has_other_width = true;
	else if (!strcmp(word, "-EB") || !strcmp(word, "-EL"))
		line->is_big_endian = !strcmp(word, "-EB");
	else if (!strcmp(word, "-k") || !strcmp(word, "-K"))
		line->position_independent = true;
	else if (!strcmp(bare, "MD") && line->words.list[index + 1])
		line->dependency_file = line->words.list[index + 1];
	else if (starts_with(bare, "MD="))
		line->dependency_file = bare + 3;
}

void assembler_line_read(struct assembler_line *line, char *const *words)
{
	bool only_inputs = false;
	size_t i;

	*line = (struct assembler_line){.assembles = true, .input = ASSEMBLER_STDIN};
	/* The assembler prints the error about response files that name each other. */
	line->assembles = words_expand(&line->words, words);
	for (i = 0; i < line->words.count; i++) {
		const char *word = line->words.list[i];

		if (!only_inputs && !strcmp(word, "--")) {
			/* The GNU assembler reads its standard input if this is the last word. */
			only_inputs = true;
		} else if (!only_inputs && word[0] == '-' && word[1]) {
			read_option(line, i);
			i += takes_next(word);
		} else if (!line->inputs++) {
			line->input = strcmp(word, "-") ? i : ASSEMBLER_STDIN;
		} else if (!line->second) {
			line->second = word;
		}
	}
}

void assembler_line_free(struct assembler_line *line)
{
	words_free(&line->words);
}

bool is_assembler(const char *path)
{
	static const char *const others[] = {"cc1", "cc1plus", "cc1obj", "cc1objplus", "f951", "gnat1", "d21", "go1",
		"lto1", "lto-wrapper", "collect2", "ld", "ld.bfd", "ld.gold", "ld.lld", "objcopy"};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		size_t n = strlen(others[i]);
		size_t length = strlen(name);

		/* A cross tool has a prefix, such as arm-none-eabi-ld. */
		if (length >= n && !strcmp(name + length - n, others[i]) &&
			(length == n || name[length - n - 1] == '-'))
			return false;
	}
	return true;
}
