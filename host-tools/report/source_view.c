/* SPDX-License-Identifier: BSD-2-Clause */
/* source_view.c - shows source with its coverage. */
#include "source_view.h"
#include "source_find.h"

#include <inttypes.h>
#include <stdlib.h>

#define COUNT_WIDTH 6

/* A line, and which of its bytes did not run. */
struct shown_line {
	struct bytes source;
	uint64_t count;
	bool mapped;
	bool *missed; /* for each byte of the source; NULL: all bytes ran */
};

static bool is_missed(const struct segment *segment)
{
	return segment->has_count && !segment->count && !segment->is_gap;
}

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

/* Marks the bytes from @from to before @to. Blanks at both ends stay as they are. */
static void mark(struct shown_line *line, size_t from, size_t to)
{
	to = to < line->source.size ? to : line->source.size;
	while (from < to && is_blank(line->source.data[from]))
		from++;
	while (to > from && is_blank(line->source.data[to - 1]))
		to--;
	if (from < to && !line->missed)
		line->missed = allocate(line->source.size, sizeof(*line->missed));
	for (; from < to; from++)
		line->missed[from] = true;
}

/* Finds the pieces of a line that did not run. The segments from @first to before @next start in the line. */
static void mark_missed(const struct source_page *page, struct shown_line *line, size_t first, size_t next)
{
	const struct segment *list = page->data.segments.list;
	size_t start = 0;
	size_t i;

	if (first && is_missed(&list[first - 1]))
		mark(line, 0, first < next ? list[first].column - 1 : line->source.size);
	for (i = first; i < next; i++) {
		start = list[i].column - 1;
		if (is_missed(&list[i]))
			mark(line, start, i + 1 < next ? list[i + 1].column - 1 : line->source.size);
	}
}

static void add_source(struct source_page *page, const struct shown_line *line)
{
	size_t from = 0;

	while (from < line->source.size) {
		bool missed = line->missed && line->missed[from];
		size_t to = from;

		while (to < line->source.size && (line->missed && line->missed[to]) == missed)
			to++;
		if (missed)
			color_start(page->text, page->view, COLOR_MISSED);
		add_safe(page->text, (struct bytes){line->source.data + from, to - from});
		if (missed)
			color_end(page->text, page->view);
		from = to;
	}
	buffer_add_text(page->text, "\n");
}

/* Adds a line with a ^ below each byte that did not run, for readers without colours. */
static void add_marks(struct source_page *page, const struct shown_line *line)
{
	size_t last = line->source.size;
	size_t i;

	while (last && !line->missed[last - 1])
		last--;
	source_margin(page);
	for (i = 0; i < last; i++) {
		uint8_t c = line->source.data[i];

		/* In UTF-8, only the first byte of a character takes a column. */
		if ((c & 0xc0) != 0x80)
			buffer_add_text(page->text, c == '\t' ? "\t" : line->missed[i] ? "^" : " ");
	}
	buffer_add_text(page->text, "\n");
}

void source_margin(struct source_page *page)
{
	buffer_printf(page->text, "%*s|%*s |", page->width, "", COUNT_WIDTH, "");
}

static void add_count(struct source_page *page, const struct shown_line *line)
{
	struct buffer count = {0};

	if (line->mapped)
		add_short_count(&count, line->count);
	if (line->mapped && !line->count)
		color_start(page->text, page->view, COLOR_BAD);
	buffer_printf(
		page->text, "%*s%c", COUNT_WIDTH, buffer_string(&count), line->mapped && !line->count ? '!' : ' ');
	if (line->mapped && !line->count)
		color_end(page->text, page->view);
	buffer_add_text(page->text, "|");
	buffer_free(&count);
}

/* Adds the line @number with its notes. */
static void add_line(struct source_page *page, uint32_t number, struct shown_line *line)
{
	buffer_printf(page->text, "%*" PRIu32 "|", page->width, number);
	add_count(page, line);
	add_source(page, line);
	/* If the count is 0, nothing in the line ran, and the line has its mark already. */
	if (line->missed && !page->view->color && line->count)
		add_marks(page, line);
	source_notes_add(page, number, line->count > 0);
	free(line->missed);
}

static void add_lines(struct source_page *page)
{
	struct line_walk walk = {.segments = &page->data.segments, .rules = &page->view->coverage->rules};
	bool more = lines_next(&walk);
	uint32_t number;

	for (number = page->first; number <= page->last; number++) {
		struct shown_line line = {.source = source_line(&page->source, number)};

		while (more && walk.line + walk.repeat <= number)
			more = lines_next(&walk);
		if (more && walk.line <= number) {
			line.mapped = walk.mapped;
			line.count = walk.count;
			mark_missed(page, &line, walk.first, number == walk.line ? walk.next : walk.first);
		}
		add_line(page, number, &line);
	}
}

/* Adds the counts of lines that are not on disk. Lines with the same count that follow each other are shown together. */
static void add_counts(struct source_page *page)
{
	struct line_walk walk = {.segments = &page->data.segments, .rules = &page->view->coverage->rules};

	while (lines_next(&walk)) {
		struct shown_line line = {.mapped = walk.mapped, .count = walk.count};
		uint32_t last = (uint32_t)(walk.line + walk.repeat - 1);

		if (!walk.mapped && !source_notes_wait(page, last))
			continue;
		buffer_printf(page->text, "%*" PRIu64 "|", page->width, walk.line);
		add_count(page, &line);
		if (walk.repeat > 1)
			buffer_printf(page->text, "to line %" PRIu32, last);
		buffer_add_text(page->text, "\n");
		source_notes_add(page, last, line.count > 0);
	}
}

