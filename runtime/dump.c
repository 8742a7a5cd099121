/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.c - an image as the bytes of a .profraw. The memory is the file; only
 * the header is made, with the build id behind it.
 */
#include "window.h"

/* The value of each header word, as a word of the image. */
#define FIELD(member)                    (offsetof(struct bareprof_image, member) / sizeof(uintptr_t))
#define FIELD_MAGIC                      FIELD(facts.zero) /* the first two are longer than such a word */
#define FIELD_VERSION                    FIELD(facts.zero)
#define FIELD_BINARY_IDS_SIZE            FIELD(facts.id_size)
#define FIELD_NUM_DATA                   FIELD(records)
#define FIELD_PAD_BEFORE_COUNTERS        FIELD(facts.zero)
#define FIELD_NUM_COUNTERS               FIELD(counters)
#define FIELD_PAD_AFTER_COUNTERS         FIELD(facts.pad[BAREPROF_CNTS])
#define FIELD_NUM_BITMAP_BYTES           FIELD(section[BAREPROF_BITS].size)
#define FIELD_PAD_AFTER_BITMAP           FIELD(facts.pad[BAREPROF_BITS])
#define FIELD_NUM_UNIFORM_COUNTERS       FIELD(facts.zero)
#define FIELD_PAD_AFTER_UNIFORM_COUNTERS FIELD(facts.zero)
#define FIELD_UNIFORM_COUNTERS_DELTA     FIELD(facts.zero)
#define FIELD_NAMES_SIZE                 FIELD(section[BAREPROF_NAMES].size)
#define FIELD_COUNTERS_DELTA             FIELD(facts.counters_delta)
#define FIELD_BITMAP_DELTA               FIELD(facts.bitmap_delta)
#define FIELD_NAMES_DELTA                FIELD(section[BAREPROF_NAMES].start)
#define FIELD_NUM_VTABLES                FIELD(facts.vtables)
#define FIELD_VNAMES_SIZE                FIELD(section[BAREPROF_VNAMES].size)
#define FIELD_VALUE_KIND_LAST            FIELD(facts.last_kind)

/* Aligned as its bytes need: left alone, x86_64 takes 16. */
static const struct word {
	uint8_t since; /* the first version that has it */
	uint8_t field;
} words[BAREPROF_HEADER_MAX] __attribute__((aligned(1))) = {
#define WORD(name, since) {(since), FIELD_##name},
	BAREPROF_HEADER_WORDS(WORD)
#undef WORD
};

typedef uintptr_t __attribute__((may_alias)) any_word;

int bareprof_open(struct bareprof_dump *dump, const struct bareprof_image *image)
{
	const struct bareprof_span *id = &image->section[BAREPROF_BUILD_ID];
	uint32_t version = (uint32_t)image->version;
	uint64_t *h = dump->header;
	const struct word *w;

	if (!image->records || !image->section[BAREPROF_NAMES].size)
		return BAREPROF_E_NO_RECORDS;
	if (image->value_sites && !image->values)
		return BAREPROF_E_VALUE_SITES;

	dump->image = image;
	dump->generation = image->generation;
	for (w = words; w < words + BAREPROF_HEADER_MAX; w++)
		if (w->since <= version)
			*h++ = ((const any_word *)image)[w->field];
	dump->header[BAREPROF_HEADER_MAGIC] = sizeof(uintptr_t) == 8 ? BAREPROF_RAW_MAGIC_64 : BAREPROF_RAW_MAGIC_32;
	dump->header[BAREPROF_HEADER_VERSION] = image->version;
	if (id->size)
		*h++ = id->size; /* the id itself is the first section */
	dump->header_size = (size_t)((uint8_t *)h - (uint8_t *)dump->header);
	dump->size = (size_t)bareprof_read(dump, 0, NULL, ~(size_t)0);
	return BAREPROF_OK;
}

void bareprof_pass(struct bareprof_window *window, const void *from, size_t size)
{
	if (window->offset >= size) {
		window->offset -= size;
		return;
	}
	size -= window->offset;
	if (size > window->room)
		size = window->room;
	if (window->to)
		bareprof_copy(window->to + window->passed, (const uint8_t *)from + window->offset, size);
	window->passed += size;
	window->room -= size;
	window->offset = 0;
}

intptr_t bareprof_read(const struct bareprof_dump *dump, size_t offset, void *buf, size_t n)
{
	const struct bareprof_image *image = dump->image;
	struct bareprof_window window;
	unsigned int i;

	if (dump->generation != image->generation)
		return BAREPROF_E_STALE;
	window.to = buf;
	window.offset = offset;
	window.room = n;
	window.passed = 0;

	/* The header, then each section and the zeros after it. */
	bareprof_pass(&window, dump->header, dump->header_size);
	for (i = 0; i < BAREPROF_SECTIONS; i++) {
		bareprof_pass(&window, image->section[i].start, image->section[i].size);
		bareprof_pass(&window, &image->facts.zero, image->facts.pad[i]);
		BAREPROF_YIELD();
	}
	if (image->values)
		image->values(&window, image);
	return (intptr_t)window.passed;
}
