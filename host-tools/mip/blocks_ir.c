/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blocks_ir.c - changes clang's block counters in LLVM's intermediate representation (IR). A counter takes three
 * instructions: a load, an addition and a store. In the copy, all bytes start as 0xff, and a block gives its byte
 * another value:
 *
 *	x86_64   the addition becomes a shift to the right, and the code generator makes one instruction of 6 bytes,
 *	         `shrb BYTE(%rip)`. A store of a constant would take 7 bytes. A byte goes from 0xff to 0x7f, 0x3f and so
 *	         on to 0, and never back. So interrupts and other CPUs between load and store can do no harm: whatever
 *	         they store is not 0xff either.
 *	others   the store writes 0, and the code generator drops the load and the addition, which have no effect any
 *	         more. AArch64 has a register that is always 0.
 *
 * All other lines stay as they are, except those of the constructor that would call the run-time library of clang's
 * sanitizers.
 */
#include "blocks_ir.h"

#include <bareprof/mip_layout.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY       "@__sancov_gen_"
#define CONSTRUCTOR "@sancov.module_ctor"

/* Returns where @what is in @line, or NULL. */
static const uint8_t *find(struct bytes line, const char *what)
{
	return line.size ? memmem(line.data, line.size, what, strlen(what)) : NULL;
}

static bool begins(struct bytes line, const char *what)
{
	return line.size >= strlen(what) && !memcmp(line.data, what, strlen(what));
}

static void add(struct buffer *out, const uint8_t *from, const uint8_t *to)
{
	buffer_add(out, from, (size_t)(to - from));
}

static void add_line(struct buffer *out, struct bytes line)
{
	buffer_add(out, line.data, line.size);
	buffer_add(out, "\n", 1);
}

/* Appends @line with @new in place of @old. Returns false if @line does not contain @old. */
static bool add_replaced(struct buffer *out, struct bytes line, const char *old, const char *new)
{
	const uint8_t *at = find(line, old);

	if (!at)
		return false;
	add(out, line.data, at);
	buffer_add(out, new, strlen(new));
	add_line(out, (struct bytes){at + strlen(old), (size_t)(line.data + line.size - at) - strlen(old)});
	return true;
}

/* Returns the end of the element at @at in a list that ends at @end: a comma outside of brackets, or @end. */
static const uint8_t *element_end(const uint8_t *at, const uint8_t *end)
{
	unsigned int depth = 0;

	for (; at < end; at++) {
		if (strchr("([{", *at))
			depth++;
		else if (strchr(")]}", *at) && depth-- == 0)
			return at;
		else if (*at == ',' && !depth)
			return at;
	}
	return end;
}

/*
 * Appends a list of the form "@name = appending global [2 x TYPE] [ELEMENT, ELEMENT], ..." without the constructor.
 * Appends nothing if the list becomes empty. Returns false if the line has another form.
 */
static bool add_list(struct buffer *out, struct bytes line)
{
	const uint8_t *count = find(line, " [");
	const uint8_t *type = find(line, " x ");
	const uint8_t *list = find(line, "] [");
	const uint8_t *end = line.data + line.size;
	struct buffer kept = {0};
	uint64_t elements = 0;

	if (!count || !type || !list || count > type || type > list)
		return false;
	for (list += 3; list < end; list++) {
		const uint8_t *stop = element_end(list, end);
		struct bytes element = {list, (size_t)(stop - list)};

		if (!find(element, CONSTRUCTOR)) {
			if (elements++)
				buffer_add(&kept, ",", 1);
			add(&kept, list, stop);
		}
		list = stop;
		if (stop < end && *stop == ']')
			break;
	}
	if (elements) {
		add(out, line.data, count + 2);
		buffer_printf(out, "%" PRIu64, elements);
		add(out, type, find(line, "] [") + 3);
		/* The first element may have been dropped, and a blank precedes all others. */
		add(out, kept.data + (*kept.data == ' '), kept.data + kept.size);
		add_line(out, (struct bytes){list, (size_t)(end - list)});
	}
	buffer_free(&kept);
	return list < end;
}

