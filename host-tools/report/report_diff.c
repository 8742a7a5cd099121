/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_diff.c - computes the coverage of changed lines. git lists the lines that are new, and the profile shows which
 * of these lines ran.
 */
#include "changes.h"
#include "exit.h"
#include "report.h"
#include "source_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A source file of the profile that is on disk. */
struct diff_source {
	char *path; /* from realpath() */
	const struct lcov_file *file;
};

/* The state that all steps share. */
struct diff {
	struct diff_source *sources; /* sorted by path */
	size_t count;
	const char *lost; /* the first source that is not on disk */
	size_t lost_count;
	char *top; /* top folder of the work tree */
	struct changes changes;
	struct buffer rows; /* rows of the table */
	struct buffer missed; /* the list of changed lines that did not run */
	struct lcov_rate total;
	int width; /* width of the column of names, in characters */
	size_t newer; /* number of changed files that changed after a program was compiled */
	const char *newer_first;
	size_t unknown; /* number of changed files that are not in the profile */
	const char *unknown_first;
};

static int compare_sources(const void *left, const void *right)
{
	return strcmp(((const struct diff_source *)left)->path, ((const struct diff_source *)right)->path);
}

static void find_sources(struct diff *diff, const struct lcov *lcov)
{
	size_t i;

	diff->sources = allocate(lcov->count, sizeof(*diff->sources));
	for (i = 0; i < lcov->count; i++) {
		char *path = realpath(lcov->files[i].name, NULL);

		if (path)
			diff->sources[diff->count++] = (struct diff_source){path, &lcov->files[i]};
		else if (!diff->lost_count++)
			diff->lost = lcov->files[i].name;
	}
	if (diff->count)
		qsort(diff->sources, diff->count, sizeof(*diff->sources), compare_sources);
}

/* Returns whether @path is in the work tree @top, but not in another work tree inside @top. */
static bool is_in_tree(const char *path, const char *top)
{
	size_t n = strlen(top);
	bool inner = false;
	const char *slash;

	if (strncmp(path, top, n) != 0 || path[n] != '/')
		return false;
	for (slash = strchr(path + n + 1, '/'); slash && !inner; slash = strchr(slash + 1, '/')) {
		char *mark = format("%.*s/.git", (int)(slash - path), path);

		inner = !access(mark, F_OK);
		free(mark);
	}
	return !inner;
}

static bool holds_any(const struct diff *diff, const char *top)
{
	size_t i;

	for (i = 0; i < diff->count; i++)
		if (is_in_tree(diff->sources[i].path, top))
			return true;
	return false;
}

/*
 * Finds the work tree. If a source is in the work tree of the current folder, that work tree is used. Otherwise, the
 * first source that is in a work tree decides.
 */
static enum status find_top(struct report *report, struct diff *diff, struct error *error)
{
	struct error ignored;
	size_t i;

	diff->top = changes_top(".", &ignored);
	if (diff->top && holds_any(diff, diff->top))
		return STATUS_OK;
	free(diff->top);
	diff->top = NULL;
	for (i = 0; i < diff->count && !diff->top; i++) {
		const char *path = diff->sources[i].path;
		char *folder = format("%.*s", (int)(strrchr(path, '/') - path), path);

		report->subject = diff->sources[0].file->name;
		/* If no source is in a work tree, the error of the first source is reported. */
		diff->top = changes_top(*folder ? folder : "/", i ? &ignored : error);
		free(folder);
	}
	if (diff->top)
		return STATUS_OK;
	ignored = *error;
	return error_set(
		error, STATUS_SYSTEM, "is not in a git work tree, so --diff cannot compare it: %s", ignored.text);
}

/*
 * Counts @source as newer if it is newer than a program. The lines of such a source may have moved since the program
 * was compiled.
 */
static void note_age(const struct report *report, struct diff *diff, const struct diff_source *source)
{
	struct stat elf;
	struct stat file;
	size_t i;

	for (i = 0; i < report->count; i++) {
		if (stat(source->path, &file) || stat(report->pairs[i].elf_path, &elf) ||
			file.st_mtim.tv_sec <= elf.st_mtim.tv_sec)
			continue;
		if (!diff->newer++)
			diff->newer_first = source->path;
		return;
	}
}

static double percent(struct lcov_rate rate)
{
	return rate.valid ? (double)rate.covered * 100 / (double)rate.valid : 100;
}

static void add_row(struct diff *diff, const char *name, struct lcov_rate rate)
{
	buffer_printf(&diff->rows, "%-*s %8" PRIu64 " %8" PRIu64 " %7.2f%%\n", diff->width, name, rate.valid,
		rate.covered, percent(rate));
}

static void add_missed(struct diff *diff, const char *name, uint64_t first, uint64_t last)
{
	buffer_printf(&diff->missed, "%s:%" PRIu64, name, first);
	if (last != first)
		buffer_printf(&diff->missed, "-%" PRIu64, last);
	buffer_add_text(&diff->missed, "\n");
}

