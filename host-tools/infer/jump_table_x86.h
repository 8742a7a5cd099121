/* SPDX-License-Identifier: BSD-2-Clause */
/* jump_table_x86.h - the tables through which compilers jump to the cases of a switch. */
#ifndef BAREPROF_HOST_JUMP_TABLE_X86_H
#define BAREPROF_HOST_JUMP_TABLE_X86_H

#include "image.h"

/*
 * jump_table_x86_read - appends the addresses in the table at @address to @targets, which has *@count elements. A table
 * ends at the first entry that does not lead into the function from @start to @end. Entries are addresses, or distances
 * of 4 bytes from the start of the table. Appends nothing if there is no such table.
 */
void jump_table_x86_read(
	const struct image *image, uint64_t address, uint64_t start, uint64_t end, uint64_t **targets, size_t *count);

#endif
