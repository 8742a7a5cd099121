/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof.c text LLVM SOURCE... - writes a sample profile for the release LLVM to standard output, as text. Each
 * SOURCE is the path of a text profile, which must be the first, or probes:SEED or lines:SEED for random functions.
 * sampleprof.c files LLVM PREFIX SOURCE... - writes the profile to PREFIX.text, PREFIX.binary and PREFIX.guids. Fails
 * if the text, when it is read and written again, is another text.
 * sampleprof.c unit - prints a test result for each text that the reader must refuse, and for each profile that the
 * writers must refuse, and for a profile whose counts must add up.
 * sampleprof.c ranges - writes the counts of ranges: one line of standard input for each, START LAST COUNT in
 * hexadecimal, or FROM > TO COUNT for a branch.
 */
#include "input.h"
#include "output.h"
#include "sampleprof_file.h"
#include "throw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Most counts of a profile are small, and some need all 64 bits. */
static uint64_t any_count(void)
{
	uint64_t bits = throw(8) ? throw(12) : throw(55);

	return (throw((uint64_t)1 << 31) << 24 | throw(1 << 24)) & (((uint64_t)1 << bits) - 1);
}

static struct sampleprof_name *any_name(struct sampleprof *profile)
{
	static const char *const patterns[] = {"f%llu", "_ZN4demo3run%lluEv", "_ZL4leafi.__uniq.%llu", "a:%llu",
		"_%llu<x>", "_R%lluNvC", "vo\303\251%llu"};
	char *text = format(patterns[throw(7)], (unsigned long long) throw(60));
	struct sampleprof_name *name = sampleprof_name(profile, (struct bytes){(const uint8_t *)text, strlen(text)});

	free(text);
	return name;
}

static struct sampleprof_location any_location(const struct sampleprof *profile)
{
	uint32_t offset = (uint32_t)(throw(20) ? throw(40) : throw(65536));

	return (struct sampleprof_location){
		offset, profile->kind == SAMPLEPROF_LINES && !throw(3) ? (uint32_t) throw(1u << 31) : 0};
}

static void fill(struct sampleprof *profile, struct sampleprof_function *function, bool attributes)
{
	uint64_t counts = throw(12);

	if (profile->kind == SAMPLEPROF_PROBES)
		function->hash = any_count() + 1;
	if (attributes)
		function->attributes = (uint32_t) throw(4);
	while (counts--) {
		struct sampleprof_location at = any_location(profile);
		uint64_t callees = throw(4) ? 0 : throw(5);

		sampleprof_add(profile, function, at, any_count());
		while (callees--)
			sampleprof_add_callee(profile, function, at, any_name(profile), any_count());
	}
	while (function->depth < 12 && !throw(3))
		fill(profile, sampleprof_inlinee(profile, function, any_location(profile), any_name(profile)),
			attributes);
}

static void make_random(struct sampleprof *profile)
{
	uint64_t functions = 20 + throw(200);
	bool attributes = throw(2);

	while (functions--) {
		struct sampleprof_function *function = sampleprof_function(profile, any_name(profile));

		function->head = any_count();
		fill(profile, function, attributes);
	}
	for (functions = 0; functions < 20; functions++) {
		char *text = format("cold%llu", (unsigned long long)functions % 10);

		sampleprof_add_symbol(
			profile, sampleprof_name(profile, (struct bytes){(const uint8_t *)text, strlen(text)}));
		free(text);
	}
	sampleprof_add_up(profile);
}

/* Adds the functions of @source to @profile. */
static enum status make(struct sampleprof *profile, const char *source, struct error *error)
{
	struct input input = {0};
	enum status status;
	const char *seed = strchr(source, ':');

	if (seed && (starts_with(source, "probes:") || starts_with(source, "lines:"))) {
		profile->kind = *source == 'p' ? SAMPLEPROF_PROBES : SAMPLEPROF_LINES;
		throw_state = strtoull(seed + 1, NULL, 10);
		make_random(profile);
		return STATUS_OK;
	}
	status = input_read(&input, source, error);
	if (status == STATUS_OK)
		status = sampleprof_read_text(profile, input.bytes, error);
	input_free(&input);
	return status;
}

/* Returns whether @message is one sentence that contains @wanted. */
static bool one_sentence(const char *message, const char *wanted)
{
	return strstr(message, wanted) && !strchr(message, '\n') && !strstr(message, ". ");
}

