/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path_map.c - changes the paths of files that were moved to another folder.
 */
#include "path_map.h"

#include <string.h>

static size_t without_slashes(const char *text, size_t n)
{
	while (n && text[n - 1] == '/')
		n--;
	return n;
}

bool path_map_parse(struct path_map *map, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text)
		return false;
	*map = (struct path_map){
		.from = {(const uint8_t *)text, without_slashes(text, (size_t)(equals - text))},
		.to = equals + 1,
		.to_size = without_slashes(equals + 1, strlen(equals + 1)),
	};
	map->relative = map->from.size == 1 && *text == '.';
	return true;
}

/*
 * Returns whether @name is in the map's folder A. If it is, sets @rest to the part of @name
 * after A, which is empty or begins with a slash.
 */
static bool rest_of(const struct path_map *map, struct bytes name, struct bytes *rest)
{
	bool absolute = name.size && *name.data == '/';

	*rest = name;
	if (map->relative)
		return !absolute;
	if (name.size < map->from.size || (map->from.size && memcmp(name.data, map->from.data, map->from.size)))
		return false;
	bytes_slice(name, map->from.size, name.size - map->from.size, rest);
	return !rest->size || *rest->data == '/';
}

void path_map_apply(struct path_map *maps, size_t count, struct bytes name, struct buffer *output)
{
	struct bytes rest = name;
	size_t i;

	for (i = 0; i < count && !rest_of(&maps[i], name, &rest); i++)
		rest = name;
	if (i < count) {
		struct path_map *map = &maps[i];
		bool to_root = !map->to_size && *map->to == '/';

		map->used = true;
		while (rest.size && *rest.data == '/')
			bytes_slice(rest, 1, rest.size - 1, &rest);
		buffer_add(output, map->to, map->to_size);
		if ((map->to_size || to_root) && rest.size)
			buffer_add(output, "/", 1);
	}
	buffer_add(output, rest.data, rest.size);
}

void path_append(struct buffer *name, struct bytes path)
{
	while (path.size) {
		const uint8_t *slash = memchr(path.data, '/', path.size);
		size_t n = slash ? (size_t)(slash - path.data) : path.size;
		bool up = n == 2 && !memcmp(path.data, "..", 2);
		bool absolute = name->size && *name->data == '/';
		size_t last = name->size;

		while (last && name->data[last - 1] != '/')
			last--;
		if (up && name->size > last && !(name->size - last == 2 && !memcmp(name->data + last, "..", 2))) {
			name->size = last > absolute ? last - 1 : last;
		} else if (n && !(n == 1 && *path.data == '.') && !(up && absolute)) {
			if (name->size > absolute)
				buffer_add(name, "/", 1);
			buffer_add(name, path.data, n);
		}
		n += slash != NULL;
		bytes_slice(path, n, path.size - n, &path);
	}
}