/* Counts the changed lines of one file, whose changes begin at index @i. Returns the number of changes in the file. */
static size_t count_changes(struct diff *diff, const struct diff_source *source, const char *name, size_t i)
{
	const struct change *list = &diff->changes.list[i];
	struct lcov_rate rate = {0, 0};
	/* the changed lines from @first to @last did not run; if @first is 0, there are no such lines */
	uint64_t first = 0;
	uint64_t last = 0;
	size_t n;

	for (n = 0; i + n < diff->changes.count && list[n].file == list->file; n++) {
		const struct change *change = &list[n];
		uint64_t number;

		for (number = change->first; number < change->first + change->count && source; number++) {
			const struct lcov_line *line = lcov_line(source->file, number);

			if (!line)
				continue;
			rate.valid++;
			rate.covered += line->hits > 0;
			if (first && (line->hits || number != last + 1)) {
				add_missed(diff, name, first, last);
				first = 0;
			}
			if (!line->hits) {
				first = first ? first : number;
				last = number;
			}
		}
	}
	if (first)
		add_missed(diff, name, first, last);
	if (rate.valid)
		add_row(diff, name, rate);
	diff->total.valid += rate.valid;
	diff->total.covered += rate.covered;
	return n;
}

static const struct diff_source *find_source(const struct diff *diff, const char *name)
{
	char *path = format("%s/%s", diff->top, name);
	struct diff_source key = {realpath(path, NULL), NULL};
	const struct diff_source *source =
		key.path ? bsearch(&key, diff->sources, diff->count, sizeof(key), compare_sources) : NULL;

	free(key.path);
	free(path);
	return source;
}

static void judge_all(const struct report *report, struct diff *diff)
{
	size_t i;

	diff->width = (int)strlen("TOTAL");
	for (i = 0; i < diff->changes.file_count; i++) {
		int n = (int)strlen(diff->changes.files[i]);

		if (n > diff->width && find_source(diff, diff->changes.files[i]))
			diff->width = n;
	}
	for (i = 0; i < diff->changes.count;) {
		const char *name = diff->changes.files[diff->changes.list[i].file];
		const struct diff_source *source = find_source(diff, name);
		char *shown = format("%s", name);

		printable(shown);
		if (source)
			note_age(report, diff, source);
		else if (!diff->unknown++)
			diff->unknown_first = name;
		i += count_changes(diff, source, shown, i);
		free(shown);
	}
}

static void print_table(struct diff *diff, const char *base)
{
	printf("\nLines changed since %s, in %s:\n", base, diff->top);
	if (!diff->total.valid) {
		printf("none of them is executable, so there is nothing to cover\n");
		return;
	}
	add_row(diff, "TOTAL", diff->total);
	printf("%-*s %8s %8s %8s\n%s", diff->width, "File", "Lines", "Covered", "Cover", buffer_string(&diff->rows));
	if (diff->missed.size)
		printf("Not covered:\n%s", buffer_string(&diff->missed));
}

/*
 * Prints warnings about changed files that the figures leave out, and about files for which the figures may be wrong.
 */
static void print_omissions(const struct diff *diff)
{
	if (diff->newer)
		complain(diff->newer_first, "is newer than the program%s" HINT_SOURCE_NEWER,
			diff->newer > 1 ? ", and so are other files" : "");
	if (diff->unknown)
		complain(diff->unknown_first, "changed, but is not in the coverage mapping, so --diff leaves it out%s",
			diff->unknown > 1 ? "; other changed files are left out for the same reason" : "");
	if (diff->lost_count)
		complain(diff->lost,
			"does not exist, so --diff does not see changes in it%s; if it is in another folder now, give "
			"this folder with --path-map A=B",
			diff->lost_count > 1 ? " and in other missing files" : "");
}

enum status report_diff(
	struct report *report, const char *base, bool print, struct lcov_rate *lines, struct error *error)
{
	struct diff diff = {0};
	enum status status = report_lcov(report, error);
	size_t i;

	if (status == STATUS_OK)
		find_sources(&diff, &report->lcov);
	if (status == STATUS_OK && !diff.count)
		status = error_set(error, STATUS_INVALID_INPUT,
			"was compiled from files that were not found%s%s: run the command in the folder in which they "
			"were compiled, or use --path-map A=B to replace a folder A by the folder B that contains them "
			"now",
			diff.lost ? ", such as " : "", diff.lost ? diff.lost : "");
	if (status == STATUS_OK)
		status = find_top(report, &diff, error);
	if (status == STATUS_OK) {
		report->subject = base;
		status = changes_read(&diff.changes, diff.top, base, error);
	}
	if (status == STATUS_OK) {
		judge_all(report, &diff);
		if (print)
			print_table(&diff, base);
		print_omissions(&diff);
		*lines = diff.total;
		report->subject = report->pairs[0].elf_path;
	}
	for (i = 0; i < diff.count; i++)
		free(diff.sources[i].path);
	free(diff.sources);
	free(diff.top);
	changes_free(&diff.changes);
	buffer_free(&diff.rows);
	buffer_free(&diff.missed);
	return status;
}
