// SPDX-License-Identifier: BSD-2-Clause
/*
 * additions.c - adds machine-profile code to assembly text.
 */
#include "assembly.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The first line of the result. */
#define FIRST_LINE "\t" REWRITE_MARK "\n"

void add_line(struct buffer *result, const char *format, ...)
{
	char text[256];
	va_list arguments, again;
	int size;

	va_start(arguments, format);
	va_copy(again, arguments);
	buffer_add_text(result, "\t");
	size = vsnprintf(text, sizeof(text), format, arguments);
	if (size >= 0 && (size_t)size < sizeof(text)) {
		buffer_add(result, text, (size_t)size);
	} else if (size > 0) {
		buffer_reserve(result, (size_t)size + 1);
		vsnprintf((char *)result->data + result->size, (size_t)size + 1, format, again);
		result->size += (size_t)size;
	}
	buffer_add_text(result, " " REWRITE_MARK "\n");
	va_end(again);
	va_end(arguments);
}

static bool ends_with(struct bytes text, const char *end)
{
	return text.size >= strlen(end) && !memcmp(text.data + text.size - strlen(end), end, strlen(end));
}

/* A compiler names its source with .file "NAME". Lines such as .file 1 "NAME" are for debug information. */
static bool is_by_hand(struct bytes text)
{
	while (text.size) {
		struct bytes line = trimmed(bytes_line(&text));

		if (!bytes_after(&line, ".file"))
			continue;
		line = trimmed(line);
		if (!line.size || line.data[0] != '"')
			continue;
		return ends_with(line, ".s\"") || ends_with(line, ".S\"") || ends_with(line, ".sx\"");
	}
	return true;
}

/* Refuses the outputs of compilers with -flto, which are not assembly, or contain the code a second time. */
static enum status refuse_lto(struct bytes text, const char *path, struct error *error)
{
	static const char *const marks[] = {
		".gnu.lto_", ".gnu.offload_lto_", ".llvm.lto", "; ModuleID = ", "source_filename = "};
	const char *what = NULL;
	size_t i;

	if (bytes_begin(text, "BC\xc0\xde") || bytes_begin(text, "\xde\xc0\x17\x0b"))
		what = "LLVM bitcode";
	while (!what && text.size) {
		struct bytes line = trimmed(bytes_line(&text));

		bytes_after(&line, ".section");
		line = trimmed(line);
		for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
			if (bytes_begin(line, marks[i]))
				what = i < 2 ? "code for gcc's link-time optimization"
				             : "code for LLVM's link-time optimization";
	}
	if (!what)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"%s: the compiler wrote %s, to which bareprof mip cannot add code; compile without -flto", path, what);
}

static enum status analyze(struct assembly *assembly, struct bytes text, struct error *error)
{
	enum status status = target_find(assembly, text, error);

	if (!status)
		status = lines_read(assembly, text, error);
	if (!status)
		status = regions_mark(assembly, error);
	if (status)
		return status;
	sections_find(assembly);
	status = functions_find(assembly, error);
	if (!status && assembly->target == REWRITE_ARM && assembly->function_count)
		status = target_read_arm(assembly, error);
	return status ? status : entries_find(assembly, error);
}

const char *sequence_stub(const struct sequence *sequence)
{
	return sequence->options->sample ? "__bareprof_mip_sample" : "__bareprof_mip_first";
}

static void add_sequence(const struct assembly *assembly, size_t index, struct buffer *result)
{
	struct sequence sequence = {
		.options = assembly->options,
		.function = &assembly->functions[index],
		.number = index,
		.odd_return = assembly->odd_return,
	};

	switch (assembly->target) {
	case REWRITE_X86_64:
		sequence_x86_64(&sequence, result);
		break;
	case REWRITE_AARCH64:
		sequence_aarch64(&sequence, result);
		break;
	default:
		if (assembly->wide)
			sequence_arm(&sequence, result);
		else
			sequence_armv6m(&sequence, result);
	}
}

/* An addition to the text. */
enum place {
	PLACE_BEGIN, /* after the label: a local label */
	PLACE_SEQUENCE,
	PLACE_END, /* before the directive .size: a local label */
	PLACE_MAP, /* after that directive */
};

struct addition {
	size_t line; /* the addition belongs before this line */
	enum place place;
	size_t function;
};

static int compare_additions(const void *a, const void *b)
{
	const struct addition *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return (int)x->place - (int)y->place;
}

static void add_addition(const struct assembly *assembly, const struct addition *addition, struct buffer *result)
{
	switch (addition->place) {
	case PLACE_BEGIN:
		add_line(result, ".Lbareprof_begin_%zu:", addition->function);
		break;
	case PLACE_SEQUENCE:
		add_sequence(assembly, addition->function, result);
		break;
	case PLACE_END:
		add_line(result, ".Lbareprof_end_%zu:", addition->function);
		break;
	case PLACE_MAP:
		map_add(assembly, addition->function, result);
		break;
	}
}

static struct addition *list_additions(const struct assembly *assembly, size_t *count)
{
	struct addition *list = allocate(4 * assembly->function_count + 1, sizeof(*list));
	size_t n = 0, i;

	for (i = 0; i < assembly->function_count; i++) {
		const struct function *function = &assembly->functions[i];

		if (function->unmapped)
			continue;
		list[n++] = (struct addition){function->entry + 1, PLACE_BEGIN, i};
		if (!function->reason)
			list[n++] = (struct addition){function->insert, PLACE_SEQUENCE, i};
		list[n++] = (struct addition){function->end, PLACE_END, i};
		list[n++] = (struct addition){function->end + 1, PLACE_MAP, i};
	}
	qsort(list, n, sizeof(*list), compare_additions);
	*count = n;
	return list;
}

static void write_result(const struct assembly *assembly, struct buffer *result)
{
	size_t count, next = 0, i;
	struct addition *list = list_additions(assembly, &count);

	buffer_add_text(result, FIRST_LINE);
	for (i = 0; i <= assembly->line_count; i++) {
		while (next < count && list[next].line == i)
			add_addition(assembly, &list[next++], result);
		if (i < assembly->line_count)
			buffer_add(result, assembly->lines[i].text.data, assembly->lines[i].text.size + 1);
	}
	if (assembly->options->sample && count)
		map_add_period(assembly, result);
	free(list);
}

static void count(const struct assembly *assembly, struct rewrite_counts *counts)
{
	size_t i;

	for (i = 0; i < assembly->function_count; i++) {
		if (assembly->functions[i].reason)
			counts->left_out[assembly->functions[i].reason]++;
		else
			counts->functions++;
	}
}

enum status rewrite(struct bytes text, const char *path, const struct rewrite_options *options, struct buffer *result,
	struct rewrite_counts *counts, struct error *error)
{
	struct assembly assembly = {.path = path, .options = options};
	enum status status;

	memset(counts, 0, sizeof(*counts));
	status = refuse_lto(text, path, error);
	if (status)
		return status;
	counts->rewritten_before = bytes_begin(text, FIRST_LINE);
	counts->by_hand = !counts->rewritten_before && is_by_hand(text);
	if (counts->by_hand || counts->rewritten_before) {
		buffer_add(result, text.data, text.size);
		return STATUS_OK;
	}
	status = analyze(&assembly, text, error);
	if (!status) {
		write_result(&assembly, result);
		count(&assembly, counts);
	}
	assembly_free(&assembly);
	return status;
}
