/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * readers.c - tests the readers of `bareprof report`: LCOV, diffs of git, and the coverage mappings of the given ELF
 * files, which it also writes for llvm-cov and reads again. The readers first read small inputs with known results. Then
 * they read inputs with random damage, under the sanitizers and with a time limit.
 */
#include "changes.h"
#include "cobertura.h"
#include "make.h"
#include "mapping_write.h"
#include "region_judge.h"
#include "variants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 1000

static void say(bool good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
}

static struct bytes bytes_of(const char *text)
{
	return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static const char diff_text[] = "diff --git src/a b.c src/a b.c\n"
				"--- src/a b.c\t\n"
				"+++ src/a b.c\t\n"
				"@@ -3 +3,2 @@ int f(void)\n"
				"-was\n"
				"+++ not/a/file.c\n"
				"+@@ -1 +100 @@\n"
				"@@ -9,0 +11 @@\n"
				"+last\n"
				"\\ No newline at end of file\n"
				"diff --git gone.c gone.c\n"
				"--- gone.c\n"
				"+++ /dev/null\n"
				"@@ -1,2 +0,0 @@\n"
				"-one\n"
				"--- two\n"
				"--- \"tab\\there\"\n"
				"+++ \"tab\\there\\\\\\303\\244\\\".c\"\n"
				"@@ -1,3 +1,4 @@\n"
				" same\n"
				"+new\n"
				"\n"
				"-old\n"
				"+new\n"
				"Binary files x and y differ\n";

static bool is_change(const struct change *change, size_t file, uint64_t first, uint64_t count)
{
	return change->file == file && change->first == first && change->count == count;
}

static void test_changes(void)
{
	struct changes changes = {0};

	changes_parse(&changes, bytes_of(diff_text));
	say(changes.file_count == 2 && !strcmp(changes.files[0], "src/a b.c") &&
			!strcmp(changes.files[1], "tab\there\\\303\244\".c"),
		"diff: names of files");
	say(changes.count == 4 && is_change(&changes.list[0], 0, 3, 2) && is_change(&changes.list[1], 0, 11, 1) &&
			is_change(&changes.list[2], 1, 2, 1) && is_change(&changes.list[3], 1, 4, 1),
		"diff: lines");
	changes_free(&changes);
}

static const char lcov_text[] = "DA:1,1\nSF:/b/./x/../c.c\nDA:7,0\nDA:5,18446744073709551615\nBRDA:5,0,0,-\n"
				"BRDA:5,0,1,3\nDA:x,1\nDA:9\nFNDA:3,DA:1,1\nend_of_record\n"
				"SF:/a\nDA:5,2";

static void test_lcov(void)
{
	struct lcov_rate lines = {0, 0};
	struct lcov_rate branches = {0, 0};
	struct lcov lcov = {0};
	const struct lcov_line *line;

	lcov_read(&lcov, bytes_of(lcov_text));
	say(lcov.count == 2 && !strcmp(lcov.files[0].name, "/a") && !strcmp(lcov.files[1].name, "/b/c.c"),
		"LCOV: names of files");
	line = lcov.count == 2 ? lcov_line(&lcov.files[1], 5) : NULL;
	say(line && line->hits == UINT64_MAX && line->branches == 2 && line->taken == 1, "LCOV: a line with branches");
	if (lcov.count == 2)
		lcov_add(&lcov.files[1], &lines, &branches);
	say(lines.valid == 2 && lines.covered == 1 && branches.valid == 2 && branches.covered == 1 &&
			!lcov_line(&lcov.files[1], 9),
		"LCOV: sums");
	lcov_free(&lcov);
}

static void damage(struct bytes whole, uint8_t *copy, uint64_t *random)
{
	unsigned int changes = 1 + (unsigned int)(make_random(random) % 8);

	memcpy(copy, whole.data, whole.size);
	while (changes--)
		copy[make_random(random) % whole.size] =
			(uint8_t)(make_random(random) % 2 ? make_random(random) : 0xff);
}

static void damage_texts(uint64_t *random)
{
	uint8_t copy[sizeof(diff_text) + sizeof(lcov_text)];
	unsigned int round;

	for (round = 0; round < 10 * ROUNDS; round++) {
		struct changes changes = {0};
		struct buffer xml = {0};
		struct lcov lcov = {0};

		damage(bytes_of(diff_text), copy, random);
		changes_parse(&changes, (struct bytes){copy, make_random(random) % sizeof(diff_text)});
		changes_free(&changes);
		damage(bytes_of(lcov_text), copy, random);
		lcov_read(&lcov, (struct bytes){copy, make_random(random) % sizeof(lcov_text)});
		cobertura_write(&xml, &lcov, "/", 0);
		buffer_free(&xml);
		lcov_free(&lcov);
	}
	say(true, "damaged LCOV and diffs");
}

/* The counters of each function in the tests. Some of them are impossible, and many differences are below 0. */
#define COUNTERS 64u

static void fill_counters(uint64_t counters[COUNTERS])
{
	static const uint64_t some[8] = {5, 1, UINT64_MAX, 0, 7, 3, (uint64_t)1 << 63, 2};
	size_t i;

	for (i = 0; i < COUNTERS; i++)
		counters[i] = some[i % 8];
}

/* Adds a function for each record of @mapping to @model. */
static void invent_counts(const struct mapping *mapping, struct model *model)
{
	uint64_t counters[COUNTERS];
	size_t i;

	fill_counters(counters);
	for (i = 0; i < mapping->record_count; i++) {
		const struct mapping_record *record = &mapping->records[i];
		const struct function function = {.reference = record->name,
			.hash = record->hash,
			.counters = counters,
			.counter_count = COUNTERS};

		if (!model_find(model, record->name, record->hash))
			model_add(model, &function, 1);
	}
}

/* Files without a name, for a copy of a mapping and for a damaged copy. */
struct copies {
	int fd[2];
	char *path[2];
};

static void open_copies(struct copies *copies)
{
	int i;

	for (i = 0; i < 2; i++) {
		copies->fd[i] = memfd_create("copy", 0);
		copies->path[i] = format("/proc/self/fd/%d", copies->fd[i]);
	}
}

static void close_copies(struct copies *copies)
{
	int i;

	for (i = 0; i < 2; i++) {
		close(copies->fd[i]);
		free(copies->path[i]);
	}
}

/* Reads the regions of @record of @mapping with their counts. Returns false if they are damaged. */
static bool read_regions(
	const struct mapping *mapping, const struct mapping_record *record, struct function_regions *regions)
{
	const struct mapping_list *list = &mapping->lists[record->list];
	uint64_t counters[COUNTERS];

	fill_counters(counters);
	return !regions_read(regions, record->regions, mapping->list_files + list->first, list->count) &&
	       regions_count(regions, counters, COUNTERS);
}

/* Returns whether the regions of the copy @b are those of @a, with 0 in place of impossible counts. */
static bool same_regions(const struct function_regions *a, const struct function_regions *b)
{
	size_t i;

	for (i = 0; i < a->count && a->count == b->count; i++) {
		const struct region *one = &a->list[i];
		const struct region *two = &b->list[i];

		if (one->line != two->line || one->column != two->column || one->end_line != two->end_line ||
			one->end_column != two->end_column || one->kind != two->kind || one->file != two->file ||
			one->count != two->count || one->false_count != two->false_count ||
			one->folded[0] != two->folded[0] || one->folded[1] != two->folded[1])
			return false;
	}
	return a->count == b->count;
}

/* Returns whether @copy, whose files are @names, is the mapping @whole with its @files. */
static bool same_mapping(const struct mapping *whole, const struct file_names *files, const struct mapping *copy,
	const struct file_names *names)
{
	struct function_regions a = {0};
	struct function_regions b = {0};
	uint64_t counters[COUNTERS];
	bool same = whole->record_count == copy->record_count;
	size_t i;
	size_t n;

	fill_counters(counters);
	for (i = 0; i < whole->record_count && same; i++) {
		if (!read_regions(whole, &whole->records[i], &a))
			continue;
		same = read_regions(copy, &copy->records[i], &b) && a.file_count == b.file_count;
		regions_judge(&a, counters, COUNTERS);
		same = same && same_regions(&a, &b);
		for (n = 0; n < a.file_count && same; n++)
			same = bytes_equal(files->list[a.files[n].name], names->list[b.files[n].name]);
	}
	function_regions_free(&a);
	function_regions_free(&b);
	return same;
}

/* Writes @file to the second file of @copies, with damage in the bytes that are also in @part. */
static bool write_damaged(struct copies *copies, struct bytes file, struct bytes part, uint64_t *random)
{
	uint8_t *copy = allocate(file.size, 1);
	const uint8_t *at = memmem(file.data, file.size, part.data, part.size);
	bool good = at && !ftruncate(copies->fd[1], 0);

	memcpy(copy, file.data, file.size);
	if (good)
		damage(part, copy + (at - file.data), random);
	good = good && pwrite(copies->fd[1], copy, file.size, 0) == (ssize_t)file.size;
	free(copy);
	return good;
}

/* Reads a damaged mapping, renames the functions in which it differs from @pair[0], and writes it again. */
static bool read_damaged(struct copies *copies, struct mapping pair[2], struct file_names *files, struct model *model)
{
	struct error error = {""};
	struct mapping_copy again = {&pair[1], files, model, copies->path[0], copies->path[1]};
	bool good = true;

	if (mapping_read(&pair[1], copies->path[1], files, &error) == STATUS_OK) {
		variants_find(pair, 2, files);
		good = mapping_write(&again, &error) == STATUS_OK;
	} else {
		good = error.text[0];
	}
	mapping_free(&pair[1]);
	return good;
}

/* Reads all that is in the first file of @copies. */
static void load_copy(const struct copies *copies, struct buffer *file)
{
	struct stat about;

	if (fstat(copies->fd[0], &about) || !about.st_size)
		return;
	file->data = allocate((size_t)about.st_size, 1);
	file->size = pread(copies->fd[0], file->data, (size_t)about.st_size, 0) > 0 ? (size_t)about.st_size : 0;
}

static void test_mapping(const char *path, uint64_t *random)
{
	struct path_map map;
	struct file_names files = {.maps = &map, .map_count = path_map_parse(&map, "/=/x")};
	struct file_names names = {0};
	struct mapping whole = {0};
	struct mapping pair[2] = {{0}, {0}};
	struct error error = {""};
	struct buffer file = {0};
	struct copies copies;
	struct model model;
	unsigned int round;
	bool good;

	open_copies(&copies);
	model_start(&model);
	good = mapping_read(&whole, path, &files, &error) == STATUS_OK;
	invent_counts(&whole, &model);
	good = good &&
	       mapping_write(&(struct mapping_copy){&whole, &files, &model, path, copies.path[0]}, &error) ==
	               STATUS_OK &&
	       mapping_read(&pair[0], copies.path[0], &names, &error) == STATUS_OK;
	printf("%s - the coverage mapping of %s, written and read again %s\n",
		good && same_mapping(&whole, &files, &pair[0], &names) ? "ok" : "not ok", path, error.text);
	load_copy(&copies, &file);
	for (round = 0; round < ROUNDS && good; round++) {
		const struct buffer *part = make_random(random) % 2 ? &pair[0].lists_section : &pair[0].records_section;

		good = write_damaged(&copies, (struct bytes){file.data, file.size},
			       (struct bytes){part->data, part->size}, random) &&
		       read_damaged(&copies, pair, &names, &model);
	}
	printf("%s - damaged coverage mapping of %s\n", good ? "ok" : "not ok", path);
	buffer_free(&file);
	mapping_free(&whole);
	mapping_free(&pair[0]);
	file_names_free(&files);
	file_names_free(&names);
	model_free(&model);
	close_copies(&copies);
}

int main(int argc, char **argv)
{
	uint64_t random = 11;
	int i;

	test_changes();
	test_lcov();
	alarm(300);
	damage_texts(&random);
	for (i = 1; i < argc; i++) {
		alarm(300);
		test_mapping(argv[i], &random);
	}
	return 0;
}
