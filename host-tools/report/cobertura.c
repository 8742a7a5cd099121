/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cobertura.c - writes Cobertura's XML (coverage-04.dtd). A package is a folder, and a class is a file. The output has
 * no methods, because LCOV does not have the ends of functions.
 */
#include "cobertura.h"
#include "xml.h"

#include <bareprof/bareprof.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_attribute(struct buffer *xml, const char *key, const char *string, size_t size)
{
	xml_add_attribute(xml, key, (struct bytes){(const uint8_t *)string, size}, XML_NUMERIC);
}

/* Returns a rate as a fraction. If there is nothing to cover, the rate is 1, as in the output of other programs. */
static double rate(struct lcov_rate rate)
{
	return rate.valid ? (double)rate.covered / (double)rate.valid : 1;
}

static void add_rates(struct buffer *xml, struct lcov_rate lines, struct lcov_rate branches)
{
	buffer_printf(xml, " line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\"", rate(lines), rate(branches));
}

/* If the file @name is below @folder, returns the name relative to @folder, otherwise returns @name. */
static const char *seen_from(const char *name, const char *folder)
{
	size_t n = strlen(folder);

	/* The folder "/" already ends with a slash, so this slash is not counted. */
	n -= n && folder[n - 1] == '/';
	return !strncmp(name, folder, n) && name[n] == '/' && name[n + 1] ? name + n + 1 : name;
}

static void add_line(struct buffer *xml, uint64_t number, uint64_t hits)
{
	buffer_add_text(xml, "      <line number=\"");
	buffer_add_number(xml, number, 10);
	buffer_add_text(xml, "\" hits=\"");
	buffer_add_number(xml, hits, 10);
	buffer_add_text(xml, "\"");
}

static void add_lines(struct buffer *xml, const struct lcov_file *file)
{
	size_t i;

	buffer_add_text(xml, "     <lines>\n");
	for (i = 0; i < file->count; i++) {
		const struct lcov_line *line = &file->lines[i];
		uint32_t n;

		for (n = 0; n + 1 < line->lines; n++) {
			add_line(xml, (uint64_t)line->number + n, line->hits);
			buffer_add_text(xml, "/>\n");
		}
		add_line(xml, (uint64_t)line->number + n, line->hits);
		if (line->branches)
			buffer_printf(xml, " branch=\"true\" condition-coverage=\"%u%% (%u/%u)\"",
				(unsigned int)((uint64_t)line->taken * 100 / line->branches), line->taken,
				line->branches);
		buffer_add_text(xml, "/>\n");
	}
	buffer_add_text(xml, "     </lines>\n");
}

static void add_class(struct buffer *xml, const struct lcov_file *file, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash ? slash + 1 : name;
	struct lcov_rate lines = {0, 0};
	struct lcov_rate branches = {0, 0};

	lcov_add(file, &lines, &branches);
	buffer_add_text(xml, "    <class");
	add_attribute(xml, "name", base, strlen(base));
	add_attribute(xml, "filename", name, strlen(name));
	add_rates(xml, lines, branches);
	buffer_add_text(xml, ">\n     <methods/>\n");
	add_lines(xml, file);
	buffer_add_text(xml, "    </class>\n");
}

struct packaged_file {
	const struct lcov_file *file;
	const char *name; /* name of the file in the output */
	size_t package; /* length of the folder at the start of @name, in bytes */
};

static int compare_entries(const void *left, const void *right)
{
	const struct packaged_file *a = left;
	const struct packaged_file *b = right;
	int order = memcmp(a->name, b->name, a->package < b->package ? a->package : b->package);

	if (!order && a->package != b->package)
		order = a->package < b->package ? -1 : 1;
	return order ? order : strcmp(a->name + a->package, b->name + b->package);
}

/*
 * Writes the package whose first file is @entry. @left is the number of entries from @entry on. Returns the number of
 * entries that are in the package.
 */
static size_t add_package(struct buffer *xml, const struct packaged_file *entry, size_t left)
{
	struct lcov_rate lines = {0, 0};
	struct lcov_rate branches = {0, 0};
	size_t count = 0;
	size_t i;

	while (count < left && entry[count].package == entry->package &&
		!memcmp(entry[count].name, entry->name, entry->package))
		lcov_add(entry[count++].file, &lines, &branches);
	buffer_add_text(xml, "  <package");
	add_attribute(xml, "name", entry->package ? entry->name : ".", entry->package ? entry->package : 1);
	add_rates(xml, lines, branches);
	buffer_add_text(xml, ">\n   <classes>\n");
	for (i = 0; i < count; i++)
		add_class(xml, entry[i].file, entry[i].name);
	buffer_add_text(xml, "   </classes>\n  </package>\n");
	return count;
}

void cobertura_write(struct buffer *xml, const struct lcov *lcov, const char *folder, uint64_t milliseconds)
{
	struct packaged_file *entries = allocate(lcov->count, sizeof(*entries));
	struct lcov_rate lines = {0, 0};
	struct lcov_rate branches = {0, 0};
	size_t i;

	for (i = 0; i < lcov->count; i++) {
		const char *name = seen_from(lcov->files[i].name, folder);
		const char *slash = strrchr(name, '/');

		entries[i] = (struct packaged_file){&lcov->files[i], name, slash ? (size_t)(slash - name) : 0};
		lcov_add(&lcov->files[i], &lines, &branches);
	}
	if (lcov->count)
		qsort(entries, lcov->count, sizeof(*entries), compare_entries);
	buffer_add_text(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			     "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n"
			     "<coverage");
	add_rates(xml, lines, branches);
	buffer_printf(xml,
		" lines-covered=\"%" PRIu64 "\" lines-valid=\"%" PRIu64 "\" branches-covered=\"%" PRIu64
		"\" branches-valid=\"%" PRIu64 "\" version=\"bareprof %d.%d\" timestamp=\"%" PRIu64 "\">\n",
		lines.covered, lines.valid, branches.covered, branches.valid, BAREPROF_VERSION_MAJOR,
		BAREPROF_VERSION_MINOR, milliseconds);
	buffer_add_text(xml, " <sources>\n  <source>");
	xml_add(xml, (struct bytes){(const uint8_t *)folder, strlen(folder)}, XML_ATTRIBUTE | XML_NUMERIC);
	buffer_add_text(xml, "</source>\n </sources>\n <packages>\n");
	for (i = 0; i < lcov->count;)
		i += add_package(xml, &entries[i], lcov->count - i);
	buffer_add_text(xml, " </packages>\n</coverage>\n");
	free(entries);
}
