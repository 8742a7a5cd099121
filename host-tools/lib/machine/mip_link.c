/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_link.c - compares build ids. */
#include "mip_link.h"

static bool is_zero(struct bytes id)
{
	size_t i;

	for (i = 0; i < id.size; i++)
		if (id.data[i])
			return false;
	return id.size > 0;
}

static void add_id(struct buffer *text, struct bytes id)
{
	size_t i;

	for (i = 0; i < id.size && i < 64; i++)
		buffer_printf(text, "%02x", id.data[i]);
}

enum status mip_same_link(struct bytes id, struct bytes expected, struct buffer *note, struct error *error)
{
	struct buffer first = {0};
	struct buffer second = {0};

	if (is_zero(id) || is_zero(expected))
		return error_set(error, STATUS_INVALID_INPUT,
			"has a build id of zeros, or the map has one: run 'bareprof stamp' on the ELF file after each "
			"link");
	if (!id.size || !expected.size) {
		if (!note->size)
			buffer_printf(note,
				"%s has no build id, so bareprof compared only sizes and addresses, which another "
				"build can "
				"share; link with --build-id",
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