static void refuse_texts(void)
{
	static const struct {
		const char *what;
		const char *text;
		const char *message;
	} cases[] = {
		{"no total", "f:1\n", "line 1: 'f:1' is not NAME:TOTAL:HEAD"},
		{"no name", ":1:2\n", "line 1"},
		{"a total with letters", "f:1x:2\n", "line 1"},
		{"a negative total", "f:-1:2\n", "line 1"},
		{"a count above 2^64", "f:18446744073709551616:2\n", "line 1"},
		{"a line of C", "extern int x;\n", "line 1"},
		{"a count outside of functions", " 1: 2\n", "line 1: ' 1: 2' is not indented"},
		{"a comment, then an indent that is too deep", "f:1:1\n# x\n  1: 2\n", "line 3"},
		{"no blank after the location", "f:1:1\n 1:2\n", "line 2"},
		{"no count", "f:1:1\n 1: \n", "line 2"},
		{"a location that ends early", "f:1:1\n 1.\n", "line 2"},
		{"an offset above 65535", "f:1:1\n 65536: 2\n", "at most 65535"},
		{"a discriminator above 2^32", "f:1:1\n 1.4294967296: 2\n", "line 2"},
		{"a callee without count", "f:1:1\n 1: 2 g\n", "line 2"},
		{"a callee without name", "f:1:1\n 1: 2 :3\n", "line 2"},
		{"a blank at the end", "f:1:1\n 1: 2 \n", "line 2"},
		{"an inlinee without name", "f:1:1\n 1: :3\n", "line 2"},
		{"an inlinee without total", "f:1:1\n 1: g:\n", "line 2"},
		{"a count after the checksum", "f:1:1\n !CFGChecksum: 5\n 1: 2\n", "line 3"},
		{"a checksum with letters", "f:1:1\n !CFGChecksum: 0x5\n", "line 2: ' !CFGChecksum: 0x5' is not"},
		{"attributes above 2^32", "f:1:1\n !Attributes: 4294967296\n", "line 2"},
		{"unknown metadata", "f:1:1\n !Colour: 1\n", "line 2"},
		{"a function twice", "f:1:1\ng:1:1\nf:2:2\n", "'f' a second time in line 3"},
		{"both kinds", "f:1:1\n !CFGChecksum: 5\ng:1:1\n", "in 1 of its 2 functions"},
		{"calling contexts", "[main:3 @ f]:1:1\n", "calling contexts (line 1)"},
		{"vtables", "f:1:1\n 1: <vtables> _ZTV1a:3\n", "vtables (line 2)"},
	};
	const size_t count = sizeof(cases) / sizeof(cases[0]);
	struct bytes zero = {(const uint8_t *)"f:1:1\n 1:\0 2\n", 13};
	struct sampleprof profile = {0};
	struct error error;
	size_t i;

	for (i = 0; i <= count; i++) {
		const char *what = i < count ? cases[i].what : "a zero byte";
		const char *message = i < count ? cases[i].message : "zero byte at offset 9";
		struct bytes text =
			i < count ? (struct bytes){(const uint8_t *)cases[i].text, strlen(cases[i].text)} : zero;
		bool refused;

		error.text[0] = '\0';
		refused = sampleprof_read_text(&profile, text, &error) == STATUS_INVALID_INPUT &&
		          one_sentence(error.text, message);
		printf("%sok - text with %s is refused\n", refused ? "" : "not ", what);
		if (!refused)
			printf("    %s\n", error.text);
		sampleprof_free(&profile);
	}
}

static struct sampleprof_name *name_of(struct sampleprof *profile, const char *text)
{
	return sampleprof_name(profile, (struct bytes){(const uint8_t *)text, strlen(text)});
}

/* Prints whether the writer refuses @profile with @message and leaves no part of a file. Frees @profile. */
static void refuse_profile(struct sampleprof *profile, const char *what, bool text, const char *message)
{
	const struct sampleprof_options options = {.llvm = 22};
	struct buffer out = {0};
	struct error error = {""};
	enum status status = (text ? sampleprof_write_text : sampleprof_write_binary)(profile, &options, &out, &error);
	bool refused = status == STATUS_INVALID_INPUT && !out.size && one_sentence(error.text, message);

	printf("%sok - a profile with %s is refused\n", refused ? "" : "not ", what);
	if (!refused)
		printf("    %s\n", error.text);
	buffer_free(&out);
	sampleprof_free(profile);
}

