/* SPDX-License-Identifier: BSD-2-Clause */
/* place_find.h - finds where a program is in the memory of a target. */
#ifndef BAREPROF_HOST_PLACE_FIND_H
#define BAREPROF_HOST_PLACE_FIND_H

#include "placed.h"

/* What the user knows about the place of a program. */
struct place_hints {
	uint64_t slide; /* run-time address minus address in the ELF file */
	bool slide_given; /* the program is there and nowhere else */
	const char *tables; /* registers that select the page tables, see page_registers(); NULL: not known */
};

/*
 * place_find - finds @program in @memory. First it looks at the addresses in the ELF file, moved by hints->slide; then,
 * if the memory has physical addresses, at the same physical addresses, and at the physical addresses in the ELF file. The
 * build id in memory shows that the place is right. If it is nowhere there and no slide was given, place_find() searches
 * the memory for the note with the build id. The search takes the time of reading the memory once. If a program has no
 * build id, place_find() takes the first of the places whose memory can be read, and sets placed->proven to false.
 * If page tables are given or found, they translate all virtual addresses of @memory from then on.
 * Errors: INVALID_INPUT (the program is not there, or several copies of it are equally likely), USAGE (the hints), SYSTEM.
 */
enum status place_find(struct placed *placed, struct memory *memory, struct program *program,
	const struct place_hints *hints, struct error *error);

#endif
