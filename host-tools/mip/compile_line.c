/* SPDX-License-Identifier: BSD-2-Clause */
/* compile_line.c - finds the inputs in the command line of a compiler, and the options that change its outputs. */
#include "compile_line.h"

#include <stdlib.h>

/* The state of the reader until it has read all words. */
struct reader {
	struct compile_line *line;
	const char *language; /* argument of the last -x; NULL: the extension tells the language */
	bool only_inputs;
	bool makes_object; /* there is no option such as -E or -S */
	bool has_compile; /* there is -c */
	/* The options that cannot be rewritten; NULL: none. A later option can cancel an earlier one. */
	const char *lto;
	const char *split_dwarf;
	const char *bitcode;
	const char *refused;
};

/* Returns whether @word is in @list, whose words are separated by spaces. */
static bool in_list(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
		if (strcspn(list, " ") == n && !strncmp(list, word, n))
			return true;
	return false;
}

static const char *extension_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');

	return dot ? dot : "";
}

char *file_stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return format("%.*s", (int)(strlen(name) - strlen(extension_of(name))), name);
}

char *with_extension(const char *path, const char *extension)
{
	return format("%.*s%s", (int)(strlen(path) - strlen(extension_of(path))), path, extension);
}

/* Fortran, D, Go and Ada are in this list too, so that no code is left out without a message. */
static enum input_kind kind_of_extension(const char *path)
{
	const char *extension = extension_of(path);

	if (in_list(".c .i .ii .m .mi .mm .M .mii .cc .cp .cxx .cpp .CPP .c++ .C .ixx .cppm .ccm .cxxm .c++m .ll .bc "
		    ".f .F .for .f90 .F90 .f95 .f03 .f08 .d .go .adb .ads",
		    extension))
		return INPUT_SOURCE;
	if (in_list(".S .sx .h .hh .H .hp .hxx .hpp .HPP .h++ .tcc", extension))
		return INPUT_UNCHANGED;
	return in_list(".s", extension) ? INPUT_ASSEMBLY : INPUT_LINKER;
}

static enum input_kind kind_of_language(const char *language)
{
	if (!strcmp(language, "assembler"))
		return INPUT_ASSEMBLY;
	/* A header becomes a precompiled header, which contains no code. */
	if (!strcmp(language, "assembler-with-cpp") || strstr(language, "header"))
		return INPUT_UNCHANGED;
	return INPUT_SOURCE;
}

static void read_input(struct reader *reader, const char *path, struct compile_word *meaning)
{
	if (reader->language && strcmp(reader->language, "none"))
		meaning->language = reader->language;
	meaning->kind = meaning->language ? kind_of_language(meaning->language) : kind_of_extension(path);
	reader->line->compiled += meaning->kind != INPUT_LINKER;
	reader->line->sources += meaning->kind == INPUT_SOURCE || meaning->kind == INPUT_ASSEMBLY;
}

/* Reads the words in @list, which commas separate. They are arguments of the assembler. */
static void read_assembler(struct compile_line *line, const char *list)
{
	static const char implicit_it[] = "-mimplicit-it=";

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
		size_t n = strcspn(list, ",");

		line->warns_fatally = line->warns_fatally || (n == 16 && starts_with(list, "--fatal-warnings"));
		line->warns_not = line->warns_not || (n == 9 && starts_with(list, "--no-warn")) ||
		                  (n == 2 && starts_with(list, "-W"));
		if (starts_with(list, implicit_it))
			line->implicit_it = list + strlen(implicit_it);
	}
}

/* -Wp,-MD,FILE is an old way to write -MD -MF FILE. The makefiles of Linux use it. */
static void read_preprocessor(struct compile_line *line, const char *list)
{
	if (!starts_with(list, "-MD") && !starts_with(list, "-MMD"))
		return;
	line->makes_dependencies = true;
	if (strchr(list, ','))
		line->dependency_file = strchr(list, ',') + 1;
}

/*
 * Remembers the option @word if its output cannot be rewritten, and forgets such an option if @word switches it off.
 * Returns false if @effect is another one.
 */
static bool read_obstacle(struct reader *reader, enum compiler_effect effect, const char *word)
{
	switch (effect) {
	case EFFECT_LTO:
		reader->lto = word;
		return true;
	case EFFECT_NO_LTO:
		reader->lto = NULL;
		return true;
	case EFFECT_SPLIT_DWARF:
		reader->split_dwarf = word;
		return true;
	case EFFECT_NO_SPLIT_DWARF:
		reader->split_dwarf = NULL;
		return true;
	case EFFECT_BITCODE:
		reader->bitcode = word;
		return true;
	case EFFECT_NO_BITCODE:
		reader->bitcode = NULL;
		return true;
	case EFFECT_REFUSED:
		reader->refused = word;
		return true;
	default:
		return false;
	}
}