/* Appends the store of a counter, which then stores 0. Returns false if the line has another form. */
static bool add_store(struct buffer *out, struct bytes line)
{
	const uint8_t *at = find(line, "store i8 %");
	const uint8_t *comma = at ? memchr(at, ',', (size_t)(line.data + line.size - at)) : NULL;

	if (!comma)
		return false;
	add(out, line.data, at);
	buffer_add(out, "store i8 0", 10);
	add_line(out, (struct bytes){comma, (size_t)(line.data + line.size - comma)});
	return true;
}

/* Appends the array "[N x i8] zeroinitializer" of a function, whose bytes then start as 0xff. */
static bool add_bytes(struct buffer *out, struct bytes line)
{
	static const char type[] = " x i8] ";
	static const char zeros[] = "zeroinitializer";
	const uint8_t *at = find(line, "[");
	struct buffer start = {0};
	uint64_t count = 0;
	bool is_known;

	for (at = at ? at + 1 : line.data; count < UINT32_MAX && *at >= '0' && *at <= '9'; at++)
		count = 10 * count + (uint64_t)(*at - '0');
	if (!begins((struct bytes){at, (size_t)(line.data + line.size - at)}, type) || count >= UINT32_MAX)
		return false;
	add(&start, line.data, at + sizeof(type) - 1);
	buffer_printf(&start, "c\"");
	while (count--)
		buffer_printf(&start, "\\%02X", BAREPROF_MIP_BLOCKS_START);
	buffer_printf(&start, "\"");
	at += sizeof(type) - 1;
	line = (struct bytes){at, (size_t)(line.data + line.size - at)};
	is_known = begins(line, zeros);
	if (is_known) {
		buffer_add(out, start.data, start.size);
		line = (struct bytes){at + sizeof(zeros) - 1, line.size - (sizeof(zeros) - 1)};
		is_known = add_replaced(
			out, line, "\"" BAREPROF_MIP_SANCOV_COUNTERS "\"", "\"" BAREPROF_MIP_SECTION_BLOCKS "\"");
	}
	buffer_free(&start);
	return is_known;
}

/* Returns whether the line belongs only to the constructor. */
static bool is_dropped(struct bytes line)
{
	return begins(line, "$sancov.module_ctor") || begins(line, "@__start___sancov_") ||
	       begins(line, "@__stop___sancov_");
}

/* The output, and the facts that depend on earlier lines of the module. */
struct edit {
	struct buffer *out;
	bool has_shift; /* the target has an instruction that shifts a byte in memory, and the compiler uses it */
	/* the instruction of the line before: */
	bool is_load; /* it loaded a counter */
	bool is_shift; /* it shifted a counter */
	bool is_constructor; /* the line belongs to the constructor */
	struct buffer weak; /* the lines that begin the definitions of weak functions */
	unsigned int aliases; /* number of names that were added */
};

static void find_weak(struct buffer *weak, struct bytes text)
{
	static const char what[] = "\ndefine weak";
	const uint8_t *at;

	while ((at = find(text, what))) {
		text.size -= (size_t)(at + 1 - text.data);
		text.data = at + 1;
		add_line(weak, bytes_line(&text));
	}
}

/* Returns the first name "@..." in @line at or after @at. */
static struct bytes name_after(struct bytes line, const uint8_t *at)
{
	const uint8_t *end = line.data + line.size;
	const uint8_t *first;

	while (at < end && *at != '@')
		at++;
	first = at;
	if (at + 1 < end && at[1] == '"')
		at++;
	do
		at++;
	while (at < end && (first[1] == '"' ? *at != '"' : !strchr(" ,)", *at)));
	return at < end ? (struct bytes){first, (size_t)(at + (*at == '"') - first)} : (struct bytes){line.data, 0};
}

