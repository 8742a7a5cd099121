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

void report_sources(struct report *report, bool html, bool *any)
{
	const struct coverage_selection *selection = &report->selection;
	struct sources sources = {0};
	size_t i;

	/* In most reports, the first source of all is on disk, and only the HTML report needs all of them. */
	for (i = 0; i < selection->file_count && (html || !sources.present); i++) {
		struct bytes name = selection_name(selection, selection->files[i]);
		char *path = format("%.*s", (int)name.size, (const char *)name.data);

		add_source(&sources, path);
		free(path);
	}
	*any = sources.present || !sources.lost;
	if (!*any) {
		complain(sources.first,
			"does not exist, and neither does any other source file of the report%s; %suse "
			"--path-map A=B to name the folder B that has the sources now",
			html ? ", so there is no HTML report" : "",
			*sources.first == '/' ? "" : "change to the folder to which its name is relative, or ");
		report->incomplete = true;
	} else if (html && sources.lost) {
		complain(sources.first,
			"does not exist, so the HTML report lacks it%s; use --path-map A=B to name the folder B that "
			"has the sources now",
			sources.lost > 1 ? " and other files" : "");
	}
	free(sources.first);
}
