/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file_names.h - the names of source files. A kernel has thousands of objects that list the same headers, so each name is
 * stored once, and all other data refers to it by its index.
 */
#ifndef BAREPROF_HOST_FILE_NAMES_H
#define BAREPROF_HOST_FILE_NAMES_H

#include "arena.h"
#include "path_map.h"

/* The caller sets @maps and @map_count, and zeroes the other fields. End with file_names_free(). */
struct file_names {
	struct path_map *maps; /* change the names of folders */
	size_t map_count;
	struct bytes *list; /* the names, in the order in which they were added */
	size_t count;
	size_t room;
	uint32_t *table; /* hash table; a slot has the index of a name plus 1 */
	size_t table_size; /* number of slots, a power of two */
	uint64_t bytes; /* the memory that all names take together */
	struct buffer full; /* belongs to file_names.c, like the following buffer */
	struct buffer mapped;
	struct arena arena;
};

/*
 * file_names_add - returns the index of the name of @name in the folder @folder. If @name is absolute, @folder does not
 * matter. The name is the one that llvm-cov shows: without the folders . and .., and changed by files->maps. If
 * @folder.data is NULL, the name stays as it is, apart from files->maps.
 */
uint32_t file_names_add(struct file_names *files, struct bytes folder, struct bytes name);
void file_names_free(struct file_names *files);

#endif
