/* SPDX-License-Identifier: BSD-2-Clause */
/* markdown.c - a summary in Markdown. The text depends on nothing but the coverage, so that equal runs have equal texts. */
#include "markdown.h"
#include "function_table.h"

#include <inttypes.h>
#include <stdlib.h>

/* At most this many files are in a table. */
#define ROWS 10

struct entry {
	struct bytes name; /* without the folder that all files have in common */
	struct coverage_summary now;
	const struct base_file *before; /* NULL: a new file, or there is no base */
	uint64_t rank; /* entries with a higher rank come first; entries without rank are not shown */
};

struct page {
	struct buffer *text;
	struct entry *entries; /* those with functions */
	size_t count;
	struct coverage_base *base;
	size_t common; /* length of the folder that all files of the report have in common */
	struct coverage_summary now;
	struct coverage_summary before;
	size_t added; /* files that the base does not have */
	size_t gone; /* files that only the base has */
};

/* Appends @name as code. A bar would end the cell of the table, and a backtick the code. */
static void add_name(struct buffer *text, struct bytes name)
{
	struct buffer safe = {0};
	size_t i;

	add_safe(&safe, name);
	buffer_add_text(text, "`");
	for (i = 0; i < safe.size; i++) {
		char c = (char)safe.data[i];

		if (c == '|')
			buffer_add_text(text, "\\");
		buffer_add(text, c == '`' ? "'" : c == '\t' ? " " : &c, 1);
	}
	buffer_add_text(text, "`");
	buffer_free(&safe);
}

/* Appends a change of a percentage, in points. */
static void add_points(struct buffer *text, struct rate now, struct rate before)
{
	int64_t change = (int64_t)hundredths(now) - (int64_t)hundredths(before);
	uint64_t size = (uint64_t)(change < 0 ? -change : change);

	if (now.total && before.total)
		buffer_printf(text, "%s%" PRIu64 ".%02" PRIu64,
			change < 0 ? "-"
			: change   ? "+"
				   : "",
			size / 100, size % 100);
	else
		buffer_add_text(text, now.total ? "new" : "-");
}

static void add_change(struct buffer *text, uint64_t now, uint64_t before)
{
	buffer_printf(text, "%s%" PRIu64,
		now > before   ? "+"
		: now < before ? "-"
			       : "",
		now > before ? now - before : before - now);
}

/* Appends the part that is covered, without the blanks that align it in other tables. */
static void add_cover(struct buffer *text, struct rate rate)
{
	struct buffer percent = {0};

	add_percent(&percent, rate);
	buffer_add_text(text, buffer_string(&percent) + strspn(buffer_string(&percent), " "));
	buffer_free(&percent);
}

static void add_totals(struct page *page)
{
	static const struct {
		unsigned int rate;
		const char *title;
	} rows[] = {
		{RATE_LINES, "Lines"},
		{RATE_FUNCTIONS, "Functions"},
		{RATE_REGIONS, "Regions"},
		{RATE_BRANCHES, "Branches"},
		{RATE_CONDITIONS, "MC/DC"},
	};
	size_t i;

	buffer_add_text(
		page->text, page->base ? "| Coverage | Covered | Missed | Cover | Change |\n|---|--:|--:|--:|--:|\n"
				       : "| Coverage | Covered | Missed | Cover |\n|---|--:|--:|--:|\n");
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rate now = page->now.rate[rows[i].rate];

		if (!now.total)
			continue;
		buffer_printf(page->text, "| %s | %" PRIu64 " of %" PRIu64 " | %" PRIu64 " | ", rows[i].title,
			now.covered, now.total, missing(now));
		add_cover(page->text, now);
		if (page->base) {
			buffer_add_text(page->text, " | ");
			if (page->base->has[rows[i].rate])
				add_points(page->text, now, page->before.rate[rows[i].rate]);
			else
				buffer_add_text(page->text, "-");
		}
		buffer_add_text(page->text, " |\n");
	}
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;
	size_t n = a->name.size < b->name.size ? a->name.size : b->name.size;
	int order = compare_uint(b->rank, a->rank);

	if (!order)
		order = n ? memcmp(a->name.data, b->name.data, n) : 0;
	return order ? order : compare_uint(a->name.size, b->name.size);
}

static void add_row(struct page *page, const struct entry *entry)
{
	struct rate lines = entry->now.rate[RATE_LINES];

	buffer_add_text(page->text, "| ");
	add_name(page->text, entry->name);
	buffer_printf(page->text, " | %" PRIu64 " | %" PRIu64 " | ", lines.total, missing(lines));
	if (page->base) {
		if (entry->before)
			add_change(page->text, missing(lines), missing(entry->before->summary.rate[RATE_LINES]));
		else
			buffer_add_text(page->text, "new");
		buffer_add_text(page->text, " | ");
	}
	add_cover(page->text, lines);
	if (page->base) {
		buffer_add_text(page->text, " | ");
		if (entry->before)
			add_points(page->text, lines, entry->before->summary.rate[RATE_LINES]);
		else
			buffer_add_text(page->text, "new");
	}
	buffer_add_text(page->text, " |\n");
}

