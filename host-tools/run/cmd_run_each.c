/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_run_each.c - `bareprof run --each`: writes a profile for each test. If a test crashes, the other tests still get
 * their profiles.
 */
#include "clock.h"
#include "cmd_run.h"
#include "exit.h"
#include "output.h"
#include "raw_open.h"
#include "raw_profile.h"
#include "terminal.h"
#include "test_driver.h"

#include <bareprof/wire.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Seconds between updates of the line that shows the running test, so that the user has time to read the line. */
#define INTERVAL 0.2
/* The maximum number of console lines that are shown for a failed test. */
#define LINES 10

struct each {
	struct run *run;
	const struct plan *plan;
	struct test_driver driver;
	char *folder;
	bool folder_made; /* the folder did not exist before this run */
	size_t at; /* index of the test that is running */
	unsigned int attempt;
	double start;
	bool is_terminal; /* standard output is a terminal, so it shows the running test in a line that is updated */
	double next; /* the line may be updated again when seconds_now() has reached this value */
	int width; /* length of the longest name of a test, in characters */
	bool reported; /* the reason why the run cannot continue was already printed */
};

static void tick(void *context)
{
	struct each *each = context;
	double now = seconds_now();

	if (!each->is_terminal || now < each->next)
		return;
	each->next = now + INTERVAL;
	printf("\r[%zu/%zu] %s %.0f s\033[K", each->at + 1, each->plan->count, each->plan->tests[each->at].name,
		now - each->start);
	fflush(stdout);
}

/* A dump of a machine profile is written as a capture. */
static char *profile_path(const struct each *each, size_t i, bool is_capture)
{
	return format("%s/%s.%s", each->folder, each->plan->tests[i].name, is_capture ? "capture" : "profraw");
}