static void read_effect(struct reader *reader, enum compiler_effect effect, const char *word, const char *argument)
{
	struct compile_line *line = reader->line;

	if (read_obstacle(reader, effect, word))
		return;
	switch (effect) {
	case EFFECT_NO_OBJECT:
		reader->makes_object = false;
		break;
	case EFFECT_COMPILE:
		reader->has_compile = true;
		break;
	case EFFECT_OUTPUT:
		line->output = argument;
		break;
	case EFFECT_LANGUAGE:
		reader->language = argument;
		break;
	case EFFECT_DEPENDENCIES:
		line->makes_dependencies = true;
		break;
	case EFFECT_DEPENDENCY_FILE:
		line->dependency_file = argument;
		break;
	case EFFECT_DEPENDENCY_TARGET:
		line->has_dependency_target = true;
		break;
	case EFFECT_PREPROCESSOR:
		read_preprocessor(line, argument);
		break;
	case EFFECT_ASSEMBLER:
		read_assembler(line, argument);
		break;
	case EFFECT_PIC:
	case EFFECT_NO_PIC:
		line->position_independent = effect == EFFECT_PIC;
		break;
	case EFFECT_SAVE_TEMPS:
		line->saves_temporaries = true;
		line->saves_beside_output = argument && !strcmp(argument, "obj");
		break;
	case EFFECT_TARGET:
		line->target = argument;
		break;
	case EFFECT_BIG_ENDIAN:
	case EFFECT_LITTLE_ENDIAN:
		line->is_big_endian = effect == EFFECT_BIG_ENDIAN;
		line->is_little_endian = effect == EFFECT_LITTLE_ENDIAN;
		break;
	case EFFECT_OTHER_WIDTH:
		line->has_other_width = true;
		break;
	case EFFECT_GCOV:
		line->uses_gcov = true;
		break;
	case EFFECT_INTEGRATED_AS:
	case EFFECT_NO_INTEGRATED_AS:
		line->uses_gnu_assembler = effect == EFFECT_NO_INTEGRATED_AS;
		break;
	default:
		break;
	}
}

/* Reads the word at @index and its argument. Returns the index of the next word. */
static size_t read_word(struct reader *reader, size_t index)
{
	struct compile_line *line = reader->line;
	struct compile_word *meaning = &line->meanings[index];
	const char *word = line->words.list[index];
	const char *argument;
	bool takes_next;

	if (!reader->only_inputs && !strcmp(word, "--")) {
		meaning->is_end = true;
		reader->only_inputs = true;
		return index + 1;
	}
	if (reader->only_inputs || word[0] != '-' || !word[1]) {
		read_input(reader, word, meaning);
		return index + 1;
	}
	meaning->option = compiler_option(word, &argument, &takes_next);
	if (takes_next && index + 1 < line->words.count) {
		argument = line->words.list[index + 1];
		meaning[1].option = meaning->option;
		meaning[1].is_argument = true;
		read_effect(reader, meaning->option->effect, word, argument);
		return index + 2;
	}
	/* The compiler prints the error if the argument is missing. */
	if (takes_next)
		reader->makes_object = false;
	else
		read_effect(reader, meaning->option->effect, word, argument);
	return index + 1;
}

static enum status refuse(const struct reader *reader, struct error *error)
{
	if (reader->lto)
		return error_set(error, STATUS_USAGE,
			"%s makes the compiler write bitcode, to which no machine-profile code can be added; leave "
			"%s out, or add -fno-lto after it",
			reader->lto, reader->lto);
	if (reader->split_dwarf)
		return error_set(error, STATUS_USAGE,
			"%s makes the compiler write two objects for each source, but the assembler can write only one "
			"of them; leave %s out, or add -gno-split-dwarf after it",
			reader->split_dwarf, reader->split_dwarf);
	if (reader->bitcode)
		return error_set(error, STATUS_USAGE,
			"%s makes the compiler store a second copy of the code in the object, without "
			"machine-profile code; leave %s out",
			reader->bitcode, reader->bitcode);
	if (reader->refused)
		return error_set(error, STATUS_USAGE, "%s cannot be combined with bareprof mip cc; leave %s out",
			reader->refused, reader->refused);
	return STATUS_OK;
}

enum status compile_line_read(struct compile_line *line, char *const *words, struct error *error)
{
	struct reader reader = {.line = line, .makes_object = true};
	char *const *word;
	size_t i;

	*line = (struct compile_line){0};
	for (word = words; *word; word++)
		line->has_response = line->has_response || (*word)[0] == '@';
	if (!words_expand(&line->words, words)) {
		/* The compiler prints the error about response files that name each other. */
		line->action = LINE_PASS;
		return STATUS_OK;
	}
	line->meanings = allocate(line->words.count + 1, sizeof(*line->meanings));
	for (i = 0; i < line->words.count;)
		i = read_word(&reader, i);
	if (!reader.makes_object || !line->sources)
		return STATUS_OK;
	line->action = reader.has_compile ? LINE_COMPILE : LINE_LINK;
	return refuse(&reader, error);
}

void compile_line_free(struct compile_line *line)
{
	words_free(&line->words);
	free(line->meanings);
	*line = (struct compile_line){0};
}
