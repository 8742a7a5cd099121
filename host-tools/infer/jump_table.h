/* SPDX-License-Identifier: BSD-2-Clause */
/* jump_table.h - the addresses to which a jump by a table may lead. */
#ifndef BAREPROF_HOST_JUMP_TABLE_H
#define BAREPROF_HOST_JUMP_TABLE_H

#include "code_map.h"
#include "code_value.h"

/*
 * jump_table_read - sets *@targets to the addresses that @value may be, in the order of the table. Returns their number,
 * or 0 if they are not known. The caller frees *@targets.
 */
size_t jump_table_read(
	const struct image *image, const struct code_map *map, const struct code_value *value, uint64_t **targets);

#endif
