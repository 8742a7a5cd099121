/* SPDX-License-Identifier: BSD-2-Clause */
/* coverage_base.c - the files of an earlier report, and the reader of LCOV for them. */
#include "coverage_base.h"
#include "input.h"

#include <stdlib.h>

void base_add(struct coverage_base *base, char *name, const struct coverage_summary *summary)
{
	base->files = array_grow(base->files, base->count, &base->room, sizeof(*base->files));
	base->files[base->count++] = (struct base_file){.name = name, .summary = *summary};
}

/* Reads a number after @key. */
static bool number_after(struct bytes line, const char *key, uint64_t *value)
{
	uint64_t number = 0;

	if (!bytes_after(&line, key) || !line.size)
		return false;
	while (line.size && *line.data >= '0' && *line.data <= '9') {
		number = add_saturating(number > UINT64_MAX / 10 ? UINT64_MAX : number * 10, *line.data - '0');
		bytes_slice(line, 1, line.size - 1, &line);
	}
	*value = number;
	return true;
}

/* Counts a line "DA:LINE,COUNT". Only files without LF and LH, of other programs, need these lines. */
static void count_line(struct bytes line, struct rate *lines)
{
	const uint8_t *comma = memchr(line.data, ',', line.size);

	lines->total++;
	lines->covered += comma && comma + 1 < line.data + line.size && comma[1] >= '1' && comma[1] <= '9';
}

/* What the lines of one file say. */
struct lcov_record {
	struct coverage_summary summary;
	struct rate counted; /* the lines DA */
	bool has_total; /* there is a line LF. Its number can be 0, because it does not count the lines of macros */
};

/* Reads a line between the name of a file and its end. */
static void read_total(struct coverage_base *base, struct bytes line, struct lcov_record *record)
{
	static const struct {
		unsigned int rate;
		const char *total;
		const char *covered;
	} keys[] = {
		{RATE_LINES, "LF:", "LH:"},
		{RATE_FUNCTIONS, "FNF:", "FNH:"},
		{RATE_BRANCHES, "BRF:", "BRH:"},
	};
	size_t i;

	if (bytes_after(&line, "DA:"))
		count_line(line, &record->counted);
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct rate *rate = &record->summary.rate[keys[i].rate];

		if (number_after(line, keys[i].total, &rate->total)) {
			base->has[keys[i].rate] = true;
			record->has_total = record->has_total || keys[i].rate == RATE_LINES;
		}
		number_after(line, keys[i].covered, &rate->covered);
	}
}

bool base_lcov_read(struct coverage_base *base, struct bytes text)
{
	struct lcov_record record = {0};
	struct bytes name = {NULL, 0};
	size_t before = base->count;

	while (text.size) {
		struct bytes line = bytes_line(&text);

		if (line.size && line.data[line.size - 1] == '\r')
			line.size--;
		if (bytes_after(&line, "SF:")) {
			name = line;
			record = (struct lcov_record){0};
		} else if (name.size && bytes_after(&line, "end_of_record")) {
			if (!record.has_total)
				record.summary.rate[RATE_LINES] = record.counted;
			base_add(base, format("%.*s", (int)name.size, (const char *)name.data), &record.summary);
			name.size = 0;
		} else {
			read_total(base, line, &record);
		}
	}
	base->has[RATE_LINES] = base->count > before;
	return base->count > before;
}

static int compare_files(const void *left, const void *right)
{
	return strcmp(((const struct base_file *)left)->name, ((const struct base_file *)right)->name);
}

/* Sorts the files, and adds up the records of one file, which a merged LCOV file can have. */
static void sort_files(struct coverage_base *base)
{
	size_t count = 0;
	size_t n = 0;
	size_t i;

	qsort(base->files, base->count, sizeof(*base->files), compare_files);
	for (i = 0; i < base->count; i++) {
		if (count && !strcmp(base->files[count - 1].name, base->files[i].name)) {
			summary_add(&base->files[count - 1].summary, &base->files[i].summary);
			free(base->files[i].name);
		} else {
			base->files[count++] = base->files[i];
		}
	}
	base->count = count;
	while (base->files[0].name[n] && base->files[0].name[n] == base->files[count - 1].name[n])
		n++;
	while (n && base->files[0].name[n - 1] != '/')
		n--;
	base->common = n;
}

/* Checks that in each file, no number of covered lines, functions or others is above its total. */
static bool is_possible(const struct coverage_base *base)
{
	size_t i;
	size_t rate;

	for (i = 0; i < base->count; i++)
		for (rate = 0; rate < RATES; rate++)
			if (base->files[i].summary.rate[rate].covered > base->files[i].summary.rate[rate].total)
				return false;
	return true;
}

enum status coverage_base_read(struct coverage_base *base, const char *path, struct error *error)
{
	struct input input = {0};
	enum status status = input_read(&input, path, error);
	const char *wrong = NULL;
	size_t offset = 0;
	size_t start = 0;

	if (status != STATUS_OK)
		return status;
	while (start < input.bytes.size && strchr(" \t\r\n", input.bytes.data[start]) && input.bytes.data[start])
		start++;
	if (start < input.bytes.size && input.bytes.data[start] == '{')
		wrong = base_json_read(base, input.bytes, &offset);
	else if (!base_lcov_read(base, input.bytes))
		wrong = "it is neither JSON nor LCOV";
	if (!wrong && base->count && !is_possible(base))
		wrong = "a file has more covered lines than lines";
	if (wrong)
		status = error_set(error, STATUS_INVALID_INPUT,
			"is not a report to compare with: %s (offset %zu); --base takes a file that --json, --lcov "
			"or "
			"llvm-cov export wrote",
			wrong, offset);
	else if (!base->count)
		status = error_set(error, STATUS_INVALID_INPUT, "has no files, so there is nothing to compare with");
	if (status == STATUS_OK)
		sort_files(base);
	input_free(&input);
	return status;
}

void coverage_base_free(struct coverage_base *base)
{
	size_t i;

	for (i = 0; i < base->count; i++)
		free(base->files[i].name);
	free(base->files);
	*base = (struct coverage_base){0};
}

struct base_file *coverage_base_find(const struct coverage_base *base, struct bytes name)
{
	char *text = format("%.*s", (int)name.size, (const char *)name.data);
	struct base_file key = {.name = text};
	struct base_file *found = bsearch(&key, base->files, base->count, sizeof(key), compare_files);

	free(text);
	return found;
}
