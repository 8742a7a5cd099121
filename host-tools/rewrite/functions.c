// SPDX-License-Identifier: BSD-2-Clause
/*
 * functions.c - finds the functions in assembly text.
 *
 * A function is a symbol with the type "function" and a label. Compilers give this type to some other symbols as well:
 * aliases have no label, names of the compiler begin with .L, parts that gcc moved to another section end in .cold.
 */
#include "assembly.h"

#include <stdlib.h>

/* A symbol with the type "function". */
struct symbol {
	struct bytes name;
	size_t function; /* index of the function, plus 1; 0: the symbol has no label */
};

struct symbols {
	struct symbol *list;
	size_t count;
	size_t room;
};

static int compare_bytes(struct bytes a, struct bytes b)
{
	size_t size = a.size < b.size ? a.size : b.size;
	int order = size ? memcmp(a.data, b.data, size) : 0;

	return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare(const void *a, const void *b)
{
	return compare_bytes(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static bool ends_with(struct bytes name, const char *end)
{
	return name.size >= strlen(end) && !memcmp(name.data + name.size - strlen(end), end, strlen(end));
}

/* Returns the name at the start of operands such as "f", @function, and moves @operands to the comma. */
static struct bytes take_symbol(struct bytes *operands)
{
	struct bytes name = *operands;
	size_t n = 0;

	if (name.size && name.data[0] == '"') {
		for (n = 1; n < name.size && name.data[n] != '"'; n++)
			n += name.data[n] == '\\';
		n += n < name.size;
	}
	while (n < name.size && name.data[n] != ',')
		n++;
	n = n < name.size ? n : name.size;
	operands->data += n;
	operands->size -= n;
	name.size = n;
	name = trimmed(name);
	if (name.size > 1 && name.data[0] == '"' && name.data[name.size - 1] == '"') {
		name.data++;
		name.size -= 2;
	}
	return name;
}

static void find_symbols(const struct assembly *assembly, struct symbols *symbols)
{
	size_t i, kept = 0;

	for (i = 0; i < assembly->line_count; i++) {
		const struct line *line = &assembly->lines[i];
		struct bytes type = line->operands;
		struct bytes name;

		if (line->by_user || !line_is(line, ".type"))
			continue;
		name = take_symbol(&type);
		if (!ends_with(type, "@function") && !ends_with(type, "%function"))
			continue;
		symbols->list = array_grow(symbols->list, symbols->count, &symbols->room, sizeof(*symbols->list));
		symbols->list[symbols->count++] = (struct symbol){.name = name};
	}
	if (!symbols->count)
		return;
	qsort(symbols->list, symbols->count, sizeof(*symbols->list), compare);
	for (i = 1; i < symbols->count; i++)
		if (!bytes_equal(symbols->list[kept].name, symbols->list[i].name))
			symbols->list[++kept] = symbols->list[i];
	symbols->count = kept + 1;
}

static struct symbol *find_symbol(const struct symbols *symbols, struct bytes name)
{
	struct symbol key = {.name = name};

	return symbols->count ? bsearch(&key, symbols->list, symbols->count, sizeof(key), compare) : NULL;
}

/* Returns whether @name is @prefix and the name of another function. */
static bool has_twin(const struct symbols *symbols, struct bytes name, const char *prefix)
{
	return bytes_after(&name, prefix) && find_symbol(symbols, name);
}

/*
 * Returns whether @name is the name of a part of a function, of data before a function, or a second name for the entry
 * of a function that non-secure code calls. In the output of gcc
 * before version 9, foo.cold.1 is a part of foo. In the output of clang, foo.cold.1 is a function that foo calls.
 */
static bool is_part(const struct symbols *symbols, struct bytes name, bool clang)
{
	const char *cold = ".cold.";

	if (ends_with(name, ".cold") || bytes_begin(name, ".L") || has_twin(symbols, name, "__cfi_") ||
		has_twin(symbols, name, "__acle_se_"))
		return true;
	return memmem(name.data, name.size, ".__part.", strlen(".__part.")) ||
	       (!clang && memmem(name.data, name.size, cold, strlen(cold)));
}

/*
 * Finds the first label with which clang ends each function. Returns the number of lines if clang did not write the
 * text.
 */
static size_t find_clang(const struct assembly *assembly)
{
	size_t i;

	for (i = 0; i < assembly->line_count; i++)
		if (bytes_begin(assembly->lines[i].label, ".Lfunc_end"))
			break;
	return i;
}

/* Only clang's comments tell where inline assembly outside functions begins and ends. */
static bool has_comments(const struct assembly *assembly)
{
	const char *begin = "-- Begin function";
	size_t i;

	for (i = 0; i < assembly->line_count; i++)
		if (assembly->lines[i].text.size &&
			memmem(assembly->lines[i].text.data, assembly->lines[i].text.size, begin, strlen(begin)))
			return true;
	return false;
}

/* The parts of the assembler's state that a function depends on. */
struct state {
	bool thumb;
	bool intel;
};

static enum status follow_state(const struct assembly *assembly, size_t index, struct state *state, struct error *error)
{
	const struct line *line = &assembly->lines[index];

	if (line->kind != LINE_DIRECTIVE)
		return STATUS_OK;
	if (line_is(line, ".thumb") || (line_is(line, ".code") && bytes_are(line->operands, "16")))
		state->thumb = true;
	if (line_is(line, ".arm") || (line_is(line, ".code") && bytes_are(line->operands, "32")))
		state->thumb = false;
	if (line_is(line, ".intel_syntax"))
		state->intel = true;
	if (line_is(line, ".att_syntax"))
		state->intel = false;
	if (assembly->target == REWRITE_X86_64 && !line->by_user &&
		(bytes_begin(line->word, ".code16") || line_is(line, ".code32")))
		return reject(assembly, index, error,
			"bareprof mip does not support 16-bit and 32-bit code of x86; compile this file "
			"without bareprof mip");
	return STATUS_OK;
}

static void add_function(struct assembly *assembly, size_t *room, size_t line, const struct state *state)
{
	assembly->functions =
		array_grow(assembly->functions, assembly->function_count, room, sizeof(*assembly->functions));
	assembly->functions[assembly->function_count++] = (struct function){
		.name = assembly->lines[line].label,
		.entry = line,
		.section = assembly->lines[line].section,
		.thumb = state->thumb,
		.intel = state->intel,
	};
}

static enum status check_ends(const struct assembly *assembly, struct error *error)
{
	size_t i;

	for (i = 0; i < assembly->function_count; i++) {
		const struct function *function = &assembly->functions[i];

		if (!function->end)
			return reject(assembly, function->entry, error,
				"the function %.*s has no directive .size, so its end is unknown; "
				"compile this file without bareprof mip",
				(int)function->name.size, (const char *)function->name.data);
		if (assembly->lines[function->end].section != function->section)
			return reject(assembly, function->end, error,
				"the function %.*s begins in one section and ends in another; "
				"compile this file without bareprof mip",
				(int)function->name.size, (const char *)function->name.data);
	}
	return STATUS_OK;
}

/*
 * The limits of inline assembly outside functions are not always clear in the output of gcc for Arm. But gcc writes
 * this comment at the start of each function except thunks, whose C++ names begin with _ZT.
 */
static bool is_compiled(const struct assembly *assembly, const struct function *function)
{
	const char *comment = "@ args = ";
	size_t end = function->end ? function->end : assembly->line_count;
	size_t i;

	if (!assembly->by_gcc || bytes_begin(function->name, "_ZT"))
		return true;
	for (i = function->entry; i < end; i++)
		if (assembly->lines[i].text.size &&
			memmem(assembly->lines[i].text.data, assembly->lines[i].text.size, comment, strlen(comment)))
			return true;
	return false;
}

/* gcc writes code with these names when an option such as -mfunction-return=thunk requests it. It has no .size. */
static bool is_thunk(const struct function *function)
{
	return !function->end && (bytes_begin(function->name, "__x86_indirect_thunk") ||
					 bytes_begin(function->name, "__x86_return_thunk") ||
					 bytes_begin(function->name, "__call_indirect_"));
}

static void drop_no_functions(struct assembly *assembly)
{
	size_t kept = 0, i;

	for (i = 0; i < assembly->function_count; i++)
		if (is_compiled(assembly, &assembly->functions[i]) && !is_thunk(&assembly->functions[i]))
			assembly->functions[kept++] = assembly->functions[i];
	assembly->function_count = kept;
}

/* The map section of each section of code is linked to the first function there. */
static void find_first_functions(struct assembly *assembly)
{
	size_t i;

	for (i = assembly->function_count; i-- > 0;)
		assembly->sections[assembly->functions[i].section].first = i;
}

/* Finds labels and ends of the functions in @symbols. */
static enum status find_bounds(struct assembly *assembly, const struct symbols *symbols, struct error *error)
{
	size_t clang = find_clang(assembly);
	struct state state = {false, false};
	size_t room = 0, i;
	enum status status;

	if (clang < assembly->line_count && !has_comments(assembly))
		return reject(assembly, clang, error,
			"clang wrote no comments, but only comments mark inline assembly; compile with -fverbose-asm");
	for (i = 0; i < assembly->line_count; i++) {
		const struct line *line = &assembly->lines[i];
		struct bytes operands = line->operands;
		struct symbol *symbol;

		status = follow_state(assembly, i, &state, error);
		if (status)
			return status;
		if (line->by_user)
			continue;
		if (line_is(line, ".size")) {
			symbol = find_symbol(symbols, take_symbol(&operands));
			if (symbol && symbol->function && !assembly->functions[symbol->function - 1].end)
				assembly->functions[symbol->function - 1].end = i;
		}
		symbol = line->label.size ? find_symbol(symbols, line->label) : NULL;
		if (!symbol || is_part(symbols, line->label, clang < assembly->line_count))
			continue;
		if (symbol->function)
			return reject(assembly, i, error,
				"the function %.*s has a second label; run the compiler again", (int)line->label.size,
				(const char *)line->label.data);
		if (line->kind != LINE_EMPTY)
			return reject(assembly, i, error,
				"an instruction is on the line of the label %.*s; neither gcc nor clang writes such "
				"text, so assemble this file without bareprof mip",
				(int)line->label.size, (const char *)line->label.data);
		add_function(assembly, &room, i, &state);
		symbol->function = assembly->function_count;
	}
	return STATUS_OK;
}

enum status functions_find(struct assembly *assembly, struct error *error)
{
	struct symbols symbols = {NULL, 0, 0};
	enum status status;

	find_symbols(assembly, &symbols);
	status = find_bounds(assembly, &symbols, error);
	free(symbols.list);
	if (status)
		return status;
	drop_no_functions(assembly);
	find_first_functions(assembly);
	return check_ends(assembly, error);
}
