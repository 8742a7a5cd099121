/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.c - an image as the bytes of a .profraw. The memory is the file; only
 * the header is made, with the build id behind it.
 */
#include <bareprof/bareprof.h>

static const struct word {
	uint8_t since; /* the first version that has it */
	uint8_t what;
	uint8_t section;
} words[BAREPROF_HEADER_MAX] = {
#define WORD(name, since, what, section) {(since), BAREPROF_WORD_##what, BAREPROF_##section},
	BAREPROF_HEADER_WORDS(WORD)
#undef WORD
};

int bareprof_open(struct bareprof_dump *dump, const struct bareprof_image *image)
{
	const struct bareprof_span *id = &image->section[BAREPROF_BUILD_ID];
	uint32_t version = (uint32_t)image->version;
	const struct word *w;
	uint64_t *h = dump->header;
	unsigned int i;

	if (!image->section[BAREPROF_DATA].count || !image->section[BAREPROF_NAMES].size)
		return BAREPROF_E_NO_RECORDS;
	if (image->value_sites)
		return BAREPROF_E_VALUE_SITES;

	for (w = words; w < words + BAREPROF_HEADER_MAX; w++) {
		const struct bareprof_span *s = &image->section[w->section];
		uintptr_t value = 0;

		if (w->since > version)
			continue;
		if (w->what == BAREPROF_WORD_COUNT)
			value = s->count;
		if (w->what == BAREPROF_WORD_SIZE)
			value = s->size;
		if (w->what == BAREPROF_WORD_PAD)
			value = BAREPROF_PAD8(s->size);
		if (w->what >= BAREPROF_WORD_START)
			value = (uintptr_t)s->start;
		if (w->what == BAREPROF_WORD_DELTA && BAREPROF_RECORD_RELATIVE(version))
			value -= (uintptr_t)image->section[BAREPROF_DATA].start;
		*h++ = value;
	}
	dump->header[BAREPROF_HEADER_MAGIC] = sizeof(uintptr_t) == 8 ? BAREPROF_RAW_MAGIC_64 : BAREPROF_RAW_MAGIC_32;
	dump->header[BAREPROF_HEADER_VERSION] = image->version;
	h[-1] = BAREPROF_VALUE_KINDS(version) - 1;
	*h = id->size;
	bareprof_fill(h + 1, 0, BAREPROF_BUILD_ID_MAX);
	bareprof_copy(h + 1, id->start, id->size);

	dump->image = image;
	dump->generation = image->generation;
	dump->zero = 0;
	dump->header_size = (uint32_t)((uint8_t *)h - (uint8_t *)dump->header) + id->count;
	dump->size = dump->header_size;
	for (i = BAREPROF_DATA; i < BAREPROF_SECTIONS; i++)
		dump->size += image->section[i].size + BAREPROF_PAD8(image->section[i].size);
	return BAREPROF_OK;
}

intptr_t bareprof_read(const struct bareprof_dump *dump, size_t offset, void *buf, size_t n)
{
	uint8_t *to = buf;
	unsigned int i;

	if (dump->generation != dump->image->generation)
		return BAREPROF_E_STALE;

	/* Pieces: 0 the header, then by twos a section and the zeros after it. */
	for (i = 0; n && i < 2 * BAREPROF_SECTIONS - 1; i++) {
		const struct bareprof_span *s = &dump->image->section[(i + 1) / 2];
		const uint8_t *from = s->start;
		size_t size = s->size;

		if (!i) {
			from = (const uint8_t *)dump->header;
			size = dump->header_size;
		} else if (!(i & 1)) {
			from = (const uint8_t *)&dump->zero;
			size = BAREPROF_PAD8(size);
		}
		if (offset < size) {
			size_t part = size - offset < n ? size - offset : n;

			bareprof_copy(to, from + offset, part);
			to += part;
			n -= part;
			offset = size;
		}
		offset -= size;
		BAREPROF_YIELD();
	}
	return to - (uint8_t *)buf;
}
