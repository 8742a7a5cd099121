/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path_map.h - changes the paths of files by a map "A=B". The map says that the files below folder A were moved to
 * folder B after they were compiled.
 */
#ifndef BAREPROF_HOST_PATH_MAP_H
#define BAREPROF_HOST_PATH_MAP_H

#include "bytes.h"
#include "error.h"

struct path_map {
	struct bytes from; /* A, without slashes at its end */
	const char *to; /* B */
	size_t to_size; /* length of B without slashes at its end */
	bool relative; /* A is ".", which stands for all names that are not absolute */
	bool used; /* this map changed a path */
};

/*
 * path_map_parse - fills in @map from @text, which must stay valid as long as @map. Returns false if @text is not "A=B".
 */
bool path_map_parse(struct path_map *map, const char *text);

/*
 * path_map_apply - appends the new name of @name to @output. It uses the first of the @count maps whose folder
 * contains @name, and marks this map as used. Without such a map, the new name is @name. Only whole components
 * count: /a/b is not in the folder /a/bc, and /a/bc is not in /a/b.
 */
void path_map_apply(struct path_map *maps, size_t count, struct bytes name, struct buffer *output);

/*
 * path_append - appends the components of @path to @name. The component "." is left out. The component ".." removes the
 * component before it.
 */
void path_append(struct buffer *name, struct bytes path);

#endif
