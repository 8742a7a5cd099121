/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * library.c - a program that uses libbareprof. It uses nothing of bareprof except the installed header and library. It
 * has these commands:
 *
 *	library counts FILE OUT   prints a line for each function; writes FILE as index version 7 to OUT
 *	library contract FILE     checks the promises of the header; FILE is a raw profile with values
 *	library memory FILE       reads FILE, which is larger than the memory
 *	library threads FILE OUT  uses the library from two threads at once, for a tool that finds data races
 */
#include <bareprof/profile.h>

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static jmp_buf out_of_memory;

void bareprof_out_of_memory(void)
{
	longjmp(out_of_memory, 1);
}

static int complain(const char *path, const struct bareprof_message *message)
{
	fprintf(stderr, "%s: %s.\n", path, message->text);
	return 1;
}

static int counts(const char *path, const char *out)
{
	struct bareprof_profile *profile = bareprof_profile_new();
	struct bareprof_function function;
	struct bareprof_message message;
	size_t i;
	size_t j;
	int failed = 0;

	if (bareprof_profile_read(profile, path, 1, &message))
		failed = complain(path, &message);
	for (i = 0; !failed && bareprof_profile_function(profile, i, &function); i++) {
		printf("%.*s %" PRIu64, (int)function.name.size, (const char *)function.name.data, function.hash);
		for (j = 0; j < function.counter_count; j++)
			printf(" %" PRIu64, function.counters[j]);
		printf("\n");
	}
	if (!failed && bareprof_profile_write_indexed(profile, out, 7, &message))
		failed = complain(out, &message);
	bareprof_profile_free(profile);
	return failed;
}

static void say(bool good, const char *what)
{
	printf("%s - library: %s\n", good ? "ok" : "not ok", what);
}

static uint64_t total(struct bareprof_profile *profile)
{
	struct bareprof_function function;
	uint64_t sum = 0;
	size_t i;
	size_t j;

	for (i = 0; bareprof_profile_function(profile, i, &function); i++)
		for (j = 0; j < function.counter_count; j++)
			sum += function.counters[j];
	return sum;
}

/*
 * Reads @inputs and returns their sum as text, which the caller frees. If @one_by_one is true, each input is read with
 * a call of its own. Otherwise one call reads all inputs.
 */
static struct bareprof_memory text_of(struct bareprof_input *inputs, size_t count, bool one_by_one)
{
	struct bareprof_profile *profile = bareprof_profile_new();
	struct bareprof_read_options how = {.jobs = 2};
	struct bareprof_memory memory = {NULL, 0};
	size_t i;

	for (i = 0; one_by_one && i < count; i++)
		bareprof_profile_read(profile, inputs[i].path, inputs[i].weight, NULL);
	if (!one_by_one)
		bareprof_profile_read_files(profile, inputs, count, &how, NULL);
	bareprof_profile_text(profile, &memory, NULL);
	bareprof_profile_free(profile);
	return memory;
}

static bool same(struct bareprof_memory a, struct bareprof_memory b)
{
	return a.size == b.size && !memcmp(a.data, b.data, a.size);
}

/* Returns the first MiB of the file at @path, in memory of twice that size. The caller frees it. */
static char *content_of(const char *path, size_t *size)
{
	char *content = calloc(2, 1 << 20);
	FILE *file = fopen(path, "rb");

	*size = content && file ? fread(content, 1, 1 << 20, file) : 0;
	if (file)
		fclose(file);
	return content;
}

/* Reads a sound profile, and then a damaged profile. */
static void check_whole(const char *path)
{
	struct bareprof_profile *profile = bareprof_profile_new();
	size_t size;
	char *content = content_of(path, &size);

	memcpy(content + size, content, size / 2);
	say(size &&
			bareprof_profile_read_memory(profile, content, size + size / 2, 1, NULL) ==
				BAREPROF_STATUS_INVALID_INPUT &&
			bareprof_profile_functions(profile) == 0,
		"of an input that goes bad nothing is added");
	bareprof_profile_free(profile);
	free(content);
}

