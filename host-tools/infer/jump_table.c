/* SPDX-License-Identifier: BSD-2-Clause */
/* jump_table.c - reads the entries of a table whose address and size are known. */
#include "jump_table.h"

#include <elf.h>
#include <stdlib.h>

/* Returns @number with the sign of its highest bit. */
static uint64_t extend(uint64_t number, unsigned int width)
{
	unsigned int unused = 64 - 8 * width;

	return (uint64_t)((int64_t)(number << unused) >> unused);
}

/* Finds the content of the table. A table among instructions must be in data: see code_map.h. */
static bool find_table(
	const struct image *image, const struct code_map *map, uint64_t address, uint64_t size, struct bytes *content)
{
	const struct image_section *section = image_where(image, address, size);
	uint64_t end;

	if (!section || !bytes_slice(image_content(image, section), address - section->address, size, content))
		return false;
	if (!section->executable || !map->count)
		return true;
	return code_map_part(map, address, address + size, &end) && end == address + size;
}

size_t jump_table_read(
	const struct image *image, const struct code_map *map, const struct code_value *value, uint64_t **targets)
{
	/* Addresses of Arm have 32 bits. */
	uint64_t mask = image->machine == EM_ARM ? UINT32_MAX : UINT64_MAX;
	size_t count = (size_t)value->limit + 1;
	uint64_t distance = (uint64_t)1 << value->stride;
	uint64_t table = value->table & mask;
	struct bytes content = {0};
	size_t i;

	if (value->kind == CODE_CONSTANT || value->limit > CODE_INDEX_MAX)
		return 0;
	if (value->kind == CODE_ENTRY &&
		(distance < value->width ||
			!find_table(image, map, table, value->limit * distance + value->width, &content)))
		return 0;
	*targets = allocate(count, sizeof(**targets));
	for (i = 0; i < count; i++) {
		uint64_t number = i;

		if (value->kind == CODE_ENTRY) {
			number = load_uint(content.data + i * distance, value->width, image->big);
			if (value->is_signed)
				number = extend(number, value->width);
		}
		(*targets)[i] = (value->add + (number << value->left)) & mask;
	}
	return count;
}
