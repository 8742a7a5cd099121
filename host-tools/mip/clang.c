/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clang.c - runs clang twice for each source: to make assembly, and to assemble the rewritten assembly. gcc does not
 * need this, because its option -wrapper puts a program before the assembler (gcc.c).
 */
#include "clang.h"
#include "blocks_ir.h"
#include "clang_features.h"
#include "exit.h"
#include "output.h"

#include <stdlib.h>
#include <unistd.h>

static void add_text(struct words *words, char *text)
{
	words_add(words, text);
	free(text);
}

/* Returns whether an input follows the word at @index. If no input follows an option -x, clang warns about it. */
static bool has_input_after(const struct compile_line *line, size_t index)
{
	for (index++; index < line->words.count; index++)
		if (!line->meanings[index].option && !line->meanings[index].is_end)
			return true;
	return false;
}

/* Returns whether the word at @index belongs to the command line that makes assembly or an object from @input. */
static bool belongs_to_compiler(const struct compile_line *line, size_t index, size_t input, bool first)
{
	const struct compile_word *meaning = &line->meanings[index];
	/*
	 * The compiler warns about words that only the linker needs. So the first call gets these words, and prints the
	 * same warnings as without bareprof.
	 */
	bool keeps_unused = first && line->action == LINE_COMPILE;

	if (meaning->is_end)
		return true;
	if (!meaning->option)
		return index == input || (keeps_unused && meaning->kind == INPUT_LINKER);
	if (meaning->option->effect == EFFECT_OUTPUT)
		return false;
	if (meaning->option->effect == EFFECT_LANGUAGE)
		return keeps_unused && !has_input_after(line, index);
	return meaning->option->steps & STEP_COMPILE || (keeps_unused && meaning->option->steps & STEP_LINK);
}

/* Adds an option -x if *@language differs from @wanted, the language of the next input. NULL means "none". */
static void add_language(const char *wanted, const char **language, struct words *words)
{
	if (!wanted)
		wanted = "none";
	if (!strcmp(wanted, *language))
		return;
	words_add(words, "-x");
	words_add(words, wanted);
	*language = wanted;
}

static void add_compiler_words(const struct clang_run *run, size_t input, bool first, struct words *words)
{
	const struct compile_line *line = run->line;
	const char *language = "none";
	bool only_inputs = false;
	size_t i;

	if (!first || line->action == LINE_LINK)
		words_add(words, "-Qunused-arguments");
	for (i = 0; i < line->words.count; i++) {
		const struct compile_word *meaning = &line->meanings[i];

		if (!belongs_to_compiler(line, i, input, first))
			continue;
		/* After the word "--" there can be no option -x. */
		if (meaning->is_end && i < input)
			add_language(line->meanings[input].language, &language, words);
		else if (!meaning->option && !meaning->is_end && !only_inputs)
			add_language(meaning->language, &language, words);
		only_inputs = only_inputs || meaning->is_end;
		words_add(words, line->words.list[i]);
	}
}

/*
 * Adds the options that name the dependency file and its target. Without these options, the compiler would derive both
 * names from the name of the assembly file.
 */
static void add_dependencies(const struct compile_line *line, const char *source, struct words *words)
{
	char *stem = file_stem(source);
	char *target = line->output ? format("%s", line->output) : format("%s.o", stem);

	if (line->makes_dependencies && !line->dependency_file) {
		words_add(words, "-MF");
		add_text(words, with_extension(target, ".d"));
	}
	if (line->makes_dependencies && !line->has_dependency_target) {
		words_add(words, "-MQ");
		words_add(words, target);
	}
	free(target);
	free(stem);
}

/*
 * Adds options for the compiler that have the effect of options for the assembler. With -S, clang ignores options for
 * the assembler.
 */
static void add_assembler_effects(const struct compile_line *line, struct words *words)
{
	if (line->uses_gnu_assembler)
		return;
	if (line->warns_fatally) {
		words_add(words, "-Xclang");
		words_add(words, "-massembler-fatal-warnings");
	}
	if (line->warns_not) {
		words_add(words, "-Xclang");
		words_add(words, "-massembler-no-warn");
	}
	if (line->implicit_it) {
		words_add(words, "-mllvm");
		add_text(words,
			format("-arm-implicit-it=%.*s", (int)strcspn(line->implicit_it, ","), line->implicit_it));
	}
}

/* Appends the options in @list, which commas separate, without --fatal-warnings. */
static void add_assembler_word(const char *list, struct words *words)
{
	struct buffer text = {0};

	for (list = strchr(list, ','); list; list = strchr(list + 1, ',')) {
		size_t n = 1 + strcspn(list + 1, ",");

		if (n != 17 || !starts_with(list, ",--fatal-warnings"))
			buffer_add(&text, list, n);
	}
	if (text.size)
		add_text(words, format("-Wa%s", buffer_string(&text)));
	buffer_free(&text);
}

