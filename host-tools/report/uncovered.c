/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uncovered.c - lists what did not run. A function that never ran is one item, because its lines and conditions add
 * nothing to that. A condition that was never evaluated is no item, because its line did not run.
 */
#include "uncovered.h"
#include "source_find.h"
#include "uncovered_listing.h"

#include <inttypes.h>
#include <stdlib.h>

/* Longer names of functions are shown without parameters. */
#define NAME_MAX_SIZE 100

/* A function that starts in another one, such as a lambda, ends before it. At most this many of them are passed over. */
#define NESTED_MAX 100

void listing_add(struct listing *listing, uint32_t line, uint32_t column, struct buffer *text)
{
	listing->items = array_grow(listing->items, listing->count, &listing->room, sizeof(*listing->items));
	listing->items[listing->count] = (struct item){line, column, listing->count, format("%s", buffer_string(text))};
	listing->count++;
	buffer_free(text);
}

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left;
	const struct item *b = right;
	int order = compare_uint(a->line, b->line);

	if (!order)
		order = compare_uint(a->column, b->column);
	return order ? order : compare_uint(a->order, b->order);
}

static int compare_starts(const void *left, const void *right)
{
	const struct extent_of_function *a = left;
	const struct extent_of_function *b = right;

	return compare_uint(location(a->line, a->column), location(b->line, b->column));
}

/* Returns the number of functions that start at this location or before. */
static size_t count_starts(const struct listing *listing, uint32_t line, uint32_t column)
{
	const struct extent_of_function key = {.line = line, .column = column};

	return upper_bound(
		&key, listing->functions, listing->function_count, sizeof(*listing->functions), compare_starts);
}

/* Returns the last of the first @count functions that ends after @at, or NULL. */
static const struct extent_of_function *last_around(const struct listing *listing, size_t count, uint64_t at)
{
	size_t i;

	for (i = 0; i < count && i < NESTED_MAX; i++) {
		const struct extent_of_function *function = &listing->functions[count - 1 - i];

		if (location(function->end_line, function->end_column) > at)
			return function;
	}
	return NULL;
}

const struct extent_of_function *listing_function(const struct listing *listing, uint64_t line)
{
	return last_around(listing, count_starts(listing, (uint32_t)line, UINT32_MAX), location((uint32_t)line, 0));
}

const struct extent_of_function *listing_function_at(const struct listing *listing, uint32_t line, uint32_t column)
{
	return last_around(listing, count_starts(listing, line, column), location(line, column));
}

bool listing_is_macro(const struct listing *listing, uint64_t line)
{
	return !listing_function(listing, line) && source_is_directive(&listing->source, line);
}

/* Adds the name of @function. A long one, of a template, is added without parameters. */
static void add_function_name(struct listing *listing, struct buffer *text, const struct extent_of_function *function)
{
	const char *name = listing->view->names[function->index];
	char *plain = strlen(name) > NAME_MAX_SIZE ? plain_name(name) : NULL;

	add_safe_text(text, plain ? plain : name);
	free(plain);
}

void listing_add_name(struct listing *listing, struct buffer *text, const struct extent_of_function *function)
{
	if (!function)
		return;
	buffer_add_text(text, ", in ");
	add_function_name(listing, text, function);
}

static void set_extent(
	struct listing *listing, const struct coverage_function *function, struct extent_of_function *extent)
{
	struct function_regions regions = {0};
	size_t main_file;
	size_t i;

	coverage_regions(listing->view->coverage, function, &regions);
	main_file = regions_main_file(&regions);
	extent->line = extent->end_line = function->line;
	extent->column = function->column;
	extent->end_column = function->column + 1;
	for (i = 0; i < regions.count; i++) {
		const struct region *region = &regions.list[i];

		if (region->file != main_file || location(region->end_line, region->end_column) <=
							 location(extent->end_line, extent->end_column))
			continue;
		extent->end_line = region->end_line;
		extent->end_column = region->end_column;
	}
	function_regions_free(&regions);
}

