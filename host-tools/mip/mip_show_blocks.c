/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_show_blocks.c - joins blocks of a function that have one address. If the code generator deletes a block after
 * the table was made, or moves all its instructions away, then the table has the address of another block for it.
 */
#include "mip_show.h"

#include <stdlib.h>

static int compare_offsets(const void *left, const void *right)
{
	const struct mip_block *a = left;
	const struct mip_block *b = right;
	int order = compare_uint(a->offset, b->offset);

	return order ? order : compare_uint(a->index, b->index);
}

static int compare_indices(const void *left, const void *right)
{
	const struct mip_block *a = left;
	const struct mip_block *b = right;

	return compare_uint(a->index, b->index);
}

uint32_t mip_shown_blocks(const struct mip_function *function, struct mip_block **blocks)
{
	struct mip_block *list = allocate((size_t)function->block_count + 1, sizeof(*list));
	uint32_t count = 0;
	uint32_t i;

	for (i = 0; i < function->block_count; i++)
		list[i] = function->blocks[i];
	qsort(list, function->block_count, sizeof(*list), compare_offsets);
	for (i = 0; i < function->block_count; i++) {
		if (!list[i].offset)
			continue;
		if (count && list[count - 1].offset == list[i].offset)
			list[count - 1].ran |= list[i].ran;
		else
			list[count++] = list[i];
	}
	qsort(list, count, sizeof(*list), compare_indices);
	*blocks = list;
	return count;
}
