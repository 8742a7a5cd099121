/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * covmap.h - the coverage mapping of a program: reads its functions, and copies it with source files and functions
 * renamed. The names are changed in the mapping, not in the output of llvm-cov. So all tables, pages and exports have
 * the new names, and two files that get the same name become one file.
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

/* A list of file names. Functions refer to a list by a hash of its bytes. */
struct covmap_list {
	uint64_t was; /* hash of the bytes that this list has in the program */
	uint64_t is; /* hash of the bytes that this list has after its files were renamed */
	size_t first; /* index of the list's first file in covmap->files */
	size_t count;
	bool has_folder; /* the first entry of the list is the folder in which the compiler ran */
};

struct covmap_file {
	size_t offset; /* offset of the name in covmap->text */
	size_t size;
};

struct covmap_function {
	uint64_t name; /* name hash, see names.h */
	uint64_t
		/*
		 * hash of the mapping; functions from different source have different hashes; 0: the object does not
		 * use the function
		 */
		digest;
};

/* The regions of a function, see covmap_counts.c. */
struct covmap_regions {
	uint64_t name; /* name hash, see names.h */
	uint64_t hash; /* structural hash; 0: the object does not use the function */
	struct bytes fixed; /* the header of the function, which is before its regions */
	struct bytes bytes;
};

/* A function that gets a new name. */
struct covmap_rename {
	uint64_t was; /* name hash of the function's old name */
	uint64_t now; /* name hash of the function's new name */
	char *name; /* the new name */
};

/* The caller sets @maps and @map_count and zeroes the other fields. End with covmap_free(). */
struct covmap {
	struct path_map *maps;
	size_t map_count;

	int fd;
	void *elf;
	bool big; /* the program is big-endian */
	struct buffer part[COVMAP_PARTS]; /* contents of the sections, as in the program */
	struct names names;
	struct buffer new_files; /* the section COVMAP_FILES after its files were renamed */
	struct covmap_list *lists; /* sorted by the hash that each list has in the program */
	size_t count;
	size_t room;
	/* The files of all lists, one list after the other, with the names that the path maps give them. */
	struct covmap_file *files;
	size_t file_count;
	size_t file_room;
	struct buffer text; /* the names of files */
	struct covmap_rename *renames; /* filled in by variants_find(), and sorted by the hash of the old name */
	size_t rename_count;
	size_t rename_room;
	bool changed; /* regions were changed */
};

/*
 * covmap_open - reads the program at @elf_path, and replaces the names of its source files as covmap->maps says.
 * Errors: SYSTEM, INVALID_INPUT.
 */
enum status covmap_open(struct covmap *covmap, const char *elf_path, struct error *error);

/*
 * covmap_write - writes to @path an ELF file with the sections that llvm-cov reads. It has the new names of files and
 * functions. Errors: SYSTEM.
 */
enum status covmap_write(struct covmap *covmap, const char *path, struct error *error);
void covmap_free(struct covmap *covmap);

/*
 * covmap_read_files - reads COVMAP_FILES, and renames the files. This is a step of covmap_open(). Errors:
 * INVALID_INPUT.
 */
enum status covmap_read_files(struct covmap *covmap, struct error *error);

/*
 * covmap_next - reads the function at offset *@at of COVMAP_FUNCTIONS, and moves *@at to the next function. Returns
 * false at the end of the section, or if the function is damaged. If the function is damaged, *@at is still its offset.
 */
bool covmap_next(const struct covmap *covmap, size_t *at, struct covmap_function *function);

/* covmap_next_regions - does the same as covmap_next(), but sets @regions instead of @function. */
bool covmap_next_regions(const struct covmap *covmap, size_t *at, struct covmap_regions *regions);

/* covmap_add - appends to @output the function to which @regions belongs, with @bytes in place of its regions. */
void covmap_add(
	const struct covmap *covmap, const struct covmap_regions *regions, struct bytes bytes, struct buffer *output);

/* covmap_change - makes @functions the new COVMAP_FUNCTIONS. Afterwards @functions is empty. */
void covmap_change(struct covmap *covmap, struct buffer *functions);

/*
 * covmap_functions - appends COVMAP_FUNCTIONS to @output, with references to the new files and names. The caller must
 * have read all functions with covmap_next() before, because only covmap_next() checks them.
 */
void covmap_functions(const struct covmap *covmap, struct buffer *output);

/*
 * covmap_renamed - returns the new name of the function whose old name has the hash @was, or NULL if the function is
 * not renamed.
 */
const struct covmap_rename *covmap_renamed(const struct covmap *covmap, uint64_t was);

#endif
