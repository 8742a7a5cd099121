/* SPDX-License-Identifier: BSD-2-Clause */
/* report_views.c - prints the views of a report. */
#include "report_views.h"
#include "demangle.h"
#include "exit.h"
#include "folder_table.h"
#include "function_table.h"
#include "markdown.h"
#include "source_text.h"
#include "source_view.h"
#include "terminal.h"
#include "uncovered.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Prepares @view. Sources are compared with the oldest program. */
static void start_view(struct report_view *view, struct report *report)
{
	size_t i;

	*view = (struct report_view){.coverage = &report->coverage, .filter = &report->filter};
	for (i = 0; i < report->count; i++) {
		struct stat about;

		if (stat(report->pairs[i].elf_path, &about) ||
			(view->program && about.st_mtim.tv_sec >= view->program_time))
			continue;
		view->program = report->pairs[i].elf_path;
		view->program_time = about.st_mtim.tv_sec;
	}
	if (!report_view_names(view))
		complain(NULL, DEMANGLE_MISSING);
}

bool report_views_any(const struct report_views *views)
{
	return views->show[0] || views->uncovered || views->functions || views->totals || views->folders;
}

/* Starts another view. There is an empty line between two of them. */
static void separate(struct buffer *text)
{
	if (text->size)
		buffer_add_text(text, "\n");
}

/* Says that lines of --uncovered may be wrong. */
static void tell_newer(const struct report_view *view)
{
	struct bytes name = view->coverage->files->list[view->newer_file];
	char *first = format("%.*s", (int)name.size, (const char *)name.data);

	complain(first, "is newer than %s%s" HINT_SOURCE_NEWER, view->program,
		view->newer > 1 ? ", and so are other files" : "");
	free(first);
}

enum status report_views_print(struct report *report, const struct report_views *views, struct error *error)
{
	struct report_view view;
	struct buffer text = {0};
	enum status status = STATUS_OK;
	size_t i;

	start_view(&view, report);
	view.color = terminal_takes_escapes(STDOUT_FILENO);
	for (i = 0; views->show[i] && status == STATUS_OK; i++) {
		separate(&text);
		status = source_view_add(&text, &view, views->show[i], error);
	}
	if (status == STATUS_OK && views->functions) {
		separate(&text);
		function_table_add(&text, &view);
	}
	if (status == STATUS_OK && views->folders) {
		separate(&text);
		folder_table_add(&text, &view, views->folder_rows);
	}
	if (status == STATUS_OK && views->totals) {
		separate(&text);
		totals_table_add(&text, &view);
	}
	/* Editors read these lines, so nothing separates them from others. */
	if (status == STATUS_OK && views->uncovered)
		uncovered_add(&text, &view);
	if (view.newer)
		tell_newer(&view);
	if (status == STATUS_OK && text.size)
		fwrite(text.data, 1, text.size, stdout);
	fflush(stdout);
	buffer_free(&text);
	report_view_free(&view);
	return status;
}

enum status report_markdown(struct report *report, const char *path, struct coverage_base *base, struct error *error)
{
	struct report_view view;
	struct buffer text = {0};
	struct output output;
	enum status status;

	/* The summary has no names of functions. */
	view = (struct report_view){.coverage = &report->coverage, .filter = &report->filter};
	markdown_add(&text, &view, base);
	output_open(&output, path);
	output_put(&output, text.data, text.size);
	status = output_close(&output, STATUS_OK, error);
	if (status != STATUS_OK)
		report->subject = output_name(path);
	buffer_free(&text);
	return status;
}