/* Appends the entries with the highest ranks, if any has one. */
static void add_worst(struct page *page, const char *title)
{
	size_t ranked = 0;
	size_t i;

	if (page->count)
		qsort(page->entries, page->count, sizeof(*page->entries), compare_entries);
	while (ranked < page->count && page->entries[ranked].rank)
		ranked++;
	if (!ranked)
		return;
	buffer_printf(page->text, "\n**%s**", title);
	if (ranked > ROWS)
		buffer_printf(page->text, " (%u of %zu)", ROWS, ranked);
	buffer_add_text(page->text, page->base ? "\n\n| File | Lines | Missed | Change | Cover | Change |\n"
						 "|---|--:|--:|--:|--:|--:|\n"
					       : "\n\n| File | Lines | Missed | Cover |\n|---|--:|--:|--:|\n");
	for (i = 0; i < ranked && i < ROWS; i++)
		add_row(page, &page->entries[i]);
}

static void rank_by_missing(struct page *page)
{
	size_t i;

	for (i = 0; i < page->count; i++)
		page->entries[i].rank = missing(page->entries[i].now.rate[RATE_LINES]);
}

/* Ranks the files by the number of missing lines that the base does not have. */
static void rank_by_change(struct page *page)
{
	size_t i;

	for (i = 0; i < page->count; i++) {
		struct entry *entry = &page->entries[i];
		uint64_t now = missing(entry->now.rate[RATE_LINES]);
		uint64_t before = entry->before ? missing(entry->before->summary.rate[RATE_LINES]) : 0;

		entry->rank = now > before ? now - before : 0;
	}
}

static struct bytes base_name(const struct coverage_base *base, size_t i, size_t skip)
{
	const char *name = base->files[i].name + skip;

	return (struct bytes){(const uint8_t *)name, strlen(name)};
}

/* Finds the files of the base without the folders in common. Their order is the same as that of the whole names. */
static struct base_file *find_rest(const struct coverage_base *base, struct bytes rest)
{
	char *name =
		format("%.*s%.*s", (int)base->common, base->files[0].name, (int)rest.size, (const char *)rest.data);
	struct base_file *found = coverage_base_find(base, (struct bytes){(const uint8_t *)name, strlen(name)});

	free(name);
	return found;
}

/* Connects each entry with the file of the base. Returns the number of entries that have one. */
static size_t match(struct page *page, const uint32_t *files, const struct report_view *view, bool whole)
{
	size_t matched = 0;
	size_t i;

	for (i = 0; i < page->count; i++) {
		struct base_file *file = whole ? coverage_base_find(page->base, view->coverage->files->list[files[i]])
		                               : find_rest(page->base, page->entries[i].name);

		page->entries[i].before = file;
		if (!file)
			continue;
		file->matched = true;
		matched++;
	}
	return matched;
}

/* Adds up the files of the base that the report is about. */
static void add_up_base(struct page *page, const struct report_view *view, bool whole)
{
	size_t i;

	for (i = 0; i < page->base->count; i++) {
		const struct base_file *file = &page->base->files[i];

		if (!file->matched && whole && view->filter &&
			!source_filter_takes(view->filter, base_name(page->base, i, 0)))
			continue;
		summary_add(&page->before, &file->summary);
		page->gone += !file->matched && file->summary.rate[RATE_FUNCTIONS].total;
	}
}

/* Fills in the entries. Leaves out files without functions, also in @files. */
static void read_entries(struct page *page, const struct report_view *view, uint32_t *files, size_t count)
{
	size_t i;

	page->entries = allocate(count, sizeof(*page->entries));
	for (i = 0; i < count; i++) {
		struct entry *entry = &page->entries[page->count];

		coverage_file_summary(view->coverage, files[i], NULL, NULL, &entry->now);
		if (entry->now.rate[RATE_FUNCTIONS].total)
			files[page->count++] = files[i];
	}
	page->common = report_view_common(view, files, page->count);
	for (i = 0; i < page->count; i++) {
		struct bytes name = view->coverage->files->list[files[i]];

		bytes_slice(name, page->common, name.size - page->common, &page->entries[i].name);
	}
}

static void add_comings(struct page *page)
{
	if (page->added || page->gone)
		buffer_printf(page->text, "\nSince the base, %zu file%s new and %zu %s gone.\n", page->added,
			page->added == 1 ? " is" : "s are", page->gone, page->gone == 1 ? "is" : "are");
}

void markdown_add(struct buffer *text, const struct report_view *view, struct coverage_base *base)
{
	struct page page = {.text = text, .base = base};
	size_t count;
	uint32_t *files = source_filter_files(view->filter, view->coverage, &count);
	bool whole = true;

	report_view_total(view, files, count, &page.now);
	read_entries(&page, view, files, count);
	if (base) {
		size_t matched = match(&page, files, view, true);

		if (!matched) {
			whole = false;
			matched = match(&page, files, view, false);
		}
		page.added = page.count - matched;
		add_up_base(&page, view, whole);
	}
	add_totals(&page);
	if (base) {
		add_comings(&page);
		rank_by_change(&page);
		add_worst(&page, "Files with more missing lines than in the base");
	}
	rank_by_missing(&page);
	add_worst(&page, "Files with most missing lines");
	free(page.entries);
	free(files);
}
