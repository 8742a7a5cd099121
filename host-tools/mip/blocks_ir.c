/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blocks_ir.c - changes clang's block counters in LLVM's intermediate language. A counter takes three instructions: a
 * load, an addition and a store. If the store writes the constant 1, the code generator drops the other two, which have
 * no effect any more. All other lines stay as they are, except those of the constructor that would call the run-time
 * library of clang's sanitizers.
 */
#include "blocks_ir.h"

#include <bareprof/mip_layout.h>
#include <inttypes.h>
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

/* Appends the store of a counter, which then stores 1. Returns false if the line has another form. */
static bool add_store(struct buffer *out, struct bytes line)
{
	const uint8_t *at = find(line, "store i8 %");
	const uint8_t *comma = at ? memchr(at, ',', (size_t)(line.data + line.size - at)) : NULL;

	if (!comma)
		return false;
	add(out, line.data, at);
	buffer_add(out, "store i8 1", 10);
	add_line(out, (struct bytes){comma, (size_t)(line.data + line.size - comma)});
	return true;
}

/* Appends the array of counters or the table of a function. */
static bool add_array(struct buffer *out, struct bytes line)
{
	return add_replaced(out, line, "\"" BAREPROF_MIP_SANCOV_COUNTERS "\"", "\"" BAREPROF_MIP_SECTION_BLOCKS "\"") ||
	       add_replaced(out, line, "\"" BAREPROF_MIP_SANCOV_PCS "\"", "\"" BAREPROF_MIP_SECTION_PCS "\"");
}

/* Returns whether the line belongs only to the constructor. */
static bool is_dropped(struct bytes line)
{
	return begins(line, "$sancov.module_ctor") || begins(line, "@__start___sancov_") ||
	       begins(line, "@__stop___sancov_");
}

static bool edit_line(struct buffer *out, struct bytes line)
{
	if (begins(line, ARRAY))
		return add_array(out, line);
	if (begins(line, "@llvm.") && find(line, CONSTRUCTOR))
		return add_list(out, line);
	if (begins(line, "  store ") && find(line, ARRAY))
		return add_store(out, line);
	if (!is_dropped(line))
		add_line(out, line);
	return true;
}

enum status blocks_ir_edit(struct buffer *out, struct bytes text, struct error *error)
{
	bool in_constructor = false;
	size_t number = 0;

	while (text.size) {
		struct bytes line = bytes_line(&text);

		number++;
		if (begins(line, "define ") && find(line, CONSTRUCTOR))
			in_constructor = true;
		if (!in_constructor && !edit_line(out, line))
			return error_set(error, STATUS_INVALID_INPUT,
				"has a block counter in line %zu in a form that this bareprof does not know: use a "
				"newer bareprof, or another release of clang",
				number);
		if (in_constructor && begins(line, "}"))
			in_constructor = false;
	}
	return STATUS_OK;
}
