/* SPDX-License-Identifier: BSD-2-Clause */
/* file_names.c - stores each name of a source file once, and finds it by a hash of its bytes. */
#include "file_names.h"

#include <stdlib.h>

static uint64_t hash_of(struct bytes name)
{
	uint64_t hash = name.size;
	size_t i;

	for (i = 0; i < name.size; i++)
		hash = (hash ^ name.data[i]) * 0x100000001b3u;
	return hash ^ hash >> 32;
}

/* Returns the slot of @name in the table, or the empty slot where it belongs. */
static uint32_t *find_slot(const struct file_names *files, struct bytes name)
{
	size_t at = (size_t)hash_of(name) & (files->table_size - 1);

	while (files->table[at] && !bytes_equal(files->list[files->table[at] - 1], name))
		at = (at + 1) & (files->table_size - 1);
	return &files->table[at];
}

/* Makes the table larger, if more than half of it is in use. */
static void grow_table(struct file_names *files)
{
	size_t i;

	if (2 * files->count < files->table_size)
		return;
	files->table_size = files->table_size ? 2 * files->table_size : 1024;
	free(files->table);
	files->table = allocate(files->table_size, sizeof(*files->table));
	for (i = 0; i < files->count; i++)
		*find_slot(files, files->list[i]) = (uint32_t)i + 1;
}

/* Sets @full to the name without the folders . and .. in it, if the compiler told its folder. */
static void full_name(struct buffer *full, struct bytes folder, struct bytes name)
{
	if (!folder.data || (name.size && *name.data == '/')) {
		buffer_add(full, name.data, name.size);
		return;
	}
	if (folder.size && *folder.data == '/')
		buffer_add(full, "/", 1);
	path_append(full, folder);
	path_append(full, name);
}

uint32_t file_names_add(struct file_names *files, struct bytes folder, struct bytes name)
{
	struct bytes result;
	uint32_t *slot;

	files->full.size = 0;
	files->mapped.size = 0;
	full_name(&files->full, folder, name);
	path_map_apply(
		files->maps, files->map_count, (struct bytes){files->full.data, files->full.size}, &files->mapped);
	result = (struct bytes){files->mapped.data, files->mapped.size};
	grow_table(files);
	slot = find_slot(files, result);
	if (!*slot) {
		uint8_t *copy = arena_take(&files->arena, result.size);

		if (result.size)
			memcpy(copy, result.data, result.size);
		files->list = array_grow(files->list, files->count, &files->room, sizeof(*files->list));
		files->list[files->count++] = (struct bytes){copy, result.size};
		files->bytes += result.size + sizeof(*files->list);
		*slot = (uint32_t)files->count;
	}
	return *slot - 1;
}

void file_names_free(struct file_names *files)
{
	free(files->list);
	free(files->table);
	buffer_free(&files->full);
	buffer_free(&files->mapped);
	arena_free(&files->arena);
	*files = (struct file_names){0};
}
