/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_map.h - tells data in code apart from instructions. Files for Arm and AArch64 have symbols for this: $d is at the
 * start of data, and $a, $t and $x are at the start of instructions. They are called mapping symbols.
 */
#ifndef BAREPROF_HOST_CODE_MAP_H
#define BAREPROF_HOST_CODE_MAP_H

#include "image.h"

struct code_mark {
	uint64_t address; /* first, so that compare_numbers() finds it */
	bool data;
};

struct code_map {
	struct code_mark *marks; /* sorted by address */
	size_t count;
};

/* code_map_open - collects the mapping symbols of the executable sections of @image. code_map_close - frees @map. */
void code_map_open(struct code_map *map, const struct image *image);
void code_map_close(struct code_map *map);

/*
 * code_map_part - returns whether there is data at @address. Sets *@end to the end of this data, or of the
 * instructions, but to at most @limit.
 */
bool code_map_part(const struct code_map *map, uint64_t address, uint64_t limit, uint64_t *end);

#endif
