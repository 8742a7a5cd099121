/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_link.c - compares build ids. */
#include "mip_link.h"

static bool is_unstamped(struct bytes id)
{
	return id.size && bytes_are_zero(id);
}

/* A build id that comes from outside may be too long for a message. */
static void add_id(struct buffer *text, struct bytes id)
{
	buffer_add_hex(text, (struct bytes){id.data, id.size < 64 ? id.size : 64});
}

enum status mip_same_link(struct bytes id, struct bytes expected, struct buffer *note, struct error *error)
{
	struct buffer first = {0};
	struct buffer second = {0};

	if (is_unstamped(id) || is_unstamped(expected))
		return error_set(error, STATUS_INVALID_INPUT,
			"has a build id of zeros, or the map has one: run 'bareprof stamp' on the ELF file after each "
			"link");
	if (!id.size || !expected.size) {
		if (!note->size)
			buffer_printf(note,
				"%s has no build id, so bareprof compared only sizes and addresses, which another "
				"build can share; link with --build-id",
				id.size ? "the map" : "the raw profile");
		return STATUS_OK;
	}
	if (id.size == expected.size && !memcmp(id.data, expected.data, id.size))
		return STATUS_OK;
	add_id(&first, id);
	add_id(&second, expected);
	error_set(error, STATUS_INVALID_INPUT,
		"comes from another link: its build id is %s, but the map has %s; create the profile from the ELF file "
		"that was run",
		buffer_string(&first), buffer_string(&second));
	buffer_free(&first);
	buffer_free(&second);
	return STATUS_INVALID_INPUT;
}