static void check_reading(const char *path)
{
	struct bareprof_input inputs[] = {
		{.path = path, .weight = 1}, {.path = path, .weight = 3}, {.path = path, .weight = 7}};
	struct bareprof_input bad[] = {{.path = path, .weight = 1}, {.path = "/none", .weight = 1}};
	struct bareprof_read_options how = {.keep_going = true};
	struct bareprof_profile *profile = bareprof_profile_new();
	struct bareprof_message message = {""};
	struct bareprof_memory each = text_of(inputs, 3, true);
	struct bareprof_memory all = text_of(inputs, 3, false);
	uint64_t once;

	say(each.size > 100 && same(each, all), "many files at once, or one after the other");
	bareprof_memory_free(&each);
	bareprof_memory_free(&all);

	say(bareprof_profile_read_memory(profile, "\201rforpl\377", 8, 1, &message) == BAREPROF_STATUS_INVALID_INPUT &&
			strstr(message.text, "cut short"),
		"what is bad is an error in words");
	say(bareprof_profile_read(profile, path, 0, NULL) == BAREPROF_STATUS_USAGE, "a weight of 0");
	say(bareprof_profile_read_files(profile, bad, 2, &how, &message) == BAREPROF_STATUS_OK && !bad[0].error &&
			bad[1].status == BAREPROF_STATUS_SYSTEM && strstr(bad[1].error, "No such file"),
		"going on without a bad input");
	how.keep_going = false;
	say(bareprof_profile_read_files(profile, bad, 2, &how, &message) == BAREPROF_STATUS_SYSTEM,
		"not going on with one");
	once = total(profile);
	say(bareprof_profile_read(profile, path, 1, &message) == BAREPROF_STATUS_USAGE &&
			strstr(message.text, "add all inputs before you read or write it"),
		"nothing is added after it was looked at");
	bareprof_profile_free(profile);

	profile = bareprof_profile_new();
	bareprof_profile_read(profile, path, 5, NULL);
	say(once && total(profile) == 5 * once, "of the calls that failed nothing was added, and weights multiply");
	bareprof_profile_free(profile);
}

static void check_looking(struct bareprof_profile *profile)
{
	struct bareprof_value values[2] = {{0, 0}, {0, 0}};
	struct bareprof_function function;
	struct bareprof_bytes id = {NULL, 0};
	struct bareprof_kind kind;
	size_t called = 0;
	size_t ids = 0;
	size_t at = 0;
	size_t i;

	bareprof_profile_kind(profile, &kind);
	say(kind.ir && !kind.byte_coverage && !kind.temporal, "kind");
	for (i = 0; bareprof_profile_function(profile, i, &function); i++) {
		size_t n = bareprof_function_values(&function, BAREPROF_VALUE_CALL, 0, values, 2);

		if (function.sites[BAREPROF_VALUE_CALL] && n == 2)
			called = bareprof_profile_name(profile, values[0].value).size;
	}
	say(i == bareprof_profile_functions(profile) && i > 2, "functions, and no more");
	say(called && values[0].count >= values[1].count, "the target of an indirect call has a name");
	while (bareprof_profile_build_id(profile, &at, &id))
		ids += id.size;
	say(ids == 20, "build id");
	say(bareprof_profile_note(profile, BAREPROF_NOTE_COUNTERS, &id) == 0 && id.size == 0, "nothing to note");
}

static void check_writing(struct bareprof_profile *profile)
{
	struct bareprof_profile *again = bareprof_profile_new();
	struct bareprof_message message = {""};
	struct bareprof_memory one;
	struct bareprof_memory two;

	say(bareprof_profile_unsupported(profile, 7, &message) == BAREPROF_STATUS_INVALID_INPUT &&
			!strcmp(message.text, "build ids"),
		"what version 7 cannot hold");
	say(bareprof_profile_min_version(profile) == 9 &&
			bareprof_profile_unsupported(profile, 9, NULL) == BAREPROF_STATUS_OK,
		"version 9 holds all");
	say(bareprof_profile_indexed(profile, &one, 14, &message) == BAREPROF_STATUS_USAGE && !one.data,
		"version 14 is none");
	say(!bareprof_profile_indexed(profile, &one, 0, NULL) && one.size > 100, "written into memory");
	say(!bareprof_profile_read_memory(again, one.data, one.size, 1, NULL) &&
			!bareprof_profile_indexed(again, &two, 9, NULL) && same(one, two),
		"and read back from there");
	say(bareprof_profile_write_text(profile, "/none/file", &message) == BAREPROF_STATUS_SYSTEM &&
			strstr(message.text, "cannot be created"),
		"a folder that is not there");
	bareprof_memory_free(&one);
	bareprof_memory_free(&two);
	bareprof_profile_free(again);
}

