/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_sources.c - finds sources that are not on disk. The counts of a report are right without the sources. However,
 * llvm-cov leaves missing files out of the HTML report without an error, and other readers of the report have no source
 * to show.
 */
#include "exit.h"
#include "report.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct sources {
	size_t present;
	size_t lost;
	char *first; /* name of the first source that is not on disk */
};

static void add_source(struct sources *sources, const char *name)
{
	struct stat about;

	if (!stat(name, &about) && S_ISREG(about.st_mode) && !access(name, R_OK))
		sources->present++;
	else if (!sources->lost++)
		sources->first = format("%s", name);
}

static void add_covmap(struct sources *sources, const struct covmap *covmap)
{
	size_t i;
	size_t n;

	for (i = 0; i < covmap->count; i++) {
		const struct covmap_list *list = &covmap->lists[i];

		for (n = list->has_folder; n < list->count; n++) {
			const struct covmap_file *file = &covmap->files[list->first + n];
			char *name = format("%.*s", (int)file->size, (const char *)covmap->text.data + file->offset);

			add_source(sources, name);
			free(name);
			/*
			 * Stop at the first source that is on disk. In most reports, this is the first source of all.
			 */
			if (sources->present)
				return;
		}
	}
}

/*
 * Adds the source files that llvm-cov names. There are two reasons to use these names: bareprof cannot read the
 * mapping, or the caller wants the HTML report, which has exactly these files.
 */
static enum status add_lcov(struct report *report, struct sources *sources, struct error *error)
{
	enum status status = report_lcov(report, error);
	size_t i;

	for (i = 0; i < report->lcov.count && status == STATUS_OK; i++)
		add_source(sources, report->lcov.files[i].name);
	return status;
}

enum status report_sources(struct report *report, bool html, bool *any, struct error *error)
{
	struct sources sources = {0};
	enum status status = STATUS_OK;
	size_t i;

	if (html || !report->covmaps)
		status = add_lcov(report, &sources, error);
	for (i = 0; i < report->count && !sources.present && report->covmaps && status == STATUS_OK; i++)
		add_covmap(&sources, &report->covmaps[i]);
	*any = sources.present || !sources.lost;
	if (status == STATUS_OK && !*any) {
		complain(sources.first,
			"does not exist, and neither does any other source file of the report%s; %sgive the folder "
			"that has the sources now with --path-map A=B",
			html ? ", so there is no HTML report" : "",
			*sources.first == '/' ? "" : "change to the folder to which its name is relative, or ");
		report->incomplete = true;
	} else if (status == STATUS_OK && html && sources.lost) {
		complain(sources.first,
			"does not exist, so the HTML report lacks it%s; give the folder of the sources with --path-map "
			"A=B",
			sources.lost > 1 ? " and other files" : "");
	}
	free(sources.first);
	return status;
}
