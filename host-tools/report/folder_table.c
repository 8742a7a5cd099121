/* SPDX-License-Identifier: BSD-2-Clause */
/* folder_table.c - the coverage of folders and files as a tree. */
#include "folder_table.h"

#include <inttypes.h>
#include <stdlib.h>

/* If the number of rows is limited, a folder shows at most this many rows, and one for the sum of the rest. */
#define WORST 10

#define NO_NODE SIZE_MAX

/* A file or folder. Its rows in the table are those below it, if it is an open folder. */
struct node {
	struct bytes name; /* without the folder above it; a folder ends with a slash */
	struct coverage_summary summary;
	size_t first; /* its first child, or NO_NODE for a file */
	size_t count; /* number of its children, which are next to each other after sort_children() */
	size_t files; /* number of files in it */
	bool open;
};

struct tree {
	const struct report_view *view;
	const uint32_t *files; /* sorted by name, without files that have no functions */
	struct coverage_summary *summaries;
	size_t file_count;
	struct node *nodes;
	size_t count;
	size_t room;
	bool limited;
};

/* The files from @from to before @to. Their names have the first @skip bytes in common. */
struct part {
	size_t from;
	size_t to;
	size_t skip;
};

static struct bytes name_of(const struct tree *tree, size_t i)
{
	return tree->view->coverage->files->list[tree->files[i]];
}

/* Returns the end of the component of the name that starts at @from, after its slash. */
static size_t component_end(struct bytes name, size_t from)
{
	const uint8_t *slash = from < name.size ? memchr(name.data + from, '/', name.size - from) : NULL;

	return slash ? (size_t)(slash - name.data) + 1 : name.size;
}

/* Returns the part that starts at @from and ends before @to, and has the next component in common. */
static struct part next_part(const struct tree *tree, size_t from, struct part whole)
{
	struct bytes name = name_of(tree, from);
	size_t end = component_end(name, whole.skip);
	struct part part = {from, from + 1, whole.skip};

	if (end == name.size)
		return part;
	while (part.to < whole.to && name_of(tree, part.to).size >= end &&
		!memcmp(name_of(tree, part.to).data, name.data, end))
		part.to++;
	return part;
}

static size_t add_node(struct tree *tree, struct part part, size_t name_end)
{
	struct bytes name = name_of(tree, part.from);
	struct node node = {.first = NO_NODE, .files = part.to - part.from};
	size_t i;

	bytes_slice(name, part.skip, name_end - part.skip, &node.name);
	for (i = part.from; i < part.to; i++)
		summary_add(&node.summary, &tree->summaries[i]);
	tree->nodes = array_grow(tree->nodes, tree->count, &tree->room, sizeof(*tree->nodes));
	tree->nodes[tree->count] = node;
	return tree->count++;
}

/* Returns the length of the folder that the names of @part have in common. It is at least part.skip. */
static size_t common_end(const struct tree *tree, struct part part)
{
	struct bytes first = name_of(tree, part.from);
	struct bytes last = name_of(tree, part.to - 1);
	size_t n = part.skip;

	while (n < first.size && n < last.size && first.data[n] == last.data[n])
		n++;
	while (n > part.skip && first.data[n - 1] != '/')
		n--;
	return n;
}

static int compare_nodes(const void *left, const void *right)
{
	const struct node *a = left;
	const struct node *b = right;
	int order = compare_uint(missing(b->summary.rate[RATE_LINES]), missing(a->summary.rate[RATE_LINES]));
	size_t n = a->name.size < b->name.size ? a->name.size : b->name.size;

	if (!order)
		order = n ? memcmp(a->name.data, b->name.data, n) : 0;
	return order ? order : compare_uint(a->name.size, b->name.size);
}

/*
 * Adds the children of the folder @parent. @part are its files; part.skip is the length of its name. The children are
 * sorted before their own children are added, because they move then.
 */
static void add_children(struct tree *tree, size_t parent, struct part part)
{
	size_t first = tree->count;
	struct part *parts;
	size_t at;
	size_t i;

	for (at = part.from; at < part.to;) {
		struct part child = next_part(tree, at, part);
		/* A folder with a single file is shown as that file, with its folder. */
		size_t end = child.to - child.from > 1 ? common_end(tree, child) : name_of(tree, at).size;

		i = add_node(tree, child, end);
		/* Until the children are sorted, these fields say which files a child has. */
		tree->nodes[i].first = child.from;
		tree->nodes[i].count = child.to - child.from;
		at = child.to;
	}
	tree->nodes[parent].first = first;
	tree->nodes[parent].count = tree->count - first;
	qsort(&tree->nodes[first], tree->count - first, sizeof(*tree->nodes), compare_nodes);
	parts = allocate(tree->nodes[parent].count, sizeof(*parts));
	for (i = 0; i < tree->nodes[parent].count; i++) {
		const struct node *node = &tree->nodes[first + i];

		parts[i] = (struct part){node->first, node->first + node->count, part.skip + node->name.size};
	}
	for (i = 0; i < tree->nodes[parent].count; i++) {
		tree->nodes[first + i].first = NO_NODE;
		tree->nodes[first + i].count = 0;
		if (parts[i].to - parts[i].from > 1)
			add_children(tree, first + i, parts[i]);
	}
	free(parts);
}

/* Returns the number of children that have a row of their own if @node is open. */
static size_t shown_children(const struct tree *tree, const struct node *node)
{
	/* If only one child were left for the row of the rest, the row of this child takes its place. */
	return tree->limited && node->count > WORST + 1 ? WORST : node->count;
}