static void refuse_profiles(void)
{
	static const struct sampleprof_location start = {1, 0};
	static const struct sampleprof_location too_high = {65536, 0};
	struct sampleprof profile = {0};
	struct sampleprof_function *function;
	unsigned int depth;

	refuse_profile(&profile, "no functions", false, "no functions");
	refuse_profile(&profile, "no functions, as text,", true, "no functions");
	function = sampleprof_function(&profile, name_of(&profile, "main"));
	sampleprof_add(&profile, function, too_high, 1);
	refuse_profile(&profile, "an offset that clang cannot read", false, "'main'");
	function = sampleprof_function(&profile, name_of(&profile, "main"));
	sampleprof_inlinee(&profile, function, too_high, name_of(&profile, "in"));
	refuse_profile(&profile, "an inlinee at such an offset", true, "65536");
	profile.kind = SAMPLEPROF_PROBES;
	sampleprof_function(&profile, name_of(&profile, "main"));
	refuse_profile(&profile, "probes but no hash", false, "'main' (GUID 15822663052811949562) has no hash");
	profile.kind = SAMPLEPROF_LINES;
	sampleprof_function(&profile, name_of(&profile, "main"))->hash = 4;
	refuse_profile(&profile, "lines and a hash", false, "'main' (GUID 15822663052811949562) has a hash");
	sampleprof_function(&profile, name_of(&profile, "a\nb"));
	refuse_profile(&profile, "a line break in a name", true, "'a?b'");
	sampleprof_function(&profile, name_of(&profile, "[a]"));
	refuse_profile(&profile, "a name that would be a context", true, "'[a]'");
	function = sampleprof_function(&profile, name_of(&profile, "main"));
	sampleprof_add_callee(&profile, function, start, name_of(&profile, "a:5 b"), 1);
	refuse_profile(&profile, "a callee that would be two", true, "'a:5 b'");
	function = sampleprof_function(&profile, name_of(&profile, "main"));
	sampleprof_inlinee(&profile, function, start, sampleprof_name_of_guid(&profile, 77));
	refuse_profile(&profile, "an inlinee without name", true, "'77'; write an ext-binary file");

	function = sampleprof_function(&profile, name_of(&profile, "main"));
	for (depth = 0; function && depth <= 2 * SAMPLEPROF_DEPTH_LAST; depth++)
		function = sampleprof_inlinee(&profile, function, start, name_of(&profile, "main"));
	printf("%sok - inlinees have a depth of at most %u\n", depth == SAMPLEPROF_DEPTH_LAST + 1 ? "" : "not ",
		SAMPLEPROF_DEPTH_LAST);
	sampleprof_free(&profile);
}

/* Builds a profile in another order than that of the file, with counts that add up and saturate. */
static void build_profile(void)
{
	static const char expected[] = "main:18446744073709551615:2\n 1: 18446744073709551615\n 2: 7 g:8 f:5\n 2.1: 0\n"
				       " 2: g:30\n  1: 30\nf:3:0\n 0: 3\n";
	static const struct sampleprof_location at[] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}};
	const struct sampleprof_options options = {.llvm = 22};
	struct sampleprof profile = {.kind = SAMPLEPROF_LINES};
	struct sampleprof_function *f = sampleprof_function(&profile, name_of(&profile, "f"));
	struct sampleprof_function *caller = sampleprof_function(&profile, name_of(&profile, "main"));
	struct buffer out = {0};
	struct error error = {""};
	bool right;

	caller->head = 2;
	sampleprof_add_callee(&profile, caller, at[2], name_of(&profile, "f"), 2);
	sampleprof_add_callee(&profile, caller, at[2], name_of(&profile, "g"), 8);
	sampleprof_add_callee(&profile, caller, at[2], name_of(&profile, "f"), 3);
	sampleprof_add(&profile, caller, at[3], 0);
	sampleprof_add(&profile, caller, at[2], 3);
	sampleprof_add(&profile, caller, at[2], 4);
	sampleprof_add(&profile, caller, at[1], UINT64_MAX - 1);
	sampleprof_add(&profile, caller, at[1], 5);
	sampleprof_add(&profile, sampleprof_inlinee(&profile, caller, at[2], name_of(&profile, "g")), at[1], 10);
	sampleprof_add(&profile, sampleprof_inlinee(&profile, caller, at[2], name_of(&profile, "g")), at[1], 20);
	sampleprof_add(&profile, sampleprof_function(&profile, name_of(&profile, "f")), at[0], 3);
	sampleprof_add_up(&profile);
	right = sampleprof_write_text(&profile, &options, &out, &error) == STATUS_OK &&
	        !strcmp(buffer_string(&out), expected) && f->total == 3;
	printf("%sok - counts add up and saturate\n", right ? "" : "not ");
	if (!right)
		printf("%s%s", error.text, buffer_string(&out));
	buffer_free(&out);
	sampleprof_free(&profile);
}