static bool belongs_to_assembler(const struct compile_line *line, size_t index, bool has_line_table)
{
	const struct compiler_option *option = line->meanings[index].option;

	if (!option || option->effect == EFFECT_OUTPUT)
		return false;
	return option->steps & STEP_ASSEMBLE || (option->steps & STEP_DEBUG && has_line_table);
}

/*
 * Adds the words that assemble the file @assembly. The first call of the compiler has printed all warnings of the
 * driver and of inline assembly, so this call must not print them again. The option -g would make the assembler
 * describe the assembly file, unless the compiler wrote a line table.
 */
static void add_assembler_words(const struct compile_line *line, bool has_line_table, struct words *words)
{
	size_t i;

	words_add(words, "-c");
	words_add(words, "-Qunused-arguments");
	words_add(words, "-w");
	words_add(words, "-Wa,--no-warn");
	for (i = 0; i < line->words.count; i++) {
		const char *word = line->words.list[i];
		bool has_argument = i + 1 < line->words.count && line->meanings[i + 1].is_argument;

		if (!belongs_to_assembler(line, i, has_line_table))
			continue;
		if (starts_with(word, "-Wa,"))
			add_assembler_word(word, words);
		else if (has_argument && !strcmp(line->words.list[i + 1], "--fatal-warnings"))
			i++;
		else
			words_add(words, word);
	}
}

enum status clang_assemble(struct clang_run *run, const struct assembly_file *file, const char *object)
{
	char *rewritten = format("%s/.rewritten.s", run->folder);
	struct words words = {0};
	enum status status = write_temporary(rewritten, (struct bytes){file->text.data, file->text.size});

	if (status == STATUS_OK) {
		add_assembler_words(run->line, file->has_line_table, &words);
		words_add(&words, "-o");
		words_add(&words, object);
		words_add(&words, rewritten);
		status = clang_call_assembler(run, &words, object);
	}
	words_free(&words);
	free(rewritten);
	return status;
}

enum status clang_compile(struct clang_run *run, size_t input, const char *assembly, bool first)
{
	const struct compile_line *line = run->line;
	struct words words = {0};
	enum status status;

	words_add(&words, "-S");
	/* The rewriter recognizes assembly in the source by comments. */
	words_add(&words, "-fverbose-asm");
	words_add(&words, "-o");
	words_add(&words, assembly);
	add_dependencies(line, line->words.list[input], &words);
	add_assembler_effects(line, &words);
	add_compiler_words(run, input, first, &words);
	status = clang_call(run, &words);
	words_free(&words);
	return status;
}

/* Returns whether the option at @index would write a file again that the first step has written. */
static bool writes_again(const struct compile_line *line, size_t index)
{
	const struct compiler_option *option = line->meanings[index].option;

	if (line->meanings[index].is_argument && index)
		return writes_again(line, index - 1);
	if (!option)
		return false;
	switch (option->effect) {
	case EFFECT_DEPENDENCIES:
	case EFFECT_DEPENDENCY_FILE:
	case EFFECT_DEPENDENCY_TARGET:
	case EFFECT_PREPROCESSOR:
	case EFFECT_SAVE_TEMPS:
		return true;
	default:
		return false;
	}
}

/* Writes the file @path again, with @source in place of @ir at the start of each line. Prints the error. */
static enum status rename_source(const char *path, const char *ir, const char *source)
{
	struct input input = {0};
	struct buffer text = {0};
	struct error error;
	enum status status = input_read(&input, path, &error);
	struct bytes left = input.bytes;
	size_t size = strlen(ir);

	while (left.size) {
		struct bytes line = bytes_line(&left);
		bool names_ir = line.size >= size && !memcmp(line.data, ir, size);

		if (names_ir)
			buffer_add_text(&text, source);
		buffer_add(&text, line.data + (names_ir ? size : 0), line.size - (names_ir ? size : 0));
		buffer_add_text(&text, "\n");
	}
	if (status == STATUS_OK)
		status = output_write(path, (struct bytes){text.data, text.size}, &error);
	if (status != STATUS_OK)
		error_print(path, &error);
	buffer_free(&text);
	input_free(&input);
	return status;
}

/*
 * Corrects the file of -fstack-usage beside @output. clang 13 to 16 begin its lines with the name of their input, which
 * is @ir here. Errors: SYSTEM.
 */
