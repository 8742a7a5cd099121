/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profraw.c - opens an image for reading as a .profraw. The .profraw consists of a header,
 * the size of the build id, and the image's sections as they are in memory. Only the header
 * and the size of the build id are computed.
 */
#include "values_serialize.h"

/* For each header word: the position of its value in struct bareprof_image, counted in machine words. */
#define FIELD(member)                    (offsetof(struct bareprof_image, member) / sizeof(uintptr_t))
#define FIELD_MAGIC                      FIELD(profraw.zero_padding) /* 0; bareprof_open() sets the magic number */
#define FIELD_VERSION                    FIELD(profraw.zero_padding)
#define FIELD_BINARY_IDS_SIZE            FIELD(profraw.id_size)
#define FIELD_NUM_DATA                   FIELD(records)
#define FIELD_PAD_BEFORE_COUNTERS        FIELD(profraw.zero_padding)
#define FIELD_NUM_COUNTERS               FIELD(counters)
#define FIELD_PAD_AFTER_COUNTERS         FIELD(profraw.padding[BAREPROF_CNTS])
#define FIELD_NUM_BITMAP_BYTES           FIELD(section[BAREPROF_BITS].size)
#define FIELD_PAD_AFTER_BITMAP           FIELD(profraw.padding[BAREPROF_BITS])
#define FIELD_NUM_UNIFORM_COUNTERS       FIELD(profraw.zero_padding)
#define FIELD_PAD_AFTER_UNIFORM_COUNTERS FIELD(profraw.zero_padding)
#define FIELD_UNIFORM_COUNTERS_DELTA     FIELD(profraw.zero_padding)
#define FIELD_NAMES_SIZE                 FIELD(section[BAREPROF_NAMES].size)
#define FIELD_COUNTERS_DELTA             FIELD(profraw.counters_delta)
#define FIELD_BITMAP_DELTA               FIELD(profraw.bitmap_delta)
#define FIELD_NAMES_DELTA                FIELD(section[BAREPROF_NAMES].start)
#define FIELD_NUM_VTABLES                FIELD(profraw.vtables)
#define FIELD_VNAMES_SIZE                FIELD(section[BAREPROF_VNAMES].size)
#define FIELD_VALUE_KIND_LAST            FIELD(profraw.last_kind)

/* The table consists of bytes, which need no alignment. Without the attribute, compilers for x86_64 align it to 16. */
static const struct word {
	uint8_t since; /* the first version that has this word */
	uint8_t field;
} words[BAREPROF_HEADER_MAX] __attribute__((aligned(1))) = {
#define WORD(name, since) {(since), FIELD_##name},
	BAREPROF_HEADER_WORDS(WORD)
#undef WORD
};

typedef uintptr_t __attribute__((may_alias)) any_word;

int bareprof_open(struct bareprof_dump *dump, const struct bareprof_image *image)
{
	const struct bareprof_slice *id = &image->section[BAREPROF_BUILD_ID];
	uint32_t version = (uint32_t)image->version;
	uint64_t *h = dump->header;
	const struct word *w;

	if (!image->records || !image->section[BAREPROF_NAMES].size)
		return BAREPROF_E_NO_RECORDS;
	if (image->value_sites && !bareprof_lists_are_held(image))
		return BAREPROF_E_VALUE_SITES;

	dump->image = image;
	dump->epoch = bareprof_epoch(image);
	for (w = words; w < words + BAREPROF_HEADER_MAX; w++)
		if (w->since <= version)
			*h++ = ((const any_word *)image)[w->field];
	dump->header[BAREPROF_HEADER_MAGIC] = sizeof(uintptr_t) == 8 ? BAREPROF_RAW_MAGIC_64 : BAREPROF_RAW_MAGIC_32;
	dump->header[BAREPROF_HEADER_VERSION] = image->version;
	if (id->size)
		*h++ = id->size; /* the id's bytes are the first section */
	dump->header_size = (size_t)((uint8_t *)h - (uint8_t *)dump->header);
	dump->size = (size_t)bareprof_read(dump, 0, NULL, ~(size_t)0);
	return BAREPROF_OK;
}
