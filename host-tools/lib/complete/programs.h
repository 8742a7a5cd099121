/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - finds the ELF files that complete profiles: the user names the files, or folders
 * in which they are found by build id.
 */
#ifndef BAREPROF_HOST_PROGRAMS_H
#define BAREPROF_HOST_PROGRAMS_H

#include "program.h"

/* A file in one of the folders. */
struct program_file {
	char *path;
	struct buffer id;
};

/* Starts with programs_start(), ends with programs_free(). Several threads may call programs_find() at a time. */
struct programs {
	struct program **list; /* open programs */
	size_t count;
	size_t room;
	size_t given; /* number of programs given by name: the first ones of the list */
	char **folders;
	size_t folder_count;
	size_t folder_room;
	struct program_file *files; /* the ELF files in the folders, after these were scanned */
	size_t file_count;
	size_t file_room;
	bool folders_scanned;
	pthread_mutex_t lock;
};

void programs_start(struct programs *programs);
void programs_free(struct programs *programs);

/* programs_elf - adds the ELF file at @path. Errors: SYSTEM, INVALID_INPUT. */
enum status programs_elf(struct programs *programs, const char *path, struct error *error);

/*
 * programs_folder - adds a folder. ELF files are first looked for where debuggers look, in
 * .build-id/xx/yyyy.debug and xx/yyyy.debug. If one is not there, all files in the folder and its
 * subfolders are scanned, once. Errors: SYSTEM (not a folder).
 */
enum status programs_folder(struct programs *programs, const char *path, struct error *error);

/* programs_any - returns whether an ELF file or a folder was added. @programs may be NULL. */
bool programs_any(const struct programs *programs);

/*
 * programs_find - sets *@program to the program with the build id @id. If there is no id to
 * compare, *@program is the only program that was given by name, and @remark gets a warning about
 * that. Errors: INVALID_INPUT.
 */
enum status programs_find(struct programs *programs, struct bytes id, struct program **program, struct buffer *remark,
	struct error *error);

#endif
