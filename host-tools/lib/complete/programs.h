/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - the ELF files that complete profiles, given by name or found by
 * build id in folders.
 */
#ifndef BAREPROF_HOST_PROGRAMS_H
#define BAREPROF_HOST_PROGRAMS_H

#include "program.h"

/* A file in one of the folders. */
struct program_file {
	char *path;
	struct buffer id;
};

/* Starts with programs_start(), ends with programs_free(). Threads may look in it at the same time. */
struct programs {
	struct program **list; /* opened */
	size_t count;
	size_t room;
	size_t given; /* of these, how many by name: the first */
	char **folders;
	size_t folder_count;
	size_t folder_room;
	struct program_file *files; /* of the folders, once they were looked through */
	size_t file_count;
	size_t file_room;
	bool folders_scanned;
	pthread_mutex_t lock;
};

void programs_start(struct programs *programs);
void programs_free(struct programs *programs);

/* programs_elf - add the ELF file at @path. Errors: SYSTEM, INVALID_INPUT. */
enum status programs_elf(struct programs *programs, const char *path, struct error *error);

/*
 * programs_folder - add a folder, which is looked through with all below it when an
 * ELF file is first needed that is not where debuggers look for it, in
 * .build-id/xx/yyyy.debug or xx/yyyy.debug. Errors: SYSTEM (no folder).
 */
enum status programs_folder(struct programs *programs, const char *path, struct error *error);

/* programs_any - is there anything to look in? @programs may be NULL. */
bool programs_any(const struct programs *programs);

/*
 * programs_find - the program with the build id @id; if there is no id to compare,
 * the only one that was given by name, and then @remark says that it was not
 * checked. Errors: INVALID_INPUT.
 */
enum status programs_find(struct programs *programs, struct bytes id, struct program **program, struct buffer *remark,
	struct error *error);

#endif
