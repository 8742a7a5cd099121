/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * readers.c - tests the readers of `bareprof report`: LCOV, diffs of git, and the coverage mappings of the given ELF
 * files. The readers first read small inputs with known results. Then they read inputs with random damage, under the
 * sanitizers and with a time limit.
 */
#include "changes.h"
#include "covmap_counts.h"
#include "cobertura.h"
#include "variants.h"
#include "make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/*
 * Reads the coverage mapping of @path twice, the second time with damage in a part of the mapping. Then the function
 * compares the functions of the sound and the damaged mapping, and renames the functions that differ.
 */
static bool damage_mapping(const char *path, uint64_t *random, struct error *error)
{
	struct path_map map;
	struct covmap covmap[2] = {{.maps = &map, .map_count = 1}, {.maps = &map, .map_count = 1}};
	static const uint64_t counters[8] = {5, 1, UINT64_MAX, 0, 7, 3, (uint64_t)1 << 63, 2};
	struct covmap_function function;
	struct covmap_regions regions;
	struct buffer zeroed = {0};
	struct buffer output = {0};
	enum covmap_part hit = make_random(random) % 2 ? COVMAP_FILES : COVMAP_FUNCTIONS;
	struct buffer *part;
	bool good = path_map_parse(&map, "/=/x") && covmap_open(&covmap[0], path, error) == STATUS_OK &&
	            covmap_open(&covmap[1], path, error) == STATUS_OK;
	uint8_t *copy;
	size_t at = 0;

	part = &covmap[1].part[hit];
	if (good && part->size) {
		copy = allocate(part->size, 1);
		damage((struct bytes){part->data, part->size}, copy, random);
		memcpy(part->data, copy, part->size);
		free(copy);
		covmap[1].count = covmap[1].file_count = covmap[1].text.size = covmap[1].new_files.size = 0;
		error->text[0] = '\0';
		if (covmap_read_files(&covmap[1], error) != STATUS_OK)
			good = error->text[0];
		while (covmap_next(&covmap[1], &at, &function))
			;
		for (at = 0; covmap_next_regions(&covmap[1], &at, &regions);)
			covmap_zero(regions.bytes, counters, make_random(random) % 9, &zeroed);
		variants_find(covmap, 2);
		covmap_functions(&covmap[1], &output);
		good = good && output.size == covmap[1].part[COVMAP_FUNCTIONS].size;
	}
	buffer_free(&zeroed);
	buffer_free(&output);
	covmap_free(&covmap[0]);
	covmap_free(&covmap[1]);
	return good;
}

int main(int argc, char **argv)
{
	uint64_t random = 11;
	struct error error = {""};
	int i;

	test_changes();
	test_lcov();
	alarm(300);
	damage_texts(&random);
	for (i = 1; i < argc; i++) {
		char *what = format("damaged coverage mapping of %s", argv[i]);
		unsigned int round;
		bool good = true;

		alarm(300);
		for (round = 0; round < ROUNDS && good; round++)
			good = damage_mapping(argv[i], &random, &error);
		if (!good)
			printf("    %s\n", error.text);
		say(good, what);
		free(what);
	}
	return 0;
}
