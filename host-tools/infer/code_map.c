/* SPDX-License-Identifier: BSD-2-Clause */
/* code_map.c - sorts the mapping symbols of an image by address. */
#include "code_map.h"

#include <elf.h>
#include <stdlib.h>

/* At the same address, data comes first, so an empty piece of data does not hide the instructions. */
static int compare_marks(const void *left, const void *right)
{
	const struct code_mark *one = left;
	const struct code_mark *other = right;

	if (one->address != other->address)
		return compare_uint(one->address, other->address);
	return (int)other->data - (int)one->data;
}

void code_map_open(struct code_map *map, const struct image *image)
{
	size_t room = 0;
	size_t i;

	*map = (struct code_map){0};
	if (image->machine != EM_ARM && image->machine != EM_AARCH64)
		return;
	for (i = 0; i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];
		const struct image_section *section;

		if (!image_is_mapping(symbol->name))
			continue;
		section = image_where(image, symbol->value, 1);
		if (!section || !section->executable)
			continue;
		map->marks = array_grow(map->marks, map->count, &room, sizeof(*map->marks));
		map->marks[map->count++] = (struct code_mark){symbol->value, symbol->name[1] == 'd'};
	}
	if (map->count)
		qsort(map->marks, map->count, sizeof(*map->marks), compare_marks);
}

void code_map_close(struct code_map *map)
{
	free(map->marks);
}

bool code_map_part(const struct code_map *map, uint64_t address, uint64_t limit, uint64_t *end)
{
	size_t next = upper_bound(&address, map->marks, map->count, sizeof(*map->marks), compare_numbers);
	bool data = next && map->marks[next - 1].data;

	while (next < map->count && map->marks[next].data == data)
		next++;
	*end = next < map->count && map->marks[next].address < limit ? map->marks[next].address : limit;
	return data;
}
