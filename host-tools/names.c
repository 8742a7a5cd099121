/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c - unpack the names section. It is chunks, one for each object that
 * was linked: length, compressed length (0: not compressed), names with 0x01
 * between them.
 */
#include "names.h"
#include "inflate.h"
#include "md5.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * How much larger than the section the names may be. Real ones are up to some
 * ten times larger; without a limit a few KiB could ask for all memory.
 */
#define EXPANSION_MAX  256u
#define EXPANSION_BASE (1u << 20)

static enum status read_chunks(struct names *names, struct bytes bytes, struct error *error)
{
	uint64_t limit = (uint64_t)bytes.size * EXPANSION_MAX + EXPANSION_BASE;
	struct cursor cursor = cursor_of(bytes);

	while (cursor.at < cursor.end) {
		uint64_t size = take_uleb(&cursor);
		uint64_t packed_size = take_uleb(&cursor);
		struct bytes packed = take_bytes(&cursor, packed_size ? packed_size : size);

		if (cursor.failed)
			return error_set(error, STATUS_BAD, "the names section is cut short or its lengths are wrong");
		if (size > limit - names->storage.size)
			return error_set(error, STATUS_BAD,
				"the names section claims to unpack to %" PRIu64 " bytes, which is not credible", size);
		if (!packed_size)
			buffer_add(&names->storage, packed.data, packed.size);
		else if (!inflate_all(packed, (size_t)size, &names->storage))
			return error_set(error, STATUS_BAD, "the names section does not decompress");
		/* Chunks follow each other as names do. */
		buffer_add(&names->storage, "\1", 1);
		while (cursor.at < cursor.end && !*cursor.at)
			cursor.at++;
	}
	return STATUS_OK;
}

static int compare_names(const void *left, const void *right)
{
	uint64_t a = ((const struct name *)left)->reference;
	uint64_t b = ((const struct name *)right)->reference;

	return a < b ? -1 : a > b;
}

static void split(struct names *names)
{
	const uint8_t *at = names->storage.data;
	const uint8_t *end = at + names->storage.size;

	while (at < end) {
		/* Every chunk has one at its end. */
		const uint8_t *stop = memchr(at, 1, (size_t)(end - at));
		struct bytes text = {at, (size_t)(stop - at)};

		if (text.size) {
			names->list = grow(names->list, names->count, &names->room, sizeof(*names->list));
			names->list[names->count++] = (struct name){md5_low(text), text};
		}
		at = stop + 1;
	}
	if (names->count)
		qsort(names->list, names->count, sizeof(*names->list), compare_names);
}

enum status names_read(struct names *names, struct bytes bytes, struct error *error)
{
	enum status status = read_chunks(names, bytes, error);

	if (status == STATUS_OK && names->storage.size)
		split(names);
	return status;
}

const struct name *names_find(const struct names *names, uint64_t reference)
{
	struct name key = {reference, {NULL, 0}};

	return names->count ? bsearch(&key, names->list, names->count, sizeof(key), compare_names) : NULL;
}

void names_free(struct names *names)
{
	free(names->list);
	buffer_free(&names->storage);
	*names = (struct names){0};
}