static bool is_capture(struct bytes profile)
{
	return profile.size >= BAREPROF_FILE_MAGIC_SIZE &&
	       !memcmp(profile.data, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
}

/* Creates the folder if it does not exist, and removes profiles of these tests from an earlier run. */
static enum status prepare_folder(struct each *each, struct error *error)
{
	struct stat there;
	size_t i;

	each->folder_made = mkdir(each->folder, 0777) == 0;
	if (!each->folder_made && errno != EEXIST)
		return error_set(error, STATUS_SYSTEM,
			"cannot be created: %s; check its parent folder, or choose another one with -o",
			strerror(errno));
	if (stat(each->folder, &there) || !S_ISDIR(there.st_mode))
		return error_set(error, STATUS_SYSTEM, "is not a folder; with --each, -o must name a folder");
	if (access(each->folder, W_OK))
		return error_set(error, STATUS_SYSTEM, "cannot be written to: %s", strerror(errno));
	for (i = 0; i < each->plan->count; i++) {
		unsigned int capture;

		for (capture = 0; capture < 2; capture++) {
			char *path = profile_path(each, i, capture);

			unlink(path);
			free(path);
		}
	}
	return STATUS_OK;
}

/*
 * Appends the number of functions that ran, as in "12 of 80 functions". Appends nothing if the profile has no records.
 */
static void add_functions(struct bytes bytes, struct buffer *text)
{
	struct raw_function function;
	struct raw_profile profile;
	struct error unused;
	uint64_t count = 0;
	uint64_t i;
	size_t k;

	if (raw_open(&profile, bytes, 0, &unused) != STATUS_OK || !profile.records)
		return; /* a profile without records needs no raw_close() */
	for (i = 0; i < profile.records && raw_function(&profile, i, &function, &unused) == STATUS_OK; i++) {
		for (k = 0; k < function.counter_count && !raw_counter(&profile, &function, k); k++)
			;
		count += k < function.counter_count;
	}
	buffer_printf(text, "%" PRIu64 " of %" PRIu64 " functions", count, profile.records);
	raw_close(&profile);
}

/* Prints the last lines of a failed test's console. */
static void show_console(const struct attempt *attempt)
{
	const char *text = (const char *)attempt->console.data;
	size_t end = attempt->console.size;
	size_t start;
	int lines = 0;

	while (end && strchr("\r\n", text[end - 1]))
		end--;
	for (start = end; start && lines < LINES; start--)
		lines += text[start - 1] == '\n';
	start += lines == LINES;
	while (start < end) {
		const char *stop = memchr(text + start, '\n', end - start);
		size_t n = stop ? (size_t)(stop - text) - start : end - start;
		char *line = format("%.*s", (int)(n < 400 ? n : 400), text + start);

		line[strcspn(line, "\r")] = 0;
		printable(line);
		printf("    | %s\n", line);
		free(line);
		start += n + 1;
	}
}

/* Prints a line about the try that has just ended. */
static void print_result(struct each *each, const struct result *result, const struct test_outcome *tried, bool again)
{
	static const char *const words[] = {"passed", "flaky", "FAILED"};
	const struct attempt *attempt = &result->attempts[result->count - 1];
	enum outcome outcome = result_outcome(result);
	struct buffer text = {0};

	buffer_printf(&text, "%-*s  %-6s  %.2f s", each->width, result->name, again ? "retry" : words[outcome],
		attempt->seconds);
	if (tried->profile.size) {
		buffer_add_text(&text, "  ");
		add_functions(tried->profile, &text);
	}
	if (attempt->failure || outcome == OUTCOME_FLAKY)
		buffer_add_text(&text, "  ");
	if (each->run->retries && (attempt->failure || outcome == OUTCOME_FLAKY))
		buffer_printf(&text, "try %zu of %u: ", result->count, each->run->retries + 1);
	buffer_add_text(&text, attempt->failure ? attempt->failure : outcome == OUTCOME_FLAKY ? "passed" : "");
	buffer_string(&text);
	printable((char *)text.data);
	printf("%s%s\n", each->is_terminal ? "\r\033[K" : "", (const char *)text.data);
	buffer_free(&text);
	if (outcome == OUTCOME_FAILED && !again)
		show_console(attempt);
	fflush(stdout);
}

/* Writes the profile of @tried. If the file cannot be written, the test counts as failed. */
static enum status save_profile(struct each *each, struct result *result, struct test_outcome *tried)
{
	char *path = profile_path(each, each->at, is_capture(tried->profile));
	struct error error;
	enum status status = output_write(path, tried->profile, &error);

	if (status == STATUS_OK) {
		free(result->profile);
		result->profile = path;
		return status;
	}
	error_print(path, &error);
	free(path);
	if (!tried->failure) {
		tried->failure = format("its profile %s", error.text);
		tried->kind = "system";
	}
	return status;
}

/* Runs a test until it passes or has no tries left. If the result is not OK, the caller must not run any other test. */
static enum status run_test(struct each *each)
{
	struct result *result = &each->run->results.list[each->at];
	enum status status = STATUS_OK;
	struct test_outcome tried;
	bool again;

	do {
		each->start = seconds_now();
		tried = test_driver_run(&each->driver, &each->plan->tests[each->at]);
		if (tried.fatal != STATUS_OK) {
			complain(each->run->elf, "%s", tried.failure);
			each->reported = true;
		}
		if (tried.profile.size)
			status = save_profile(each, result, &tried);
		result_add(result, tried.failure, tried.kind, seconds_now() - each->start, &each->driver.transcript);
		again = tried.failure && status == STATUS_OK && tried.fatal == STATUS_OK && !caught_signal() &&
		        result->count <= each->run->retries;
		print_result(each, result, &tried, again);
		if (again)
			test_driver_stop(&each->driver);
	} while (again);
	if (status == STATUS_OK)
		status = tried.fatal;
	if (status == STATUS_OK && tried.never_ready)
		status = strcmp(tried.kind, "timeout") ? EXIT_GUEST_FAILED : EXIT_TIMEOUT;
	return status;
}

static void add_count(struct buffer *text, size_t count, const char *what)
{
	if (count)
		buffer_printf(text, ", %zu %s", count, what);
}

static void summarize(const struct each *each)
{
	const struct results *results = &each->run->results;
	struct buffer text = {0};
	size_t profiles = 0;
	size_t i;

	for (i = 0; i < results->count; i++)
		profiles += results->list[i].profile != NULL;
	buffer_printf(&text, "%zu passed", results_count(results, OUTCOME_PASSED));
	add_count(&text, results_count(results, OUTCOME_FLAKY), "flaky");
	add_count(&text, results_count(results, OUTCOME_FAILED), "FAILED");
	add_count(&text, results_count(results, OUTCOME_NOT_RUN), "not run");
	printf("%s; %zu profile%s in %s\n", buffer_string(&text), profiles, profiles == 1 ? "" : "s", each->folder);
	buffer_free(&text);
}

/* Prints the reason why the remaining tests were not run, and stores it for the JUnit report. */
static void report_not_run(struct each *each)
{
	size_t left = results_count(&each->run->results, OUTCOME_NOT_RUN);
	const char *name = each->plan->tests[each->at].name;

	if (caught_signal()) {
		each->run->results.not_run = "the run was stopped by a signal before this test";
		complain(each->run->elf, "a signal stopped the run during the test %s; %zu further %s not run", name,
			left, left == 1 ? "test was" : "tests were");
	} else if (left) {
		each->run->results.not_run = "the run stopped before this test";
		if (!each->reported)
			complain(each->run->elf,
				"the run stopped at the test %s, because no test after it could pass either; %zu %s "
				"not run",
				name, left, left == 1 ? "was" : "were");
	}
}

static enum status run_tests(struct each *each)
{
	enum status status = STATUS_OK;
	char *failure;

	for (each->at = 0; each->at < each->plan->count && status == STATUS_OK; each->at += status == STATUS_OK) {
		status = run_test(each);
		if (caught_signal())
			status = STATUS_SYSTEM;
	}
	if (status != STATUS_OK) {
		report_not_run(each);
		return status;
	}
	failure = test_driver_end(&each->driver);
	if (failure)
		complain(each->run->elf, "after the last test, the guest %s", failure);
	if (failure || results_count(&each->run->results, OUTCOME_FAILED))
		status = EXIT_GUEST_FAILED;
	free(failure);
	return status;
}

static void name_results(struct each *each)
{
	struct results *results = &each->run->results;
	size_t i;

	results_start(results, each->plan->count);
	for (i = 0; i < each->plan->count; i++) {
		int n = (int)strlen(each->plan->tests[i].name);

		results->list[i].name = format("%s", each->plan->tests[i].name);
		each->width = n > each->width && n <= 32 ? n : each->width;
	}
}

enum status run_each(struct run *run)
{
	struct each each = {.run = run, .plan = &run->plan, .is_terminal = terminal_takes_escapes(STDOUT_FILENO)};
	struct error error;
	enum status status;

	each.folder = run->out ? format("%s", run->out) : format("%s.tests", run->name);
	status = prepare_folder(&each, &error);
	if (status != STATUS_OK) {
		error_print(each.folder, &error);
	} else {
		name_results(&each);
		each.driver = (struct test_driver){
			.plan = each.plan,
			.board = &run->board,
			.elf = run->elf,
			.programs = &run->programs,
			.more = run->more,
			.timeout = run->timeout > 0         ? run->timeout
		                   : each.plan->timeout > 0 ? each.plan->timeout
		                                            : RUN_TIMEOUT,
			.log = run->log,
			.no_outside = run->no_outside,
			.tick = tick,
			.context = &each,
		};
		status = run_tests(&each);
		test_driver_free(&each.driver);
		summarize(&each);
	}
	/* rmdir() removes the new folder only if it is empty. */
	if (each.folder_made)
		rmdir(each.folder);
	free(each.folder);
	return status;
}
