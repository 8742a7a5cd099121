/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_files.c - sorts the functions of a machine profile by source file, and prints a table of the files. */
#include "mip_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN "(unknown)"

/* A function with its file, for sorting. */
struct entry {
	const char *file;
	struct mip_file_function function;
	bool left_out;
	bool is_known; /* it is known whether the function ran */
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;
	int order = strcmp(a->file, b->file);

	if (order)
		return order;
	if (a->function.line != b->function.line)
		return a->function.line < b->function.line ? -1 : 1;
	return strcmp(a->function.name, b->function.name);
}

static struct entry *make_entries(const struct mip_profile *profile, const struct mip_sources *sources)
{
	struct entry *entries = allocate(profile->count, sizeof(*entries));
	size_t i;

	for (i = 0; i < profile->count; i++) {
		const struct mip_function *function = &profile->functions[i];
		const struct mip_source *source = &sources->list[i];

		entries[i].file = source->file ? source->file : UNKNOWN;
		entries[i].left_out = !function->kinds;
		entries[i].is_known = mip_run_known(function);
		entries[i].function = (struct mip_file_function){(const char *)function->name.data, source->name,
			source->line, function->kinds & BAREPROF_MIP_KIND_CALLS, function->runs, function->calls,
			function->order_sum, function->orders};
	}
	qsort(entries, profile->count, sizeof(*entries), compare_entries);
	return entries;
}

static bool same_function(const struct mip_file_function *a, const struct mip_file_function *b)
{
	return a->line && a->line == b->line && !strcmp(a->name, b->name);
}

/* Returns whether a function before @entry stands for it, too. */
static bool add_entry(struct mip_file *file, const struct entry *entry)
{
	struct mip_file_function *last = file->count ? &file->functions[file->count - 1] : NULL;

	if (entry->left_out) {
		file->left_out++;
		return false;
	}
	if (last && same_function(last, &entry->function)) {
		file->ran += !last->runs && entry->function.runs;
		last->runs = last->runs > entry->function.runs ? last->runs : entry->function.runs;
		last->calls = add_saturating(last->calls, entry->function.calls);
		last->order_sum = add_saturating(last->order_sum, entry->function.order_sum);
		last->orders = add_saturating(last->orders, entry->function.orders);
		return true;
	}
	file->ran += entry->function.runs > 0;
	file->functions[file->count++] = entry->function;
	return false;
}

/* Returns the length of the folder that both paths have in common, with its slash. @max limits the length. */
static size_t common_folder(const char *a, const char *b, size_t max)
{
	size_t length = 0;
	size_t i;

	for (i = 0; i < max && a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			length = i + 1;
	return length;
}

static void shorten_names(struct mip_files *files)
{
	const char *first = NULL;
	size_t length = SIZE_MAX;
	size_t i;

	for (i = 0; i < files->count; i++) {
		const char *name = files->list[i].name;

		if (name[0] != '/')
			continue;
		first = first ? first : name;
		length = common_folder(first, name, length);
	}
	for (i = 0; i < files->count; i++)
		files->list[i].short_name = files->list[i].name + (files->list[i].name[0] == '/' ? length : 0);
}

void mip_files_make(struct mip_files *files, const struct mip_profile *profile, const struct mip_sources *sources)
{
	struct entry *entries = make_entries(profile, sources);
	size_t used = 0;
	size_t room = 0;
	size_t i;

	*files = (struct mip_files){
		.profile = profile, .functions = allocate(profile->count, sizeof(*files->functions))};
	for (i = 0; i < profile->count; i++) {
		if (!i || strcmp(entries[i - 1].file, entries[i].file) != 0) {
			files->list = array_grow(files->list, files->count, &room, sizeof(*files->list));
			if (files->count)
				used += files->list[files->count - 1].count;
			files->list[files->count++] =
				(struct mip_file){.name = entries[i].file, .functions = files->functions + used};
		}
		if (entries[i].is_known)
			files->copies += add_entry(&files->list[files->count - 1], &entries[i]);
		else
			files->unknown++;
	}
	free(entries);
	shorten_names(files);
}

struct mip_file mip_files_total(const struct mip_files *files)
{
	struct mip_file total = {.name = "TOTAL", .short_name = "TOTAL"};
	size_t i;

	for (i = 0; i < files->count; i++) {
		total.count += files->list[i].count;
		total.ran += files->list[i].ran;
		total.left_out += files->list[i].left_out;
	}
	return total;
}

void mip_files_free(struct mip_files *files)
{
	free(files->list);
	free(files->functions);
}

static void put_row(const struct mip_file *file, int width)
{
	char *copy = format("%s", file->short_name);

	printable(copy);
	printf("%-*s  %9zu  %9zu  ", width, copy, file->count, file->ran);
	if (file->count)
		printf("%7.2f%%", 100 * (double)file->ran / (double)file->count);
	else
		printf("%8s", "-");
	printf("  %8zu\n", file->left_out);
	free(copy);
}

void mip_files_table(const struct mip_files *files)
{
	struct mip_file total = mip_files_total(files);
	int width = 5;
	size_t i;

	for (i = 0; i < files->count; i++) {
		size_t length = strlen(files->list[i].short_name);

		if (length < 1000 && (int)length > width)
			width = (int)length;
	}
	printf("%-*s  %9s  %9s  %8s  %8s\n", width, "File", "Functions", "Ran", "Share", "Left Out");
	for (i = 0; i < files->count; i++)
		put_row(&files->list[i], width);
	put_row(&total, width);
}
