/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * coverage_lcov_lines.c - makes a struct lcov from coverage. It has the same lines and branches as LCOV's text, apart
 * from branches whose count is a multiple of 2^32, which the text has as not taken.
 */
#include "branch_order.h"
#include "coverage_lcov.h"

/* Lines from @number on, with the same @hits. */
struct line_run {
	uint64_t number;
	uint64_t lines;
	uint64_t hits;
};

static struct lcov_line *add_line(struct lcov_file *file)
{
	file->lines = array_grow(file->lines, file->count, &file->room, sizeof(*file->lines));
	return &file->lines[file->count++];
}

static void add_run(struct lcov_file *file, struct line_run run)
{
	struct lcov_line *last = file->count ? &file->lines[file->count - 1] : NULL;

	if (!run.lines)
		return;
	if (last && !last->branches && last->hits == run.hits && (uint64_t)last->number + last->lines == run.number)
		last->lines += (uint32_t)run.lines;
	else
		*add_line(file) = (struct lcov_line){
			.number = (uint32_t)run.number, .lines = (uint32_t)run.lines, .hits = run.hits};
}

/* Adds a line that has branches. They start at index @i in order->list. Returns the index after them. */
static size_t add_branches(struct lcov_file *file, const struct branch_order *order, size_t i, uint64_t hits)
{
	struct lcov_line line = {.number = order->list[i].line, .lines = 1, .hits = hits};

	for (; i < order->count && order->list[i].line == line.number; i++) {
		line.branches += 2;
		line.taken += order->list[i].true_count > 0;
		line.taken += order->list[i].false_count > 0;
	}
	*add_line(file) = line;
	return i;
}

static void add_lines(struct lcov_file *file, struct line_walk *walk, const struct branch_order *order)
{
	size_t i = 0;

	while (lines_next(walk)) {
		struct line_run run = {walk->line, walk->repeat, walk->count};

		while (walk->mapped && i < order->count && order->list[i].line < walk->line + walk->repeat) {
			uint64_t line = order->list[i].line;

			if (line < run.number) {
				i = add_branches(file, order, i, 0);
				continue;
			}
			add_run(file, (struct line_run){run.number, line - run.number, run.hits});
			i = add_branches(file, order, i, run.hits);
			run.lines -= line + 1 - run.number;
			run.number = line + 1;
		}
		if (walk->mapped)
			add_run(file, run);
	}
	while (i < order->count)
		i = add_branches(file, order, i, 0);
}

enum status coverage_lcov(const struct coverage_selection *selection, struct lcov *lcov, struct error *error)
{
	struct file_coverage file = {0};
	struct branch_order order = {0};
	enum status status = STATUS_OK;
	uint64_t lines = 0;
	size_t i;

	for (i = 0; i < selection->file_count; i++) {
		struct line_walk walk = {.segments = &file.segments, .rules = &selection->coverage->rules};
		struct bytes name = selection_name(selection, selection->files[i]);

		coverage_file(selection->coverage, selection->files[i], selection->filter, selection->context, &file);
		if (!selection_lines(selection, &file.segments, &lines, error)) {
			status = STATUS_INVALID_INPUT;
			break;
		}
		branch_order_make(&order, &file, &selection->coverage->rules);
		lcov->files = array_grow(lcov->files, lcov->count, &lcov->room, sizeof(*lcov->files));
		lcov->files[lcov->count] = (struct lcov_file){.name = format("%.*s", (int)name.size, name.data)};
		add_lines(&lcov->files[lcov->count++], &walk, &order);
	}
	file_coverage_free(&file);
	branch_order_free(&order);
	return status;
}
