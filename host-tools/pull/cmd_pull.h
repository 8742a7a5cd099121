/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_pull.h - what the parts of `bareprof pull` share.
 */
#ifndef BAREPROF_HOST_CMD_PULL_H
#define BAREPROF_HOST_CMD_PULL_H

#include "dump.h"

/* What was asked of a live source; texts may be NULL but for name and out. */
struct pull_live {
	const char *name;
	const char *out;
	const char *all; /* a folder; then not out */
	const char *log;
	const char *session;
	const char *send;
	const char *then;
	const char *until;
	double timeout; /* 0: none */
	bool only_list;
	bool named; /* out was, by the user */
	struct completing completing; /* for captures of counters */
};

/* pull_live - pull from a live source; says what is wrong. */
enum status pull_live(const struct pull_live *pull);

/* What was asked of images that run on this machine. */
struct pull_from {
	const char *from; /* the argument of --from */
	char *const *names; /* of images, NULL at their end; none: all */
	const char *out; /* NULL: each has a file by its name */
	const char *all; /* NULL: in the current folder */
	bool capture; /* not the .profraw */
	struct completing completing; /* for captures */
};

/* pull_from - pull from them; says what is wrong. */
enum status pull_from(const struct pull_from *pull);

/*
 * pull_name - what to call the dump that goes to @path: where nobody @named that and it
 * is kept as a capture, it does not end in .profraw. The caller frees it.
 */
char *pull_name(const struct dump *dump, const char *path, bool named);

/* pull_list - print the dumps there are; pull_tell - say what was written to @path. */
enum status pull_list(struct dump *dump, struct error *error);
void pull_tell(const struct dump *dump, const char *path);

/*
 * pull_all - write each complete dump into @folder, which is made if it is not
 * there, and say what is wrong with the others. Errors: BAD, SYSTEM.
 * pull_all_possible - could that be? pull_all_folder - make it. Errors: SYSTEM.
 */
enum status pull_all(struct dump *dump, const char *name, const char *folder);
enum status pull_all_possible(const char *folder, struct error *error);
enum status pull_all_folder(const char *folder, struct error *error);

#endif
