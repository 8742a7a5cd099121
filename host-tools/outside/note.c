/* SPDX-License-Identifier: BSD-2-Clause */
/* note.c - reads and writes notes: sizes of the owner and of the content, a type, the owner, the content. */
#include "note.h"

#include <elf.h>

/* The bytes before the owner. Owner and content are padded to a multiple of 4 bytes. */
#define HEADER 12u

static uint64_t padded(uint64_t size)
{
	return (size + 3) & ~3ull;
}

void note_contents(struct bytes notes, bool big, const char *owner, struct buffer *out)
{
	uint64_t offset = 0;
	struct bytes header;

	while (bytes_slice(notes, offset, HEADER, &header)) {
		uint64_t owner_size = load_uint(header.data, 4, big);
		uint64_t size = load_uint(header.data + 4, 4, big);
		struct bytes name;
		struct bytes content;

		if (!bytes_slice(notes, offset + HEADER, owner_size, &name) ||
			!bytes_slice(notes, offset + HEADER + padded(owner_size), size, &content))
			return;
		if (owner_size == strlen(owner) + 1 && !memcmp(name.data, owner, owner_size))
			buffer_add(out, content.data, content.size);
		offset += HEADER + padded(owner_size) + padded(size);
	}
}

void note_build_id(struct bytes id, bool big, struct buffer *out)
{
	uint8_t header[HEADER];

	store_uint(header, sizeof(ELF_NOTE_GNU), 4, big);
	store_uint(header + 4, id.size, 4, big);
	store_uint(header + 8, NT_GNU_BUILD_ID, 4, big);
	buffer_add(out, header, HEADER);
	buffer_add(out, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU));
	buffer_add(out, id.data, id.size);
}