/*
 * Converts damaged copies of the profile. Some copies are cut short, and others have one changed bit. There must be
 * no crash.
 */
static void damage(char *content, size_t size, const struct bareprof_raw_target *target)
{
	struct bareprof_memory memory;
	unsigned int refused = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		char was = content[i];
		unsigned int bit;

		refused += bareprof_convert_raw(&memory, content, i, target, NULL) != BAREPROF_STATUS_OK;
		bareprof_memory_free(&memory);
		for (bit = 0; bit < 8; bit += 7) {
			content[i] = (char)(was ^ 1 << bit);
			bareprof_convert_raw(&memory, content, size, target, NULL);
			bareprof_memory_free(&memory);
		}
		content[i] = was;
	}
	say(refused == size, "all raw profiles that are cut short are refused");
}

static void check_converting(const char *path)
{
	size_t size;
	char *content = content_of(path, &size);
	struct bareprof_raw_target target = {.release = 13};
	struct bareprof_message message = {""};
	struct bareprof_memory old;
	struct bareprof_memory none;

	say(!bareprof_convert_raw(&old, content, size, &target, &message) && old.size > 100 && old.data[8] == 7,
		"a raw profile for LLVM 13");
	damage(content, size, &target);
	target.version = 6;
	say(bareprof_convert_raw(&none, content, size, &target, &message) == BAREPROF_STATUS_USAGE && !none.data,
		"none in raw version 6");
	say(bareprof_raw_version(13) == 7 && bareprof_raw_version(22) == 10 && !bareprof_raw_version(9) &&
			bareprof_index_version(22) == 13 && !bareprof_index_version(9),
		"versions of releases");
	bareprof_memory_free(&old);
	free(content);
}

static int contract(const char *path)
{
	struct bareprof_profile *profile = bareprof_profile_new();

	bareprof_profile_free(NULL);
	check_whole(path);
	check_reading(path);
	bareprof_profile_read(profile, path, 1, NULL);
	check_looking(profile);
	check_writing(profile);
	check_converting(path);
	bareprof_profile_drop_build_ids(profile);
	say(bareprof_profile_min_version(profile) == 7, "build ids are dropped");
	bareprof_profile_free(profile);
	return 0;
}

static int memory(const char *path)
{
	struct rlimit limit = {64u << 20, 64u << 20};

	if (setrlimit(RLIMIT_AS, &limit))
		return 1;
	if (setjmp(out_of_memory)) {
		say(true, "the program's own word on no memory");
		return 0;
	}
	bareprof_profile_read(bareprof_profile_new(), path, 1, NULL);
	say(false, "the program's own word on no memory");
	return 0;
}

struct thread {
	pthread_t id;
	const char *path;
	char out[4096];
	bool good;
};

/* Reads a profile, looks at its contents and writes it, as a typical program does. */
static void *use_library(void *argument)
{
	struct thread *thread = argument;
	unsigned int round;

	thread->good = true;
	for (round = 0; round < 3; round++) {
		struct bareprof_profile *profile = bareprof_profile_new();

		thread->good = thread->good && !bareprof_profile_read(profile, thread->path, 1, NULL) &&
		               bareprof_profile_functions(profile) > 0 &&
		               !bareprof_profile_write_indexed(profile, thread->out, 0, NULL) &&
		               !bareprof_profile_write_text(profile, thread->out, NULL);
		bareprof_profile_free(profile);
	}
	return NULL;
}

static int threads(const char *path, const char *out)
{
	struct thread thread[2];
	bool good = true;
	int i;

	for (i = 0; i < 2; i++) {
		thread[i].path = path;
		snprintf(thread[i].out, sizeof(thread[i].out), "%s.%d", out, i);
		good = !pthread_create(&thread[i].id, NULL, use_library, &thread[i]) && good;
	}
	for (i = 0; i < 2; i++) {
		pthread_join(thread[i].id, NULL);
		good = good && thread[i].good;
	}
	return !good;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "counts"))
		return counts(argv[2], argv[3]);
	if (argc == 3 && !strcmp(argv[1], "contract"))
		return contract(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "memory"))
		return memory(argv[2]);
	if (argc == 4 && !strcmp(argv[1], "threads"))
		return threads(argv[2], argv[3]);
	return 2;
}