/* Finds the closed folder with most missing lines among those that have a row. Returns NO_NODE if there is none. */
static size_t worst_closed(const struct tree *tree, const size_t *shown, size_t count)
{
	size_t worst = NO_NODE;
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct node *node = &tree->nodes[shown[i]];

		if (node->open || node->first == NO_NODE || missing(node->summary.rate[RATE_LINES]) <= most)
			continue;
		most = missing(node->summary.rate[RATE_LINES]);
		worst = shown[i];
	}
	return worst;
}

/* Opens all folders in which something is missing. */
static void open_all(struct tree *tree)
{
	size_t i;

	for (i = 0; i < tree->count; i++)
		tree->nodes[i].open =
			tree->nodes[i].first != NO_NODE && missing(tree->nodes[i].summary.rate[RATE_LINES]) > 0;
	tree->nodes[0].open = true;
}

/* Opens the folders with most missing lines, until the tree has about @rows rows. */
static void open_worst(struct tree *tree, size_t rows)
{
	size_t *shown = allocate(tree->count, sizeof(*shown));
	size_t count = 0;
	size_t next = 0;
	size_t i;

	do {
		struct node *node = &tree->nodes[next];

		node->open = true;
		for (i = 0; i < shown_children(tree, node); i++)
			shown[count++] = node->first + i;
		next = worst_closed(tree, shown, count);
	} while (next != NO_NODE && count + shown_children(tree, &tree->nodes[next]) <= rows);
	free(shown);
}

static void add_row(struct buffer *text, const struct tree *tree, const struct coverage_summary *summary, size_t depth)
{
	const struct coverage_summary *total = &tree->nodes[0].summary;

	add_rate_columns(text, tree->view, summary->rate[RATE_LINES]);
	add_rate_columns(text, tree->view, summary->rate[RATE_FUNCTIONS]);
	if (total->rate[RATE_BRANCHES].total)
		add_rate_columns(text, tree->view, summary->rate[RATE_BRANCHES]);
	if (total->rate[RATE_CONDITIONS].total)
		add_rate_columns(text, tree->view, summary->rate[RATE_CONDITIONS]);
	buffer_printf(text, "  %*s", (int)(depth < 50 ? 2 * depth : 100), "");
}

static void add_rows(struct buffer *text, const struct tree *tree, const struct node *parent, size_t depth)
{
	struct coverage_summary rest = {0};
	size_t shown = shown_children(tree, parent);
	size_t files = 0;
	size_t i;

	for (i = 0; i < parent->count; i++) {
		const struct node *node = &tree->nodes[parent->first + i];

		if (i >= shown) {
			summary_add(&rest, &node->summary);
			files += node->files;
			continue;
		}
		add_row(text, tree, &node->summary, depth);
		add_safe(text, node->name);
		if (node->files > 1 && !node->open)
			buffer_printf(text, " (%zu files)", node->files);
		buffer_add_text(text, "\n");
		if (node->open)
			add_rows(text, tree, node, depth + 1);
	}
	if (files) {
		add_row(text, tree, &rest, depth);
		buffer_printf(text, "(%zu more files)\n", files);
	}
}

static void add_titles(struct buffer *text, const struct tree *tree)
{
	const struct coverage_summary *total = &tree->nodes[0].summary;

	add_rate_titles(text, "Lines");
	add_rate_titles(text, "Functions");
	if (total->rate[RATE_BRANCHES].total)
		add_rate_titles(text, "Branches");
	if (total->rate[RATE_CONDITIONS].total)
		add_rate_titles(text, "MC/DC");
	buffer_add_text(text, "  File or folder\n");
}

/* Computes the summaries of the files, and leaves out those without functions. */
static void read_summaries(struct tree *tree, uint32_t *files, size_t count)
{
	size_t i;

	tree->summaries = allocate(count, sizeof(*tree->summaries));
	for (i = 0; i < count; i++) {
		struct coverage_summary *summary = &tree->summaries[tree->file_count];

		coverage_file_summary(tree->view->coverage, files[i], NULL, NULL, summary);
		if (summary->rate[RATE_FUNCTIONS].total)
			files[tree->file_count++] = files[i];
	}
	tree->files = files;
}

void folder_table_add(struct buffer *text, const struct report_view *view, size_t rows)
{
	struct tree tree = {.view = view, .limited = rows > 0};
	size_t count;
	uint32_t *files = source_filter_files(view->filter, view->coverage, &count);
	struct part whole;

	read_summaries(&tree, files, count);
	whole = (struct part){0, tree.file_count, report_view_common(view, files, tree.file_count)};
	if (tree.file_count) {
		struct part root = {0, tree.file_count, 0};

		add_node(&tree, root, whole.skip);
		add_children(&tree, 0, whole);
		if (rows)
			open_worst(&tree, rows);
		else
			open_all(&tree);
		add_titles(text, &tree);
		add_rows(text, &tree, &tree.nodes[0], 0);
		add_row(text, &tree, &tree.nodes[0].summary, 0);
		buffer_add_text(text, "TOTAL of ");
		add_safe(text, tree.nodes[0].name);
		buffer_printf(text, " (%zu file%s)\n", tree.file_count, tree.file_count == 1 ? "" : "s");
	}
	free(tree.nodes);
	free(tree.summaries);
	free(files);
}