/* Returns whether the function @name is weak. */
static bool is_weak(const struct edit *edit, struct bytes name)
{
	char *wanted = format("%.*s(", (int)name.size, (const char *)name.data);
	bool found = find((struct bytes){edit->weak.data, edit->weak.size}, wanted);

	free(wanted);
	return found;
}

/* Appends the line of a table, with bareprof's name of the section. */
static bool add_section(struct buffer *out, struct bytes line)
{
	return add_replaced(out, line, "\"" BAREPROF_MIP_SANCOV_PCS "\"", "\"" BAREPROF_MIP_SECTION_PCS "\"");
}

/*
 * Appends the table of a function. If the function is weak, another object may have the definition that counts, and the
 * linker would put the address of that definition into the table. So the table gets an alias, which belongs to this
 * object. With pointers that have a type, an alias needs the type of the function.
 */
static bool add_table(struct edit *edit, struct bytes line)
{
	static const char cast[] = "bitcast (";
	const uint8_t *list = find(line, "] [");
	struct bytes name = list ? name_after(line, list) : (struct bytes){line.data, 0};
	struct buffer edited = {0};
	const uint8_t *type;
	bool is_known;

	if (!name.size || !is_weak(edit, name))
		return add_section(edit->out, line);
	add(&edited, line.data, name.data);
	buffer_printf(&edited, "@bareprof.weak.%u", ++edit->aliases);
	add(&edited, name.data + name.size, line.data + line.size);
	is_known = add_section(edit->out, (struct bytes){edited.data, edited.size});
	type = find((struct bytes){list, (size_t)(name.data - list)}, cast);
	buffer_printf(edit->out, "@bareprof.weak.%u = private alias ", edit->aliases);
	if (type) {
		type += sizeof(cast) - 1;
		add(edit->out, type, name.data - 2);
		buffer_printf(edit->out, ", ");
		add(edit->out, type, name.data);
	} else {
		buffer_printf(edit->out, "i8, ptr ");
	}
	add_line(edit->out, name);
	buffer_free(&edited);
	return is_known;
}

static bool edit_line(struct edit *edit, struct bytes line)
{
	struct buffer *out = edit->out;
	bool was_load = edit->is_load;
	bool was_shift = edit->is_shift;

	edit->is_load = find(line, " = load i8, ") && find(line, ARRAY);
	edit->is_shift = was_load && edit->has_shift && find(line, " = add i8 ");
	if (begins(line, ARRAY))
		return find(line, "\"" BAREPROF_MIP_SANCOV_PCS "\"") ? add_table(edit, line) : add_bytes(out, line);
	if (begins(line, "@llvm.") && find(line, CONSTRUCTOR))
		return add_list(out, line);
	if (edit->is_shift)
		return add_replaced(out, line, " = add i8 ", " = lshr i8 ");
	if (begins(line, "  store ") && find(line, ARRAY) && !was_shift)
		return add_store(out, line);
	if (!is_dropped(line))
		add_line(out, line);
	return true;
}

enum status blocks_ir_edit(struct buffer *out, struct bytes text, struct error *error)
{
	struct edit edit = {.out = out};
	enum status status = STATUS_OK;
	size_t number = 0;

	/* Without optimization, the code generator would make three instructions, as the counter of clang has. */
	edit.has_shift = find(text, "\ntarget triple = \"x86_64") && !find(text, " optnone ");

	find_weak(&edit.weak, text);
	while (text.size && status == STATUS_OK) {
		struct bytes line = bytes_line(&text);

		number++;
		if (begins(line, "define ") && find(line, CONSTRUCTOR))
			edit.is_constructor = true;
		if (!edit.is_constructor && !edit_line(&edit, line))
			status = error_set(error, STATUS_INVALID_INPUT,
				"has a block counter in line %zu in a form that this bareprof does not know: use a "
				"newer bareprof, or another release of clang",
				number);
		if (edit.is_constructor && begins(line, "}"))
			edit.is_constructor = false;
	}
	buffer_free(&edit.weak);
	return status;
}
