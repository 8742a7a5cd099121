/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * writers.c - tests parts of the writers of reports: strings and numbers of JSON, the names in tables, the order of
 * branches, and runs of lines.
 */
#include "branch_order.h"
#include "json_text.h"
#include "lcov.h"
#include "table_names.h"

#include <stdio.h>
#include <stdlib.h>

static void say(bool good, const char *what)
{
	printf("%s - %s\n", good ? "ok" : "not ok", what);
}

static struct bytes bytes_of(const char *text)
{
	return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static void string_is(const char *text, const char *expected)
{
	struct buffer json = {0};
	char *what = format("JSON string %s", expected);

	json_text_string(&json, bytes_of(text));
	say(!strcmp(buffer_string(&json), expected), what);
	free(what);
	buffer_free(&json);
}

static void test_json(void)
{
	static const uint64_t numbers[] = {0, 9, 10, INT64_MAX, UINT64_MAX};
	struct buffer json = {0};

	string_is("a\"b\\c\t\n\r\x01\x7f/", "\"a\\\"b\\\\c\\t\\n\\r\\u0001\x7f/\"");
	string_is("\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\"");
	/* The numbers of replacements are those of LLVM. */
	string_is("\xff\xe2\x82.", "\"\xef\xbf\xbd\xef\xbf\xbd.\"");
	string_is("\xf0\x9f\x98t", "\"\xef\xbf\xbdt\"");
	string_is("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	string_is("\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	string_is("\xe0\xa0", "\"\xef\xbf\xbd\"");
	json_text_numbers(&json, numbers, 5);
	say(!strcmp(buffer_string(&json), "0,9,10,9223372036854775807,9223372036854775807"), "JSON numbers");
	json.size = 0;
	json_text_percent(&json, 99, 145);
	buffer_add_text(&json, " ");
	json_text_percent(&json, 3, 3);
	buffer_add_text(&json, " ");
	json_text_percent(&json, 0, 0);
	say(!strcmp(buffer_string(&json), "68.275862068965523 100 0"), "JSON percentages");
	buffer_free(&json);
}

/* Compares the names in a table of the @count files @paths with @expected. */
static void names_are(const char *const *paths, const char *const *expected, size_t count, unsigned int release)
{
	struct bytes list[4];
	uint32_t numbers[4] = {0, 1, 2, 3};
	struct file_names files = {.list = list, .count = count};
	struct coverage coverage = {.files = &files, .rules = coverage_rules(release)};
	struct coverage_selection selection = {.coverage = &coverage, .files = numbers, .file_count = count};
	struct table_names names = {0};
	bool good = true;
	char *what;
	size_t i;

	for (i = 0; i < count; i++)
		list[i] = bytes_of(paths[i]);
	table_names_make(&names, &selection);
	for (i = 0; i < count; i++)
		good &= !strcmp(names.list[i], expected[i]);
	what = format("table: the name %s becomes %s", paths[0], expected[0]);
	say(good, what);
	free(what);
	table_names_free(&names);
}

static void test_names(void)
{
	names_are((const char *[]){"/a/b/c.c"}, (const char *[]){"/a/b/c.c"}, 1, 22);
	names_are((const char *[]){"/a/b/c.c", "/a/b/d.c", "/a/bb/d.c"}, (const char *[]){"b/c.c", "b/d.c", "bb/d.c"},
		3, 22);
	names_are((const char *[]){"/a/b", "/a/b/c"}, (const char *[]){"", "/c"}, 2, 22);
	names_are((const char *[]){"x/a.c", "y/a.c"}, (const char *[]){"x/a.c", "y/a.c"}, 2, 22);
	names_are((const char *[]){"/a/./b\\..\\c", "/a/x\n"}, (const char *[]){"c", "x?"}, 2, 22);
	names_are((const char *[]){"/a/b\\..\\c", "/a/x"}, (const char *[]){"b/../c", "x"}, 2, 16);
}

static struct file_branch branch(uint32_t line, uint32_t column, uint64_t count)
{
	return (struct file_branch){
		.region = {.line = line, .column = column, .count = count, .false_count = count + 1},
		.root_line = line,
		.root_column = column};
}

static void test_branches(void)
{
	struct file_branch branches[] = {branch(5, 9, 1), branch(4, 2, 10), branch(5, 9, 100), branch(5, 3, 1000)};
	struct file_branch nested[] = {branch(5, 4, 10000)};
	uint64_t paths[] = {(uint64_t)5 << 32 | 9, 7};
	struct file_coverage file = {.branches = branches, .branch_count = 4, .nested = nested, .nested_count = 1};
	struct branch_order order = {0};
	struct coverage_rules rules = coverage_rules(22);

	nested[0].root_column = 9;
	nested[0].path_count = 2;
	file.paths = paths;
	file.path_count = 2;
	branches[3].region.folded[0] = branches[3].region.folded[1] = true;
	branch_order_make(&order, &file, &rules);
	say(order.count == 3 && order.list[0].line == 4 && order.list[1].true_count == 101 &&
			order.list[1].false_count == 103 && order.list[2].true_count == 10000,
		"branches: LLVM 22 adds instantiations, and sorts by path");
	rules = coverage_rules(19);
	branch_order_make(&order, &file, &rules);
	say(order.count == 4 && order.list[0].line == 4 && order.list[1].true_count == 10000 &&
			order.list[2].true_count == 1 && order.list[3].true_count == 100,
		"branches: LLVM 19 keeps instantiations apart, and sorts by column");
	branch_order_free(&order);
}

static void test_runs(void)
{
	struct lcov_line lines[] = {{.number = 3, .lines = 4, .hits = 2}, {.number = 9, .lines = 1}};
	struct lcov_file file = {.lines = lines, .count = 2};
	struct lcov_rate rate = {0, 0};
	struct lcov_rate branches = {0, 0};

	lcov_add(&file, &rate, &branches);
	say(rate.valid == 5 && rate.covered == 4 && lcov_line(&file, 3) == lines && lcov_line(&file, 6) == lines &&
			!lcov_line(&file, 7) && !lcov_line(&file, 2) && lcov_line(&file, 9) == lines + 1,
		"lines that follow each other");
}

int main(void)
{
	test_json();
	test_names();
	test_branches();
	test_runs();
	return 0;
}