/* Finds the functions of the file, which are the entries from *@next on. */
static void find_functions(struct listing *listing, size_t *next)
{
	struct coverage *coverage = listing->view->coverage;

	for (; *next < coverage->by_main_count; ++*next) {
		uint32_t index = coverage->by_main_file[*next];
		const struct coverage_function *function = &coverage->functions[index];
		struct extent_of_function *last =
			listing->function_count ? &listing->functions[listing->function_count - 1] : NULL;

		if (function->main_file != listing->file)
			return;
		if (!last || last->line != function->line || last->column != function->column) {
			listing->functions = array_grow(listing->functions, listing->function_count,
				&listing->function_room, sizeof(*listing->functions));
			last = &listing->functions[listing->function_count++];
			*last = (struct extent_of_function){.index = index};
			set_extent(listing, function, last);
		}
		last->ran |= function->executions || function->summary.rate[RATE_REGIONS].covered;
	}
}

static void add_functions(struct listing *listing)
{
	size_t i;

	for (i = 0; i < listing->function_count; i++) {
		const struct extent_of_function *function = &listing->functions[i];
		const struct extent_of_function *outer =
			last_around(listing, i, location(function->line, function->column));
		struct buffer text = {0};

		/* A lambda in a function that never ran is a part of that item. */
		if (function->ran || (outer && !outer->ran))
			continue;
		add_function_name(listing, &text, function);
		if (function->end_line > function->line)
			buffer_printf(&text, " (lines %" PRIu32 " to %" PRIu32 ")", function->line, function->end_line);
		buffer_add_text(&text, " never ran");
		listing_add(listing, function->line, 0, &text);
	}
}

static void add_range(struct listing *listing, uint64_t first, uint64_t last)
{
	struct buffer text = {0};

	if (first == last)
		buffer_add_text(&text, "line did not run");
	else
		buffer_printf(&text, "lines %" PRIu64 " to %" PRIu64 " did not run", first, last);
	listing_add_name(listing, &text, listing_function(listing, first));
	listing_add(listing, (uint32_t)first, 0, &text);
	listing->ranges =
		array_grow(listing->ranges, listing->range_count, &listing->range_room, sizeof(*listing->ranges));
	listing->ranges[listing->range_count++] = (struct range){first, last};
}

bool listing_missed(const struct listing *listing, uint64_t line)
{
	const struct range *next = listing->ranges;
	size_t at = upper_bound(&line, next, listing->range_count, sizeof(*next), compare_numbers);

	return at && next[at - 1].last >= line;
}

/*
 * Adds the pieces that did not run of a line that ran. A line with conditions has items for the conditions. rustc makes
 * no conditions, so only the pieces show that an operator ? never returned early.
 */
static void add_pieces(struct listing *listing, const struct line_walk *walk)
{
	const struct segment *list = listing->data.segments.list;
	uint32_t line = (uint32_t)walk->line;
	size_t i;

	if (walk->first == walk->next || listing_is_macro(listing, line) ||
		conditions_at(listing->conditions, listing->condition_count, line, 0))
		return;
	/* If the last piece of a line goes on in the next line, the next line has an item for it. */
	for (i = walk->first; i + 1 < walk->next; i++) {
		struct buffer text = {0};

		if (!list[i].has_count || list[i].count || list[i].is_gap || !list[i].is_entry)
			continue;
		buffer_printf(&text, "columns %" PRIu32 " to %" PRIu32 " did not run", list[i].column,
			list[i + 1].column - 1);
		listing_add_name(listing, &text, listing_function_at(listing, line, list[i].column));
		listing_add(listing, line, list[i].column, &text);
	}
}

