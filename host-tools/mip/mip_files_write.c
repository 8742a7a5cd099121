/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_files_write.c - writes the functions of a machine profile as LCOV and as HTML. */
#include "mip_files.h"
#include "xml.h"

#include <inttypes.h>
#include <string.h>

/* A line end in a name would start a new line of LCOV. */
static void add_line(struct buffer *out, const char *text)
{
	size_t first = out->size;
	size_t i;

	buffer_add_text(out, text);
	for (i = first; i < out->size; i++)
		if (out->data[i] < ' ')
			out->data[i] = '?';
	buffer_add_text(out, "\n");
}

void mip_files_lcov(const struct mip_files *files, struct buffer *out)
{
	size_t i;
	size_t j;

	for (i = 0; i < files->count; i++) {
		const struct mip_file *file = &files->list[i];

		buffer_add_text(out, "TN:\nSF:");
		add_line(out, file->name);
		for (j = 0; j < file->count; j++) {
			buffer_printf(out, "FN:%u,", file->functions[j].line);
			add_line(out, file->functions[j].name);
		}
		for (j = 0; j < file->count; j++) {
			buffer_printf(out, "FNDA:%" PRIu64 ",", file->functions[j].count);
			add_line(out, file->functions[j].name);
		}
		buffer_printf(out, "FNF:%zu\nFNH:%zu\nend_of_record\n", file->count, file->ran);
	}
}

static void add_text(struct buffer *out, const char *text)
{
	xml_add(out, (struct bytes){(const uint8_t *)text, strlen(text)}, XML_CONTENT);
}

static void add_percent(struct buffer *out, size_t ran, size_t count)
{
	if (count)
		buffer_printf(out, "<td class=\"n\">%.2f%%</td>", 100 * (double)ran / (double)count);
	else
		buffer_add_text(out, "<td class=\"n\">-</td>");
}

static void add_overview(const struct mip_files *files, struct buffer *out)
{
	size_t i;

	buffer_add_text(
		out, "<table>\n<tr><th>File</th><th>Functions</th><th>Ran</th><th>Ran</th><th>Left out</th></tr>\n");
	for (i = 0; i < files->count; i++) {
		const struct mip_file *file = &files->list[i];

		buffer_printf(out, "<tr><td><a href=\"#file%zu\">", i);
		add_text(out, file->name);
		buffer_printf(out, "</a></td><td class=\"n\">%zu</td><td class=\"n\">%zu</td>", file->count, file->ran);
		add_percent(out, file->ran, file->count);
		buffer_printf(out, "<td class=\"n\">%zu</td></tr>\n", file->left_out);
	}
	buffer_add_text(out, "</table>\n");
}

static void add_file(const struct mip_file *file, size_t index, struct buffer *out)
{
	size_t i;

	buffer_printf(out, "<h2 id=\"file%zu\">", index);
	add_text(out, file->name);
	buffer_add_text(out, "</h2>\n<table>\n<tr><th>Line</th><th>Function</th><th>Count</th></tr>\n");
	for (i = 0; i < file->count; i++) {
		const struct mip_file_function *function = &file->functions[i];

		buffer_printf(out, "<tr class=\"%s\"><td class=\"n\">", function->count ? "ran" : "not");
		if (function->line)
			buffer_printf(out, "%u", function->line);
		buffer_add_text(out, "</td><td>");
		add_text(out, function->demangled);
		buffer_printf(out, "</td><td class=\"n\">%" PRIu64 "</td></tr>\n", function->count);
	}
	buffer_add_text(out, "</table>\n");
}

void mip_files_html(const struct mip_files *files, const char *title, struct buffer *out)
{
	size_t i;

	buffer_add_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>");
	add_text(out, title);
	buffer_add_text(out,
		"</title>\n<style>\nbody { font-family: sans-serif; }\n"
		"table { border-collapse: collapse; }\ntd, th { border: 1px solid #bbb; padding: 2px 8px; }\n"
		"td.n { text-align: right; }\ntr.ran { background: #dfd; }\ntr.not { background: #fdd; }\n"
		"</style>\n</head>\n<body>\n<h1>");
	add_text(out, title);
	buffer_add_text(out, "</h1>\n");
	add_overview(files, out);
	for (i = 0; i < files->count; i++)
		add_file(&files->list[i], i, out);
	buffer_add_text(out, "</body>\n</html>\n");
}
