/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_options.c - the options from the command line and from the environment variable BAREPROF_MIP. */
#include "mip_options.h"
#include "arguments.h"
#include "exit.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

struct mip_options mip_options;
static struct mip_options from_environment;

static const struct option environment_options[] = {MIP_OPTIONS(from_environment), {OPT_END}};
static const struct command environment_command = {
	.name = "BAREPROF_MIP",
	.operands = "",
	.operands_max = INT_MAX,
	.options = environment_options,
};

/* Returns whether @word is an option of the table, with or without an argument in the same word. */
static bool is_known(const char *word)
{
	const struct option *option;

	for (option = environment_options; option->name; option++)
		if (starts_with(word, "--") && starts_with(word + 2, option->name) &&
			strchr("=", word[2 + strlen(option->name)]))
			return true;
	return false;
}

static enum status refuse_word(const char *word)
{
	complain(NULL,
		"the environment variable BAREPROF_MIP contains '%s'; 'bareprof mip cc --help' lists the options "
		"that it may contain",
		word);
	return STATUS_USAGE;
}

static enum status read_environment(struct words *words)
{
	const char *text = getenv("BAREPROF_MIP");
	char **operands;
	bool wants_help;
	enum status status;
	size_t i;

	if (!text)
		return STATUS_OK;
	words_split(words, (struct bytes){(const uint8_t *)text, strlen(text)});
	for (i = 0; i < words->count; i++)
		if (words->list[i][0] == '-' && !is_known(words->list[i]))
			return refuse_word(words->list[i]);
	/* options_parse() needs a copy of the list, because it moves the words that do not belong to options. */
	operands = allocate(words->count + 1, sizeof(*operands));
	for (i = 0; i < words->count; i++)
		operands[i] = words->list[i];
	status = options_parse(&environment_command, (int)words->count, operands, &wants_help);
	if (status == STATUS_OK && operands[0])
		status = refuse_word(operands[0]);
	free(operands);
	return status;
}

/* Appends the texts of @list to @joined. Prints an error if one of them contains a comma. */
static enum status join(const char **joined, const char *const *list)
{
	size_t count = 0;

	while (joined[count])
		count++;
	for (; *list; list++) {
		/* gcc separates the words of its option -wrapper with commas. */
		if (strchr(*list, ',')) {
			complain(NULL, "the pattern '%s' contains a comma; write '?' in place of the comma", *list);
			return STATUS_USAGE;
		}
		joined[count++] = *list;
	}
	return STATUS_OK;
}

/* Reads the N of sample=N. */
static enum status read_sample(uint32_t *sample, const char *text)
{
	uint64_t number;

	if (!argument_number(text, 1, BAREPROF_MIP_SAMPLE_N_MAX, &number) || (number & (number - 1))) {
		complain(NULL, "--mode: sample=N takes a power of two from 1 to %u, not '%s'",
			BAREPROF_MIP_SAMPLE_N_MAX, text);
		return STATUS_USAGE;
	}
	*sample = (uint32_t)number;
	return STATUS_OK;
}

/* Sets the fields of @settings that @mode determines. @mode is changed. Prints the error. */
static enum status read_mode(struct mip_settings *settings, char *mode)
{
	struct rewrite_options *rewrite = &settings->rewrite;
	enum status status = STATUS_OK;
	bool coverage = false;
	char *rest = NULL;
	char *word;

	/* gcc separates the words of its option -wrapper with commas, so mip_settings_words() writes + instead. */
	for (word = strtok_r(mode, ",+", &rest); word && status == STATUS_OK; word = strtok_r(NULL, ",+", &rest)) {
		if (!strcmp(word, "coverage")) {
			coverage = true;
		} else if (!strcmp(word, "calls")) {
			rewrite->mode = REWRITE_CALLS;
		} else if (!strcmp(word, "blocks")) {
			settings->blocks = true;
		} else if (!strncmp(word, "sample=", strlen("sample="))) {
			status = read_sample(&rewrite->sample, word + strlen("sample="));
		} else {
			complain(NULL,
				"--mode takes 'coverage', 'calls', 'calls,sample=N', 'blocks' or 'calls,blocks', not "
				"'%s'",
				word);
			status = STATUS_USAGE;
		}
	}
	if (status != STATUS_OK)
		return status;
	if (coverage && rewrite->mode == REWRITE_CALLS) {
		complain(NULL, "--mode: coverage and calls cannot be combined; calls also show which functions ran");
		return STATUS_USAGE;
	}
	if (coverage && settings->blocks) {
		complain(NULL, "--mode: coverage and blocks cannot be combined; blocks also show which functions ran");
		return STATUS_USAGE;
	}
	settings->only_blocks = settings->blocks && rewrite->mode != REWRITE_CALLS;
	if (rewrite->sample && rewrite->mode != REWRITE_CALLS) {
		complain(NULL, "--mode: sample=N works only together with calls: write 'calls,sample=N'");
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

enum status mip_settings_read(struct mip_settings *settings)
{
	const struct mip_options *line = &mip_options;
	const struct mip_options *environment = &from_environment;
	enum status status;
	char *mode;

	*settings = (struct mip_settings){0};
	if (read_environment(&settings->environment) != STATUS_OK ||
		join(settings->exclude, environment->exclude) != STATUS_OK ||
		join(settings->exclude, line->exclude) != STATUS_OK ||
		join(settings->exclude_sections, environment->exclude_sections) != STATUS_OK ||
		join(settings->exclude_sections, line->exclude_sections) != STATUS_OK ||
		join(settings->discarded_sections, environment->discarded_sections) != STATUS_OK ||
		join(settings->discarded_sections, line->discarded_sections) != STATUS_OK)
		return STATUS_USAGE;
	settings->verbose = line->verbose || environment->verbose;
	settings->rewrite = (struct rewrite_options){
		.atomic = line->atomic || environment->atomic,
		.position_independent = line->pic || environment->pic,
		.min_size = line->min_size ? line->min_size : environment->min_size,
		.exclude = settings->exclude,
		.exclude_sections = settings->exclude_sections,
		.discarded_sections = settings->discarded_sections,
	};
	mode = strdup(line->mode ? line->mode : environment->mode ? environment->mode : "coverage");
	status = read_mode(settings, mode);
	free(mode);
	return status;
}

void mip_settings_free(struct mip_settings *settings)
{
	words_free(&settings->environment);
}

static void add_word(struct words *words, char *word)
{
	words_add(words, word);
	free(word);
}

void mip_settings_words(const struct mip_settings *settings, struct words *words)
{
	const struct rewrite_options *rewrite = &settings->rewrite;
	const char *const *pattern;

	add_word(words, rewrite->sample ? format("--mode=calls+sample=%" PRIu32, rewrite->sample)
					: format("--mode=%s", rewrite->mode == REWRITE_CALLS ? "calls" : "coverage"));
	if (rewrite->atomic)
		words_add(words, "--atomic");
	if (rewrite->min_size)
		add_word(words, format("--min-size=%" PRIu64, rewrite->min_size));
	for (pattern = rewrite->exclude; *pattern; pattern++)
		add_word(words, format("--exclude=%s", *pattern));
	for (pattern = rewrite->exclude_sections; *pattern; pattern++)
		add_word(words, format("--exclude-section=%s", *pattern));
	for (pattern = rewrite->discarded_sections; *pattern; pattern++)
		add_word(words, format("--discarded-section=%s", *pattern));
	if (rewrite->position_independent)
		words_add(words, "--pic");
	if (settings->verbose)
		words_add(words, "--verbose");
}