/* Adds the ranges of lines that did not run in functions that ran. Lines without code between them do not end a range. */
static void add_ranges(struct listing *listing)
{
	struct line_walk walk = {.segments = &listing->data.segments, .rules = &listing->view->coverage->rules};
	const struct extent_of_function *of = NULL; /* the function of the current range */
	uint64_t first = 0; /* 0: there is no range */
	uint64_t last = 0;

	while (lines_next(&walk)) {
		const struct extent_of_function *function;

		if (!walk.mapped)
			continue;
		function = listing_function(listing, walk.line);
		if (first && (walk.count || function != of)) {
			add_range(listing, first, last);
			first = 0;
		}
		if (walk.count)
			add_pieces(listing, &walk);
		if (walk.count || (function && !function->ran) || listing_is_macro(listing, walk.line))
			continue;
		first = first ? first : walk.line;
		last = walk.line + walk.repeat - 1;
		of = function;
	}
	if (first)
		add_range(listing, first, last);
}

static void list_file(struct listing *listing, struct buffer *out)
{
	struct report_view *view = listing->view;
	struct bytes name = view->coverage->files->list[listing->file];
	size_t i;

	coverage_file(view->coverage, listing->file, NULL, NULL, &listing->data);
	source_text_read(&listing->source, name, view->program_time);
	listing->conditions = conditions_of(&listing->data, view->coverage->byte_counters, &listing->condition_count);
	add_functions(listing);
	add_ranges(listing);
	listing_add_conditions(listing);
	if (listing->count)
		qsort(listing->items, listing->count, sizeof(*listing->items), compare_items);
	if (listing->count && listing->source.newer && !view->newer++)
		view->newer_file = listing->file;
	for (i = 0; i < listing->count; i++) {
		const struct item *item = &listing->items[i];

		/* Several instantiations of a decision can lack the same conditions. */
		if (!i || item->line != item[-1].line || strcmp(item->text, item[-1].text) != 0) {
			add_safe(out, name);
			buffer_printf(out, ":%" PRIu32 ": %s\n", item->line, item->text);
		}
	}
	for (i = 0; i < listing->count; i++)
		free(listing->items[i].text);
	free(listing->conditions);
	source_text_free(&listing->source);
	listing->count = 0;
	listing->function_count = 0;
	listing->range_count = 0;
}

/* A file with its missing lines. */
struct ranked_file {
	uint64_t missing;
	size_t order; /* in coverage->sources, which are sorted by name */
	uint32_t file;
	size_t first_function; /* index in coverage->by_main_file */
};

static int compare_files(const void *left, const void *right)
{
	const struct ranked_file *a = left;
	const struct ranked_file *b = right;
	int order = compare_uint(b->missing, a->missing);

	return order ? order : compare_uint(a->order, b->order);
}

/* Returns, for each file name of @coverage, the index of its first function in coverage->by_main_file. */
static size_t *first_functions(const struct coverage *coverage)
{
	size_t *first = allocate(coverage->files->count, sizeof(*first));
	size_t i;

	for (i = 0; i < coverage->files->count; i++)
		first[i] = coverage->by_main_count;
	for (i = coverage->by_main_count; i; i--)
		first[coverage->functions[coverage->by_main_file[i - 1]].main_file] = i - 1;
	return first;
}

void uncovered_add(struct buffer *text, struct report_view *view)
{
	struct coverage *coverage = view->coverage;
	struct listing listing = {.view = view};
	size_t *first = first_functions(coverage);
	size_t count;
	uint32_t *files = source_filter_files(view->filter, coverage, &count);
	struct ranked_file *ranked = allocate(count, sizeof(*ranked));
	size_t i;

	for (i = 0; i < count; i++) {
		struct coverage_summary summary;

		coverage_file_summary(coverage, files[i], NULL, NULL, &summary);
		ranked[i] = (struct ranked_file){missing(summary.rate[RATE_LINES]), i, files[i], first[files[i]]};
	}
	if (count)
		qsort(ranked, count, sizeof(*ranked), compare_files);
	for (i = 0; i < count; i++) {
		listing.file = ranked[i].file;
		find_functions(&listing, &ranked[i].first_function);
		list_file(&listing, text);
	}
	file_coverage_free(&listing.data);
	free(listing.functions);
	free(listing.items);
	free(listing.ranges);
	free(ranked);
	free(files);
	free(first);
}
