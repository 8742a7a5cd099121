/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_files_write.c - writes the functions of a machine profile as LCOV and as HTML. */
#include "mip_files.h"
#include "xml.h"

#include <inttypes.h>
#include <stdlib.h>
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
			buffer_printf(out, "FNDA:%" PRIu64 ",",
				file->functions[j].counts ? file->functions[j].calls : file->functions[j].runs);
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

static void add_row(const struct mip_file *file, size_t index, struct buffer *out)
{
	buffer_add_text(out, "<tr><td>");
	if (file->functions)
		buffer_printf(out, "<a href=\"#file%zu\">", index);
	add_text(out, file->short_name);
	buffer_printf(out, "%s</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td>", file->functions ? "</a>" : "",
		file->count, file->ran);
	add_percent(out, file->ran, file->count);
	buffer_printf(out, "<td class=\"n\">%zu</td></tr>\n", file->left_out);
}

static void add_overview(const struct mip_files *files, struct buffer *out)
{
	struct mip_file total = mip_files_total(files);
	size_t i;

	buffer_add_text(
		out, "<table>\n<tr><th>File</th><th>Functions</th><th>Ran</th><th>Share</th><th>Left out</th></tr>\n");
	for (i = 0; i < files->count; i++)
		add_row(&files->list[i], i, out);
	add_row(&total, 0, out);
	buffer_add_text(out, "</table>\n");
}

/* Adds the cells for calls and order. They are empty if the function has mode "coverage". */
static void add_calls(const struct mip_file_function *function, struct buffer *out)
{
	buffer_add_text(out, "<td class=\"n\">");
	if (function->counts)
		buffer_printf(out, "%" PRIu64, function->calls);
	buffer_add_text(out, "</td><td class=\"n\">");
	if (function->orders && function->order_sum % function->orders)
		buffer_printf(out, "%.2f", (double)function->order_sum / (double)function->orders);
	else if (function->orders)
		buffer_printf(out, "%" PRIu64, function->order_sum / function->orders);
	else if (function->counts && function->runs)
		buffer_add_text(out, "not known");
	buffer_add_text(out, "</td>");
}

static void add_function(const struct mip_files *files, const struct mip_file_function *function, struct buffer *out)
{
	buffer_printf(out, "<tr class=\"%s\"><td class=\"n\">", function->runs ? "ran" : "not");
	if (function->line)
		buffer_printf(out, "%u", function->line);
	buffer_add_text(out, "</td><td>");
	add_text(out, function->demangled);
	if (files->profile->merged > 1)
		buffer_printf(out, "</td><td>%s%" PRIu64 " of %" PRIu64 "</td>", function->runs ? "" : "no, ",
			function->runs, files->profile->merged);
	else
		buffer_printf(out, "</td><td>%s</td>", function->runs ? "yes" : "no");
	if (files->profile->kinds & BAREPROF_MIP_KIND_CALLS)
		add_calls(function, out);
	buffer_add_text(out, "</tr>\n");
}

static void add_file(const struct mip_files *files, size_t index, struct buffer *out)
{
	const struct mip_file *file = &files->list[index];
	size_t i;

	buffer_printf(out, "<h2 id=\"file%zu\">", index);
	add_text(out, file->short_name);
	buffer_printf(out, "</h2>\n<table>\n<tr><th>Line</th><th>Function</th><th>Ran</th>%s</tr>\n",
		files->profile->kinds & BAREPROF_MIP_KIND_CALLS ? "<th>Calls</th><th>Order</th>" : "");
	for (i = 0; i < file->count; i++)
		add_function(files, &file->functions[i], out);
	buffer_add_text(out, "</table>\n");
}

/* Adds the paragraph about the profile as a whole. */
static void add_facts(const struct mip_files *files, const char *elf_path, struct buffer *out)
{
	const struct mip_profile *profile = files->profile;

	buffer_add_text(out, "<p>Program: ");
	add_text(out, elf_path);
	buffer_add_text(out, "<br/>Build id: ");
	buffer_add_hex(out, (struct bytes){profile->id.data, profile->id.size});
	buffer_printf(out, "%s<br/>Raw profiles: %" PRIu64, profile->id.size ? "" : "not known", profile->merged);
	if (files->unknown)
		buffer_printf(out, "<br/>Functions without a row, because it is not known whether they ran: %zu",
			files->unknown);
	if (files->copies)
		buffer_printf(out, "<br/>Copies of functions, without a row of their own: %zu", files->copies);
	buffer_add_text(out, "</p>\n");
}

void mip_files_html(const struct mip_files *files, const char *elf_path, struct buffer *out)
{
	const char *slash = strrchr(elf_path, '/');
	char *title = format("Machine profile of %s", slash ? slash + 1 : elf_path);
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
	add_facts(files, elf_path, out);
	add_overview(files, out);
	for (i = 0; i < files->count; i++)
		add_file(files, i, out);
	buffer_add_text(out, "</body>\n</html>\n");
	free(title);
}