static enum status write_ranges(struct buffer *out, struct error *error)
{
	struct sampleprof_range ranges[64];
	struct sampleprof_branch branches[64];
	size_t range_count = 0;
	size_t branch_count = 0;
	char line[200];

	while (range_count < 64 && branch_count < 64 && fgets(line, sizeof(line), stdin)) {
		struct sampleprof_range *range = &ranges[range_count];
		struct sampleprof_branch *branch = &branches[branch_count];

		if (sscanf(line, "%" SCNx64 " > %" SCNx64 " %" SCNu64, &branch->from, &branch->to, &branch->count) == 3)
			branch_count++;
		else if (sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNu64, &range->start, &range->last, &range->count) ==
			 3)
			range_count++;
	}
	return sampleprof_write_ranges(ranges, range_count, branches, branch_count, out, error);
}

static enum status write_file(const char *prefix, const char *form, const struct buffer *content, struct error *error)
{
	char *path = format("%s.%s", prefix, form);
	enum status status = output_write(path, (struct bytes){content->data, content->size}, error);

	free(path);
	return status;
}

static enum status write_again(const struct buffer *text, const struct sampleprof_options *options, struct error *error)
{
	struct sampleprof profile = {0};
	struct buffer again = {0};
	enum status status = sampleprof_read_text(&profile, (struct bytes){text->data, text->size}, error);

	if (status == STATUS_OK)
		status = sampleprof_write_text(&profile, options, &again, error);
	if (status == STATUS_OK && (again.size != text->size || memcmp(again.data, text->data, text->size) != 0))
		status = error_set(error, STATUS_INVALID_INPUT, "the text that was read is another text");
	buffer_free(&again);
	sampleprof_free(&profile);
	return status;
}

static enum status write_files(
	struct sampleprof *profile, const char *prefix, struct sampleprof_options options, struct error *error)
{
	struct buffer out = {0};
	enum status status = sampleprof_write_text(profile, &options, &out, error);

	if (status == STATUS_OK)
		status = write_again(&out, &options, error);
	if (status == STATUS_OK)
		status = write_file(prefix, "text", &out, error);
	for (int guids = 0; guids < 2 && status == STATUS_OK; guids++) {
		out.size = 0;
		options.guids = guids;
		status = sampleprof_write_binary(profile, &options, &out, error);
		if (status == STATUS_OK)
			status = write_file(prefix, guids ? "guids" : "binary", &out, error);
	}
	buffer_free(&out);
	return status;
}

int main(int argc, char **argv)
{
	struct sampleprof profile = {0};
	struct sampleprof_options options = {0};
	struct buffer out = {0};
	struct error error;
	enum status status = STATUS_OK;
	bool files = argc > 4 && !strcmp(argv[1], "files");
	int i;

	if (argc == 2 && !strcmp(argv[1], "unit")) {
		refuse_texts();
		refuse_profiles();
		build_profile();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "ranges")) {
		status = write_ranges(&out, &error);
	} else if (argc > 3) {
		options.llvm = (unsigned int)atoi(argv[2]);
		for (i = files ? 4 : 3; i < argc && status == STATUS_OK; i++)
			status = make(&profile, argv[i], &error);
		if (status == STATUS_OK)
			status = files ? write_files(&profile, argv[3], options, &error)
			               : sampleprof_write_text(&profile, &options, &out, &error);
	} else {
		return 2;
	}
	if (out.size)
		fwrite(out.data, 1, out.size, stdout);
	if (status != STATUS_OK)
		fprintf(stderr, "%s\n", error.text);
	sampleprof_free(&profile);
	buffer_free(&out);
	return (int)status;
}
