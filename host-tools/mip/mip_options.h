/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_options.h - the options that `bareprof mip cc` and `bareprof mip as` share.
 */
#ifndef BAREPROF_HOST_MIP_OPTIONS_H
#define BAREPROF_HOST_MIP_OPTIONS_H

#include "options.h"
#include "rewrite.h"
#include "words.h"

/* The options of one command line, or of the environment variable BAREPROF_MIP. */
struct mip_options {
	const char *mode; /* NULL if not given */
	bool atomic;
	bool pic;
	bool verbose;
	uint64_t min_size; /* 0 if not given */
	const char *exclude[OPTION_TIMES + 1];
	const char *exclude_sections[OPTION_TIMES + 1];
	const char *discarded_sections[OPTION_TIMES + 1];
};

extern struct mip_options mip_options;

/* MIP_OPTIONS - the rows of the options for the table of a command. @target is a struct mip_options. */
#define MIP_OPTIONS(target)                                                                                            \
	{OPT_TEXT("mode", 0, "MODE", &(target).mode,                                                                   \
		"what functions record: coverage (the default), calls, calls,sample=N, blocks or calls,blocks")},      \
		{OPT_FLAG("atomic", 0, &(target).atomic,                                                               \
			"with --mode calls: count with atomic instructions, so that several CPUs lose no count")},     \
		{OPT_NUMBER("min-size", 0, "N", &(target).min_size, 0, UINT32_MAX,                                     \
			"leave out functions with fewer than N instructions")},                                        \
		{OPT_LIST("exclude", 0, "PATTERN", (target).exclude,                                                   \
			"leave out functions whose names match PATTERN (*, ? and [] as in the shell); can be "         \
			"repeated")},                                                                                  \
		{OPT_LIST("exclude-section", 0, "PATTERN", (target).exclude_sections,                                  \
			"leave out functions in sections whose names match PATTERN; can be repeated")},                \
		{OPT_LIST("discarded-section", 0, "PATTERN", (target).discarded_sections,                              \
			"leave out functions in sections that the linker script discards, without a map record; can "  \
			"be repeated")},                                                                               \
		{OPT_FLAG("pic", 0, &(target).pic,                                                                     \
			"the code is position-independent; 'mip cc' knows this from -fPIC, and it matters only on "    \
			"Arm")},                                                                                       \
	{                                                                                                              \
		OPT_FLAG("verbose", 0, &(target).verbose,                                                              \
			"print how many functions of each source record, and how many are left out and why")           \
	}

/* MIP_MODES - the modes, for the help text of a command. @what_is_blocks is a remark on the mode "blocks". */
#define MIP_MODES(what_is_blocks)                                                                                      \
	"MODE says what functions record:\n"                                                                           \
	"    coverage        whether they ran\n"                                                                       \
	"    calls           how often they were called, and the order of their first calls\n"                         \
	"    calls,sample=N  also from where, on average at each Nth call; N is a power of two\n"                      \
	"    blocks          which blocks of code ran; " what_is_blocks "\n"                                           \
	"    calls,blocks    both; calls,blocks,sample=N takes samples too\n\n"

/* The options that apply, after both sources of options were joined. */
struct mip_settings {
	struct rewrite_options rewrite;
	bool blocks; /* block coverage; clang makes it, not the rewriter */
	bool only_blocks; /* mode "blocks": the rewriter does nothing */
	bool verbose;
	struct words environment; /* the words of BAREPROF_MIP */
	const char *exclude[2 * OPTION_TIMES + 1];
	const char *exclude_sections[2 * OPTION_TIMES + 1];
	const char *discarded_sections[2 * OPTION_TIMES + 1];
};

/*
 * mip_settings_read - joins mip_options and the options in BAREPROF_MIP. If both set the same option, mip_options wins;
 * patterns add up. Prints the error. The caller frees @settings with mip_settings_free(), also after an error. Errors:
 * USAGE.
 */
enum status mip_settings_read(struct mip_settings *settings);
void mip_settings_free(struct mip_settings *settings);

/* mip_settings_words - appends options to @words that mean the same as @settings. */
void mip_settings_words(const struct mip_settings *settings, struct words *words);

#endif