static enum status correct_stack_usage(
	const struct compile_line *line, size_t input, const char *ir, const char *output)
{
	char *path = with_extension(output, ".su");
	enum status status = STATUS_OK;
	bool is_wanted = false;
	size_t i;

	for (i = 0; i < line->words.count; i++)
		is_wanted = is_wanted || (line->meanings[i].option && !strcmp(line->words.list[i], "-fstack-usage"));
	if (is_wanted && !access(path, R_OK))
		status = rename_source(path, ir, line->words.list[input]);
	free(path);
	return status;
}

/*
 * Compiles @ir to @output. @step is -S or -c. Clang has already optimized @ir, and has printed its warnings.
 */
static enum status compile_ir(struct clang_run *run, size_t input, const char *step, const char *ir, const char *output)
{
	const struct compile_line *line = run->line;
	struct words words = {0};
	enum status status;
	size_t i;

	words_add(&words, step);
	words_add(&words, "-fverbose-asm");
	words_add(&words, "-Qunused-arguments");
	words_add(&words, "-Wno-override-module");
	add_assembler_effects(line, &words);
	for (i = 0; i < line->words.count; i++)
		if (line->meanings[i].option && belongs_to_compiler(line, i, input, false) && !writes_again(line, i))
			words_add(&words, line->words.list[i]);
	words_add(&words, "-Xclang");
	words_add(&words, "-disable-llvm-passes");
	words_add(&words, "-o");
	words_add(&words, output);
	words_add(&words, "-x");
	words_add(&words, "ir");
	words_add(&words, ir);
	status = clang_call(run, &words);
	if (status == STATUS_OK && !run->exit_status)
		status = correct_stack_usage(line, input, ir, output);
	words_free(&words);
	return status;
}

static enum status edit_ir(const char *path)
{
	struct input input = {0};
	struct buffer text = {0};
	struct error error;
	enum status status = input_read(&input, path, &error);

	if (status == STATUS_OK)
		status = blocks_ir_edit(&text, input.bytes, &error);
	if (status != STATUS_OK)
		error_print(path, &error);
	else
		status = write_temporary(path, (struct bytes){text.data, text.size});
	input_free(&input);
	buffer_free(&text);
	return status;
}

enum status clang_compile_blocks(
	struct clang_run *run, size_t input, const char *assembly, const char *object, bool first)
{
	const struct compile_line *line = run->line;
	/* Files that clang writes beside its output get their names from it, as those beside @assembly. */
	char *ir = with_extension(assembly, ".ll");
	struct words words = {0};
	enum status status;

	words_add(&words, "-S");
	words_add(&words, "-emit-llvm");
	words_add(&words, "-fsanitize-coverage=bb,inline-8bit-counters,pc-table");
	words_add(&words, "-o");
	words_add(&words, ir);
	add_dependencies(line, line->words.list[input], &words);
	add_assembler_effects(line, &words);
	add_compiler_words(run, input, first, &words);
	status = clang_call(run, &words);
	if (status == STATUS_OK && !run->exit_status)
		status = edit_ir(ir);
	if (status == STATUS_OK && !run->exit_status && (!object || line->saves_temporaries))
		status = compile_ir(run, input, "-S", ir, assembly);
	if (status == STATUS_OK && !run->exit_status && object)
		status = compile_ir(run, input, "-c", ir, object);
	unlink(ir);
	words_free(&words);
	free(ir);
	return status;
}

enum status clang_link(struct clang_run *run, char *const *objects)
{
	const struct compile_line *line = run->line;
	const char *language = "none";
	bool only_inputs = false;
	struct words words = {0};
	enum status status;
	size_t i;

	words_add(&words, "-Qunused-arguments");
	for (i = 0; i < line->words.count; i++) {
		const struct compile_word *meaning = &line->meanings[i];
		const struct compiler_option *option = meaning->option;

		if (option && option->effect == EFFECT_LANGUAGE && has_input_after(line, i))
			continue;
		if (option && !(option->steps & STEP_LINK) && option->effect != EFFECT_NONE &&
			option->effect != EFFECT_LANGUAGE)
			continue;
		if (!option && !meaning->is_end && !only_inputs)
			add_language(objects[i] ? NULL : meaning->language, &language, &words);
		only_inputs = only_inputs || meaning->is_end;
		words_add(&words, objects[i] ? objects[i] : line->words.list[i]);
	}
	status = clang_call(run, &words);
	words_free(&words);
	return status;
}

enum status clang_compile_unchanged(struct clang_run *run, size_t input, const char *output, bool first)
{
	struct words words = {0};
	enum status status;

	words_add(&words, "-c");
	if (output) {
		words_add(&words, "-o");
		words_add(&words, output);
	}
	add_compiler_words(run, input, first, &words);
	status = clang_call(run, &words);
	words_free(&words);
	return status;
}
