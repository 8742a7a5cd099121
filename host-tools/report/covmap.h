/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * covmap.h - the coverage mapping of a program: learn its functions, and copy it
 * with source files and functions renamed. Renaming happens there and not in
 * what llvm-cov writes, so that every table, page and export of it has the new
 * names, and two names that become one are one.
 */
#ifndef BAREPROF_HOST_COVMAP_H
#define BAREPROF_HOST_COVMAP_H

#include "error.h"
#include "names.h"
#include "path_map.h"

enum covmap_part {
	COVMAP_NAMES,
	COVMAP_FILES,
	COVMAP_FUNCTIONS,
	COVMAP_PARTS,
};

/* One list of file names: functions refer to it by a hash of its bytes. */
struct covmap_list {
	uint64_t was;
	uint64_t is; /* with the files renamed */
	size_t first; /* of covmap->files */
	size_t count;
};

struct covmap_file {
	size_t offset; /* in covmap->text */
	size_t size;
};

struct covmap_function {
	uint64_t name; /* reference, see names.h */
	uint64_t digest; /* of all that it maps: code that differs has another */
};

/* A function to be called otherwise. */
struct covmap_rename {
	uint64_t was; /* reference */
	char *name;
};

/* Starts with the upper part and zeros, ends with covmap_free(). */
struct covmap {
	struct path_map *maps;
	size_t map_count;

	int fd;
	void *elf;
	bool big; /* byte order */
	struct buffer part[COVMAP_PARTS]; /* as the program has them */
	struct names names;
	struct buffer new_files; /* what COVMAP_FILES becomes */
	struct covmap_list *lists; /* by their old reference */
	size_t count;
	size_t room;
	struct covmap_file *files; /* renamed */
	size_t file_count;
	size_t file_room;
	struct buffer text;
	struct covmap_rename *renames; /* by reference; filled in by variants_find() */
	size_t rename_count;
	size_t rename_room;
};

/* covmap_open - read the program at @elf_path, rename its files by the maps. Errors: SYSTEM, INVALID_INPUT. */
enum status covmap_open(struct covmap *covmap, const char *elf_path, struct error *error);

/* covmap_write - write an ELF file to @path that has all that llvm-cov reads, everything renamed. Errors: SYSTEM. */
enum status covmap_write(struct covmap *covmap, const char *path, struct error *error);
void covmap_free(struct covmap *covmap);

/* covmap_read_files - the part of covmap_open() that reads COVMAP_FILES. Errors: INVALID_INPUT. */
enum status covmap_read_files(struct covmap *covmap, struct error *error);

/*
 * covmap_next - the function at *@at of COVMAP_FUNCTIONS; moves *@at behind it.
 * False at the end, or if what follows is damaged: then *@at is not the end.
 */
bool covmap_next(const struct covmap *covmap, size_t *at, struct covmap_function *function);

/*
 * covmap_functions - append COVMAP_FUNCTIONS to @output, made to refer to the
 * new files and names. It was read to its end by covmap_next() before.
 */
void covmap_functions(const struct covmap *covmap, struct buffer *output);

/* covmap_renamed - what the function with the name reference @was is to be called, or NULL. */
const struct covmap_rename *covmap_renamed(const struct covmap *covmap, uint64_t was);

#endif
