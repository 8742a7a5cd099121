/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path_map.h - "A=B": files that were compiled below folder A are below B now.
 */
#ifndef BAREPROF_HOST_PATH_MAP_H
#define BAREPROF_HOST_PATH_MAP_H

#include "bytes.h"
#include "error.h"

struct path_map {
	struct bytes from; /* without slashes at its end */
	const char *to;
	size_t to_size; /* without slashes at its end */
	bool relative; /* "." is where names start that are not absolute */
	bool used;
};

/* path_map_parse - fill @map from @text, which must stay. Says so and is false if it is no "A=B". */
bool path_map_parse(struct path_map *map, const char *text);

/*
 * path_map_apply - append to @output what @name is called by the first of @count
 * @maps whose folder it is in (that one is marked as used), or itself. Only
 * whole components count: /a/b is not in the folder /a/bc, nor /a/bc in /a/b.
 */
void path_map_apply(struct path_map *maps, size_t count, struct bytes name, struct buffer *output);

/* path_append - append the components of @path to @name, without "." and what ".." takes back. */
void path_append(struct buffer *name, struct bytes path);

#endif