static void add_rate(struct buffer *text, const struct coverage_summary *summary, unsigned int rate, const char *word)
{
	if (summary->rate[rate].total)
		buffer_printf(text, ", %" PRIu64 " of %" PRIu64 " %s", summary->rate[rate].covered,
			summary->rate[rate].total, word);
}

static void add_title(struct source_page *page, const struct source_target *target)
{
	const struct coverage *coverage = page->view->coverage;
	const struct coverage_function *function = target->count ? &coverage->functions[target->functions[0]] : NULL;
	struct coverage_summary summary;

	color_start(page->text, page->view, COLOR_TITLE);
	add_safe(page->text, coverage->files->list[page->file]);
	if (function && target->count == 1) {
		buffer_add_text(page->text, ": ");
		add_safe_text(page->text, page->view->names[target->functions[0]]);
	}
	color_end(page->text, page->view);
	if (function && target->count == 1) {
		summary = function->summary;
		buffer_printf(page->text, ": ran %" PRIu64 " time%s", function->executions,
			function->executions == 1 ? "" : "s");
	} else if (function) {
		char *plain = plain_name(page->view->names[target->functions[0]]);

		buffer_add_text(page->text, ": ");
		add_safe_text(page->text, plain);
		buffer_printf(page->text, ": %zu instantiations", target->count);
		free(plain);
		summary = (struct coverage_summary){0};
	} else {
		coverage_file_summary(coverage, page->file, NULL, NULL, &summary);
		buffer_printf(page->text, ": %" PRIu64 " of %" PRIu64 " functions ran",
			summary.rate[RATE_FUNCTIONS].covered, summary.rate[RATE_FUNCTIONS].total);
	}
	add_rate(page->text, &summary, RATE_LINES, "lines");
	add_rate(page->text, &summary, RATE_BRANCHES, "branches");
	add_rate(page->text, &summary, RATE_CONDITIONS, "conditions with a pair");
	buffer_add_text(page->text, "\n");
}

static void add_state_of_source(struct source_page *page)
{
	struct bytes name = page->view->coverage->files->list[page->file];

	if (!page->source.read) {
		add_safe(page->text, name);
		buffer_add_text(page->text,
			" cannot be read, so only the counts of its lines are shown; if the sources are in "
			"another folder B now, use --path-map A=B\n");
	} else if (page->source.newer) {
		add_safe(page->text, name);
		buffer_add_text(page->text, " is newer than ");
		add_safe_text(page->text, page->view->program ? page->view->program : "the program");
		buffer_add_text(page->text, HINT_SOURCE_NEWER "\n");
	}
}

/* Sets the lines to show to those of @function, and to more if the page already shows others. */
static void include_function(struct source_page *page, const struct coverage_function *function)
{
	struct function_regions regions = {0};
	size_t main_file;
	size_t i;

	coverage_regions(page->view->coverage, function, &regions);
	main_file = regions_main_file(&regions);
	for (i = 0; i < regions.count; i++) {
		const struct region *region = &regions.list[i];

		/*
		 * The definition of a macro can be in the same source, but its regions are in another file of the
		 * function.
		 */
		if (region->file != main_file)
			continue;
		page->first = region->line < page->first ? region->line : page->first;
		page->last = region->end_line > page->last ? region->end_line : page->last;
	}
	function_regions_free(&regions);
}

/* Takes the functions that start in the lines of the page, such as the instantiations of a template, and lambdas. */
static bool is_in_page(const void *context, const struct coverage_function *function)
{
	const struct source_page *page = context;

	return function->main_file == page->file && function->line >= page->first && function->line <= page->last;
}

/* Returns whether @target has all functions that start at its location. */
static bool is_whole_place(const struct coverage *coverage, const struct source_target *target)
{
	const struct coverage_function *function = &coverage->functions[target->functions[0]];
	size_t count = 0;
	size_t i;

	for (i = 0; i < coverage->count; i++)
		count += coverage->functions[i].main_file == function->main_file &&
		         coverage->functions[i].line == function->line &&
		         coverage->functions[i].column == function->column;
	return count == target->count;
}

static void read_coverage(struct source_page *page, const struct source_target *target)
{
	struct coverage *coverage = page->view->coverage;
	size_t i;

	if (!target->count) {
		coverage_file(coverage, page->file, NULL, NULL, &page->data);
		page->first = 1;
		page->last = UINT32_MAX;
		return;
	}
	page->first = UINT32_MAX;
	for (i = 0; i < target->count; i++)
		include_function(page, &coverage->functions[target->functions[i]]);
	page->single = target->count == 1 && !is_whole_place(coverage, target);
	if (page->single)
		coverage_function_in_file(coverage, &coverage->functions[target->functions[0]], &page->data);
	else
		coverage_file(coverage, page->file, is_in_page, page, &page->data);
}

enum status source_view_add(
	struct buffer *text, const struct report_view *view, const char *wanted, struct error *error)
{
	struct source_page page = {.view = view, .text = text};
	struct source_target target;
	enum status status = source_find(view, wanted, &target, error);
	uint32_t rest;

	if (status != STATUS_OK)
		return status;
	page.file = target.file;
	source_text_read(&page.source, view->coverage->files->list[page.file], view->program_time);
	read_coverage(&page, &target);
	if (page.last > page.source.count)
		page.last = (uint32_t)page.source.count;
	for (rest = page.source.read ? page.last : 1, page.width = 5; rest >= 100000; rest /= 10)
		page.width++;
	source_notes_start(&page);
	add_title(&page, &target);
	add_state_of_source(&page);
	if (page.source.read)
		add_lines(&page);
	else
		add_counts(&page);
	source_notes_free(&page);
	file_coverage_free(&page.data);
	source_text_free(&page.source);
	free(target.functions);
	return status;
}
