/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c - unpacks the names section. This section consists of chunks, one for each linked object.
 * A chunk consists of the length of its names, their compressed length, and the names. Two names
 * have a byte 0x01 between them. If the compressed length is 0, the names are not compressed.
 */
#include "names.h"
#include "inflate.h"
#include "md5.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The limit for unpacked names: EXPANSION_BASE bytes plus EXPANSION_MAX times the size of the
 * section. Real names are at most about ten times as large as the section. Without this limit, a
 * hostile section of a few KiB could use up all memory.
 */
#define EXPANSION_MAX  256u
#define EXPANSION_BASE (1u << 20)

struct chunk {
	struct bytes bytes; /* the names as they are in the section */
	uint64_t size; /* size of the unpacked names in bytes */
	bool packed;
};

/* Moves @cursor past a chunk and the zeros after it. Returns false if the chunk is cut short. */
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

/*
 * Reserves memory for all names. Without this, the buffer would grow with each chunk, and all names of earlier chunks
 * would be copied each time.
 */
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
				"has a names section that is cut short, or whose lengths are wrong" HINT_FETCH_AGAIN);
		if (chunk.size > limit - names->storage.size)
			return error_set(error, STATUS_INVALID_INPUT,
				"has a names section that claims to unpack to %" PRIu64
				" bytes, more than its size allows" HINT_FETCH_AGAIN,
				chunk.size);
		if (!chunk.packed)
			buffer_add(&names->storage, chunk.bytes.data, chunk.bytes.size);
		else if (!inflate_all(chunk.bytes, (size_t)chunk.size, &names->storage))
			return error_set(error, STATUS_INVALID_INPUT,
				"has a names section that cannot be decompressed" HINT_FETCH_AGAIN);
		/*
		 * A separator is added, so that names of different chunks are separated in the same
		 * way as names of one chunk.
		 */
		buffer_add(&names->storage, "\1", 1);
	}
	return STATUS_OK;
}

/*
 * Returns the slot of the name hash @reference. If @reference is not in the table, returns the free slot in which it
 * can be stored. The table needs no hash function, because a name hash is already one half of an MD5.
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
	/* The last name is stored first, so that names_find() finds the first of several equal names. */
	for (i = names->count; i-- > 0;)
		*find_slot(names, names->list[i].reference) = (uint32_t)(i + 1);
}

/* The number of names that are hashed at the same time. */
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

/* An estimate of the mean length of a name, for the first allocation of the list of names. */
#define SPACE 64u

static void split(struct names *names)
{
	const uint8_t *at = names->storage.data;
	const uint8_t *end = at + names->storage.size;
	struct bytes batch[BATCH];
	size_t count = 0;

	names->list = array_grow(names->list, names->storage.size / SPACE, &names->room, sizeof(*names->list));
	while (at < end) {
		/* memchr() always finds a separator, because read_chunks() added one after every chunk. */
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

/* The number of names that names_near() compares before it searches the table. */
#define NEAR 8u

/* Returns the name if it is one of the next few from index @at on, otherwise NULL. */
static const struct name *look_near(const struct names *names, uint64_t reference, size_t at)
{
	size_t i;

	for (i = at; i < names->count && i < at + NEAR; i++)
		if (names->list[i].reference == reference)
			return &names->list[i];
	return NULL;
}

const struct name *names_find_near(const struct names *names, uint64_t reference, size_t *at)
{
	const struct name *found = look_near(names, reference, *at);

	if (!found)
		found = names_find(names, reference);
	if (found)
		*at = (size_t)(found - names->list) + 1;
	return found;
}

const struct name *names_near(struct names *names, uint64_t reference, size_t *at)
{
	if (!names->table && names->count && !look_near(names, reference, *at))
		make_table(names);
	return names_find_near(names, reference, at);
}

void names_free(struct names *names)
{
	free(names->list);
	free(names->table);
	buffer_free(&names->storage);
	*names = (struct names){0};
}
