/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c - unpacks the names section. It consists of chunks, one for each linked object: length,
 * compressed length (0: not compressed), and the names with 0x01 between them.
 */
#include "names.h"
#include "inflate.h"
#include "md5.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The unpacked names have at most EXPANSION_BASE bytes plus EXPANSION_MAX times the size of the
 * section. Real names are at most about ten times larger than the section. Without a limit a
 * hostile section of a few KiB could use all memory.
 */
#define EXPANSION_MAX  256u
#define EXPANSION_BASE (1u << 20)

struct chunk {
	struct bytes bytes; /* as they are in the section */
	uint64_t size; /* of the unpacked names */
	bool packed;
};

/* Takes the chunk at @cursor and the zeros after it. Returns false if the chunk is cut short. */
static bool take_chunk(struct cursor *cursor, struct chunk *chunk)
{
	uint64_t packed_size;

	chunk->size = take_uleb(cursor);
	packed_size = take_uleb(cursor);
	chunk->packed = packed_size != 0;
	chunk->bytes = take_bytes(cursor, packed_size ? packed_size : chunk->size);
	while (cursor->at < cursor->end && !*cursor->at)
		cursor->at++;
	return !cursor->failed;
}

/* Makes room for all names at once, because a buffer that grows chunk by chunk is copied again and again. */
static void make_room(struct names *names, struct bytes bytes, uint64_t limit)
{
	struct cursor cursor = cursor_of(bytes);
	struct chunk chunk;
	uint64_t size = 0;

	while (cursor.at < cursor.end && take_chunk(&cursor, &chunk) && chunk.size < limit - size)
		size += chunk.size + 1;
	buffer_exactly(&names->storage, (size_t)size);
}

static enum status read_chunks(struct names *names, struct bytes bytes, struct error *error)
{
	uint64_t limit = (uint64_t)bytes.size * EXPANSION_MAX + EXPANSION_BASE;
	struct cursor cursor = cursor_of(bytes);
	struct chunk chunk;

	make_room(names, bytes, limit);
	while (cursor.at < cursor.end) {
		if (!take_chunk(&cursor, &chunk))
			return error_set(error, STATUS_INVALID_INPUT,
				"the names section is cut short or its lengths are wrong" HINT_FETCH_AGAIN);
		if (chunk.size > limit - names->storage.size)
			return error_set(error, STATUS_INVALID_INPUT,
				"the names section claims to unpack to %" PRIu64 " bytes, which is not credible",
				chunk.size);
		if (!chunk.packed)
			buffer_add(&names->storage, chunk.bytes.data, chunk.bytes.size);
		else if (!inflate_all(chunk.bytes, (size_t)chunk.size, &names->storage))
			return error_set(
				error, STATUS_INVALID_INPUT, "the names section does not decompress" HINT_FETCH_AGAIN);
		/* The names of two chunks are separated like two names of one chunk. */
		buffer_add(&names->storage, "\1", 1);
	}
	return STATUS_OK;
}

/*
 * Returns the slot of @reference, or the free slot where it belongs. A reference needs no hash
 * function, because it is already one half of an MD5.
 */
static uint32_t *find_slot(const struct names *names, uint64_t reference)
{
	size_t at = (size_t)reference;
	uint32_t *slot;

	do
		slot = &names->table[at++ & (names->table_size - 1)];
	while (*slot && names->list[*slot - 1].reference != reference);
	return slot;
}

static void make_table(struct names *names)
{
	size_t i;

	names->table_size = 64;
	while (names->table_size < names->count * 2)
		names->table_size *= 2;
	names->table = allocate(names->table_size, sizeof(*names->table));
	/* Backwards, so that the first one of several equal names is found. */
	for (i = names->count; i-- > 0;)
		*find_slot(names, names->list[i].reference) = (uint32_t)(i + 1);
}

/* How many names are hashed at a time. */
#define BATCH 64u

static void add_batch(struct names *names, const struct bytes *texts, size_t count)
{
	uint64_t references[BATCH];
	size_t i;

	md5_low_each(texts, count, references);
	for (i = 0; i < count; i++) {
		names->list = array_grow(names->list, names->count, &names->room, sizeof(*names->list));
		names->list[names->count++] = (struct name){references[i], texts[i]};
	}
}

/* The guessed mean length of a name. It decides for how many names the list has room at first. */
#define SPACE 64u

static void split(struct names *names)
{
	const uint8_t *at = names->storage.data;
	const uint8_t *end = at + names->storage.size;
	struct bytes batch[BATCH];
	size_t count = 0;

	names->list = array_grow(names->list, names->storage.size / SPACE, &names->room, sizeof(*names->list));
	while (at < end) {
		/* read_chunks() ends every chunk with a separator, so memchr() finds one. */
		const uint8_t *stop = memchr(at, 1, (size_t)(end - at));

		if (stop > at)
			batch[count++] = (struct bytes){at, (size_t)(stop - at)};
		at = stop + 1;
		if (count == BATCH || at >= end) {
			add_batch(names, batch, count);
			count = 0;
		}
	}
}

enum status names_unpack(struct names *names, struct bytes bytes, struct error *error)
{
	enum status status = read_chunks(names, bytes, error);

	if (status == STATUS_OK && names->storage.size)
		split(names);
	return status;
}

enum status names_read(struct names *names, struct bytes bytes, struct error *error)
{
	enum status status = names_unpack(names, bytes, error);

	if (status == STATUS_OK && names->count)
		make_table(names);
	return status;
}

const struct name *names_find(const struct names *names, uint64_t reference)
{
	uint32_t found = names->table ? *find_slot(names, reference) : 0;

	return found ? &names->list[found - 1] : NULL;
}

/* How many names names_near() compares before it uses the table. */
#define NEAR 8u

const struct name *names_near(struct names *names, uint64_t reference, size_t *at)
{
	const struct name *found;
	size_t i;

	for (i = *at; i < names->count && i < *at + NEAR; i++)
		if (names->list[i].reference == reference) {
			*at = i + 1;
			return &names->list[i];
		}
	if (!names->table && names->count)
		make_table(names);
	found = names_find(names, reference);
	if (found)
		*at = (size_t)(found - names->list) + 1;
	return found;
}

void names_free(struct names *names)
{
	free(names->list);
	free(names->table);
	buffer_free(&names->storage);
	*names = (struct names){0};
}
