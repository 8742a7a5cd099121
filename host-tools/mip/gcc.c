/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gcc.c - runs gcc with the option -wrapper, which puts `bareprof mip as` before each program that gcc calls. gcc
 * handles everything else itself, so all other outputs, messages and exit statuses are those of gcc.
 */
#include "gcc.h"
#include "exit.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum status become_program(char *const *words)
{
	fflush(stdout);
	/* A program inherits ignored signals. main() ignores SIGXFSZ. */
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	execvp(words[0], words);
	complain(NULL, "%s cannot be started: %s", words[0], strerror(errno));
	return STATUS_SYSTEM;
}

/* Sets @path to the file of this program. Prints the error. Errors: SYSTEM. */
static enum status find_self(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n < 0) {
		complain(NULL, "/proc/self/exe cannot be read: %s; mount /proc", strerror(errno));
		return STATUS_SYSTEM;
	}
	path[n] = '\0';
	if (!strchr(path, ','))
		return STATUS_OK;
	complain(path,
		"a comma in the name of this program separates words for gcc's option -wrapper; move bareprof to "
		"a folder without a comma in its name");
	return STATUS_SYSTEM;
}

/* ccache must compile again if bareprof changes. */
static void tell_ccache(const char *self)
{
	const char *others = getenv("CCACHE_EXTRAFILES");
	char *files = others && *others ? format("%s:%s", others, self) : format("%s", self);

	setenv("CCACHE_EXTRAFILES", files, 1);
	free(files);
}

/* Returns the argument of -wrapper: the words of `bareprof mip as` with its options. The caller frees it. */
static char *make_wrapper(const char *self, const struct mip_settings *settings)
{
	struct buffer text = {0};
	struct words options = {0};
	char *wrapper;
	size_t i;

	mip_settings_words(settings, &options);
	buffer_printf(&text, "%s,mip,as", self);
	for (i = 0; i < options.count; i++)
		buffer_printf(&text, ",%s", options.list[i]);
	wrapper = format("%s", buffer_string(&text));
	words_free(&options);
	buffer_free(&text);
	return wrapper;
}

enum status gcc_run(const struct compile_line *line, const struct mip_settings *settings, char *const *compiler)
{
	char self[PATH_MAX];
	struct words words = {0};
	char *wrapper;
	enum status status;
	size_t i;

	if (find_self(self) != STATUS_OK)
		return STATUS_SYSTEM;
	words_add_all(&words, compiler);
	wrapper = make_wrapper(self, settings);
	words_add(&words, "-wrapper");
	words_add(&words, wrapper);
	for (i = 0; i < line->words.count; i++) {
		const struct compiler_option *option = line->meanings[i].option;

		/* With -pipe, gcc would start the assembler without the wrapper. */
		if (!option || option->effect != EFFECT_PIPE || line->saves_temporaries)
			words_add(&words, line->words.list[i]);
	}
	tell_ccache(self);
	/* The options from the environment are part of the wrapper. */
	unsetenv("BAREPROF_MIP");
	status = become_program(words.list);
	words_free(&words);
	free(wrapper);
	return status;
}
