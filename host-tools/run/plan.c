/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan.c - reads the file of `bareprof run --each`.
 *
 * The file has lines of the form `key = value` (config_file.h). Unknown keys are errors. The keys reset, dump and at
 * least one test are required. These are the keys:
 *
 *	ready = REGEX      The guest waits for input when a line of its console
 *	                   matches REGEX. A line that has not ended can match too,
 *	                   because a prompt has no line end.
 *	reset = TEXT       Type TEXT before each test, to reset the counters.
 *	dump = TEXT        Type TEXT after each test, to make the guest send a dump.
 *	test NAME = TEXT   Type TEXT to run the test NAME. Each test has a line like
 *	                   this.
 *	end = TEXT         Type TEXT after the last test, to make the guest end.
 *	pass = REGEX       A test passes only if a line of the console matches REGEX.
 *	fail = REGEX       A test fails if a line of the console matches REGEX.
 *	timeout = SECONDS  The maximum time of each test.
 *
 * TEXT may have the escapes of --send. The guest usually needs a \n at the end of TEXT. Without the key ready, all
 * texts of a test are typed at once.
 *
 * REGEX is an extended regular expression of POSIX. Each line is matched alone, without its line end. If the key
 * ready is given, pass and fail apply only to the lines after the reset and before the dump. Without the key ready,
 * they apply to all lines from the reset to the end of the dump.
 */
#include "plan.h"
#include "arguments.h"
#include "config_file.h"
#include "input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * The maximum length of a test's name. A file name has at most 255 bytes. It consists of the test's name, the extension
 * .profraw and the suffix of a temporary file.
 */
#define NAME_LENGTH 200

static enum status set_text(struct buffer *text, const char *value, struct error *error)
{
	const char *bad = argument_bad_escape(value);

	if (!*value)
		return error_set(error, STATUS_INVALID_INPUT, "the text to type is empty");
	if (bad)
		return error_set(
			error, STATUS_INVALID_INPUT, "'%.4s' is not an escape; use \\n, \\r, \\t, \\\\ or \\xHH", bad);
	*text = argument_text(value);
	return STATUS_OK;
}

static enum status set_pattern(struct pattern *pattern, const char *value, struct error *error)
{
	char why[200];
	int wrong = regcomp(&pattern->regex, value, REG_EXTENDED);

	if (wrong) {
		regerror(wrong, &pattern->regex, why, sizeof(why));
		return error_set(error, STATUS_INVALID_INPUT, "invalid regular expression '%.200s': %s", value, why);
	}
	pattern->text = format("%s", value);
	/* Refuse an empty expression, because it would match every line. */
	if (!*value)
		return error_set(error, STATUS_INVALID_INPUT, "the regular expression is empty");
	return STATUS_OK;
}

static enum status check_name(const struct plan *plan, const char *name, struct error *error)
{
	const char *c;
	size_t i;

	if (!*name)
		return error_set(error, STATUS_INVALID_INPUT, "the test has no name; write 'test NAME = TEXT'");
	for (c = name; *c; c++)
		if (*c == '/' || isspace((unsigned char)*c) || iscntrl((unsigned char)*c))
			return error_set(error, STATUS_INVALID_INPUT,
				"the name '%.200s' cannot be a file name: it contains a space, a '/' or a control "
				"character",
				name);
	if (*name == '.')
		return error_set(error, STATUS_INVALID_INPUT,
			"the name '%.200s' would make a hidden file: it starts with '.'", name);
	if (strlen(name) > NAME_LENGTH)
		return error_set(
			error, STATUS_INVALID_INPUT, "the name of the test is longer than %d characters", NAME_LENGTH);
	for (i = 0; i < plan->count; i++)
		if (!strcmp(plan->tests[i].name, name))
			return error_set(error, STATUS_INVALID_INPUT, "there are two tests with the name '%s'", name);
	return STATUS_OK;
}

static enum status add_test(struct plan *plan, const char *name, const char *value, struct error *error)
{
	enum status status = check_name(plan, name, error);
	struct plan_test *test;

	if (status != STATUS_OK)
		return status;
	plan->tests = array_grow(plan->tests, plan->count, &plan->room, sizeof(*plan->tests));
	test = &plan->tests[plan->count++];
	*test = (struct plan_test){.name = format("%s", name)};
	return set_text(&test->text, value, error);
}

static enum status set_key(void *context, const char *key, const char *value, struct error *error)
{
	struct plan *plan = context;
	const struct {
		const char *name;
		struct buffer *text;
		struct pattern *pattern;
	} keys[] = {
		{"ready", NULL, &plan->ready},
		{"pass", NULL, &plan->pass},
		{"fail", NULL, &plan->fail},
		{"reset", &plan->reset, NULL},
		{"dump", &plan->dump, NULL},
		{"end", &plan->end, NULL},
	};
	size_t i;

	if (!strncmp(key, "test", 4) && (!key[4] || isspace((unsigned char)key[4])))
		return add_test(plan, key + 4 + strspn(key + 4, " \t\r\f\v"), value, error);
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcmp(key, keys[i].name))
			continue;
		if (keys[i].text ? keys[i].text->size != 0 : keys[i].pattern->text != NULL)
			return error_set(error, STATUS_INVALID_INPUT, "'%s' is given twice", key);
		return keys[i].text ? set_text(keys[i].text, value, error) : set_pattern(keys[i].pattern, value, error);
	}
	if (strcmp(key, "timeout"))
		return error_set(error, STATUS_INVALID_INPUT,
			"'%.200s' is not a key; keys are ready, reset, dump, end, pass, fail, timeout and test NAME",
			key);
	if (plan->timeout > 0)
		return error_set(error, STATUS_INVALID_INPUT, "'timeout' is given twice");
	if (!argument_seconds(value, &plan->timeout))
		return error_set(
			error, STATUS_INVALID_INPUT, "'timeout' takes a number of seconds, not '%.200s'", value);
	return STATUS_OK;
}

enum status plan_read(struct plan *plan, const char *path, struct error *error)
{
	struct input input;
	enum status status = input_read(&input, path, error);

	*plan = (struct plan){0};
	if (status != STATUS_OK)
		return status;
	status = config_file_read(input.bytes, set_key, plan, error);
	input_free(&input);
	if (status == STATUS_OK && (!plan->reset.size || !plan->dump.size))
		return error_set(error, STATUS_INVALID_INPUT, "does not tell how to %s: the key %s is required",
			plan->reset.size ? "dump" : "reset the counters", plan->reset.size ? "dump" : "reset");
	if (status == STATUS_OK && !plan->count)
		return error_set(error, STATUS_INVALID_INPUT, "has no test: add a line 'test NAME = TEXT'");
	return status;
}

static void pattern_free(struct pattern *pattern)
{
	if (pattern->text)
		regfree(&pattern->regex);
	free(pattern->text);
}

void plan_free(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->count; i++) {
		free(plan->tests[i].name);
		buffer_free(&plan->tests[i].text);
	}
	free(plan->tests);
	pattern_free(&plan->ready);
	pattern_free(&plan->pass);
	pattern_free(&plan->fail);
	buffer_free(&plan->reset);
	buffer_free(&plan->dump);
	buffer_free(&plan->end);
	*plan = (struct plan){0};
}
