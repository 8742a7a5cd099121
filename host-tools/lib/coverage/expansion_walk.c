/* SPDX-License-Identifier: BSD-2-Clause */
/* expansion_walk.c - goes through expansions without recursion, because a hostile mapping can nest thousands of them. */
#include "expansion_walk.h"

#include <stdlib.h>

static void make_room(struct expansion_walk *walk)
{
	size_t files = walk->regions->file_count;

	if (walk->room < files) {
		free(walk->path);
		free(walk->next);
		walk->room = 2 * files;
		walk->path = allocate(walk->room, sizeof(*walk->path));
		walk->next = allocate(walk->room, sizeof(*walk->next));
	}
	if (walk->visited_room < files) {
		free(walk->visited);
		walk->visited_room = 2 * files;
		walk->visited = allocate(walk->visited_room, sizeof(*walk->visited));
	}
}

/* Goes through one expansion. The files that it visits stay marked. */
static void go_inside(struct expansion_walk *walk, uint32_t expansion)
{
	const struct function_regions *regions = walk->regions;
	size_t depth = 0;

	if (walk->visited[regions->list[expansion].expanded])
		return;
	walk->path[depth] = expansion;
	walk->next[depth++] = regions->files[regions->list[expansion].expanded].first;
	walk->visited[regions->list[expansion].expanded] = true;
	while (depth) {
		uint32_t file = regions->list[walk->path[depth - 1]].expanded;
		uint32_t end = regions->files[file].first + regions->files[file].count;
		uint32_t at = walk->next[depth - 1];
		const struct region *region;

		while (at < end && regions->list[at].kind != REGION_EXPANSION)
			at++;
		if (at == end) {
			walk->visit(walk, file, walk->path, depth--);
			continue;
		}
		walk->next[depth - 1] = at + 1;
		region = &regions->list[at];
		if (walk->visited[region->expanded])
			continue;
		walk->visited[region->expanded] = true;
		walk->path[depth] = at;
		walk->next[depth++] = regions->files[region->expanded].first;
	}
}

void expansion_inside(struct expansion_walk *walk, uint32_t expansion)
{
	make_room(walk);
	memset(walk->visited, 0, walk->regions->file_count * sizeof(*walk->visited));
	go_inside(walk, expansion);
}

void expansions_in_file(struct expansion_walk *walk, uint32_t file)
{
	const struct function_file *in = &walk->regions->files[file];
	uint32_t i;

	make_room(walk);
	memset(walk->visited, 0, walk->regions->file_count * sizeof(*walk->visited));
	for (i = in->first; i < in->first + in->count; i++)
		if (walk->regions->list[i].kind == REGION_EXPANSION)
			go_inside(walk, i);
}

void expansion_walk_free(struct expansion_walk *walk)
{
	free(walk->path);
	free(walk->next);
	free(walk->visited);
}
