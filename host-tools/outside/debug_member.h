/* SPDX-License-Identifier: BSD-2-Clause */
/* debug_member.h - finds the layout of structs in the debug information of an ELF file. */
#ifndef BAREPROF_HOST_DEBUG_MEMBER_H
#define BAREPROF_HOST_DEBUG_MEMBER_H

#include "image.h"

/* What to look for. The caller sets the first two members, and zeros the others. */
struct debug_member {
	const char *type; /* the name of a struct, without "struct" */
	const char *member; /* the name of a member; NULL: only the size of the struct is needed */
	uint64_t offset; /* of the member, in bytes */
	uint64_t size; /* of the struct, in bytes */
	bool found;
};

/*
 * debug_members - finds @count members in the debug information of @image, and sets their offsets and sizes. Searches the
 * structs of all units until all members are found, so one call should look for all of them. The first struct with a name
 * counts. Errors: INVALID_INPUT, with the first member that was not found.
 */
enum status debug_members(const struct image *image, struct debug_member *members, size_t count, struct error *error);

#endif
