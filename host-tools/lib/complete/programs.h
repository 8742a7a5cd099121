/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - finds the ELF files that complete profiles. The user names either these files, or
 * folders in which bareprof finds the files by their build ids.
 */
#ifndef BAREPROF_HOST_PROGRAMS_H
#define BAREPROF_HOST_PROGRAMS_H

#include "program.h"

/* An ELF file in one of the folders that the user named. The file has a build id. */
struct program_file {
	char *path;
	struct buffer id;
};

/*
 * The programs that can complete profiles. programs_start() makes them ready for use, and
 * programs_free() frees them. Several threads may call programs_find() at the same time.
 */
struct programs {
	struct program **list; /* the programs that were opened */
	size_t count;
	size_t room;
	size_t given; /* number of programs that the user named; these are the first in @list */
	char **folders;
	size_t folder_count;
	size_t folder_room;
	struct program_file *files; /* the ELF files in the folders, if @folders_scanned is true */
	size_t file_count;
	size_t file_room;
	bool folders_scanned;
	pthread_mutex_t lock;
};

void programs_start(struct programs *programs);
void programs_free(struct programs *programs);

/*
 * programs_elf - adds the ELF file at @path to the programs that can complete profiles. Errors:
 * SYSTEM, INVALID_INPUT.
 */
enum status programs_elf(struct programs *programs, const char *path, struct error *error);

/* programs_symbols - adds a program of which only a list of symbols is at hand. Errors as program_from_symbols(). */
enum status programs_symbols(struct programs *programs, const char *path, struct error *error);

/*
 * programs_folder - adds a folder in which ELF files are looked for. programs_find() first tries
 * the paths that debuggers use, such as .build-id/xx/yyyy.debug and xx/yyyy.debug. If the ELF file
 * is not at these paths, all files in the folder and its subfolders are scanned. This scan happens
 * only once. Errors: SYSTEM if @path is not a folder or cannot be opened.
 */
enum status programs_folder(struct programs *programs, const char *path, struct error *error);

/* programs_any - returns whether an ELF file or a folder was added. @programs may be NULL. */
bool programs_any(const struct programs *programs);

/*
 * programs_have - returns whether an ELF file that the user named, or an ELF file in one of the folders, has the build
 * id @id. Returns false if @id is empty or all zeros. @programs may be NULL. Several threads may call this function at
 * the same time.
 */
bool programs_have(struct programs *programs, struct bytes id);

/*
 * programs_find - sets *@program to the program with the build id @id. If the profile or the
 * program has no build id, sets *@program to the only program that the user named. Then also
 * appends a warning to @remark, because bareprof cannot check that the program belongs to the
 * profile. Errors: INVALID_INPUT.
 */
enum status programs_find(struct programs *programs, struct bytes id, struct program **program, struct buffer *remark,
	struct error *error);

#endif
