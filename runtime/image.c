/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - learn which compiler's layout the records of an image have.
 *
 * The compiler does not say which raw version it writes (plain source coverage
 * defines no version symbol), so each known layout is tried on all records. A
 * wrong layout reads pointers as counts and fails within a record or two.
 */
#include <bareprof/producer.h>

#include "values_serialize.h"
#include "image_walk.h"

/* What follows from the version for the header of a .profraw. */
static void settle(struct bareprof_image *image, uint32_t version)
{
	struct bareprof_profraw_fields *fields = &image->profraw;
	struct bareprof_slice *s = image->section;
	uintptr_t base = (uintptr_t)s[BAREPROF_DATA].start; /* of relative pointers */
	unsigned int i;

	for (i = 0; i < BAREPROF_SECTIONS; i++)
		fields->padding[i] = BAREPROF_PAD8(s[i].size);
	fields->zero_padding = 0;
	if (!BAREPROF_RECORD_RELATIVE(version)) {
		base = 0;
		fields->padding[BAREPROF_BUILD_ID] = 0; /* LLVM 13 does not pad it, */
		if (version < BAREPROF_RAW_V7)
			s[BAREPROF_BUILD_ID].size = 0; /* and before there was none */
	}
	fields->id_size = s[BAREPROF_BUILD_ID].size;
	if (fields->id_size)
		fields->id_size += 8 + fields->padding[BAREPROF_BUILD_ID];
	fields->counters_delta = (uintptr_t)s[BAREPROF_CNTS].start - base;
	fields->bitmap_delta = (uintptr_t)s[BAREPROF_BITS].start - base;
	/* On 64-bit a multiple of 24: divide by 3 with its inverse. */
	fields->vtables = sizeof(uintptr_t) == 8 ? (uint32_t)(s[BAREPROF_VTAB].size >> 3) * 0xaaaaaaabu
	                                         : s[BAREPROF_VTAB].size >> 4;
	fields->last_kind = BAREPROF_VALUE_KINDS_OF(version) - 1;
}

int bareprof_image_init(struct bareprof_image *image, uint64_t declared)
{
	const struct bareprof_slice *s = image->section;
	const uint8_t *begin = s[BAREPROF_DATA].start;
	uint32_t wanted = (uint32_t)declared;
	uint32_t chosen = 0;
	int error = BAREPROF_E_RECORD;
	const struct bareprof_record_layout *layout;

	image->version = declared;
	image->shift = declared & BAREPROF_VARIANT_BYTE_COVERAGE ? 0 : 3;
	image->counters = s[BAREPROF_CNTS].size >> image->shift;
	image->records = 0;
	image->value_sites = 0;
	image->live = image;
	image->generation = 0;
#if BAREPROF_SERVES_VALUES
	image->values = NULL;
	image->releases = 0;
#endif
	if (!image->counters)
		return BAREPROF_E_NO_COUNTERS;
	if ((uintptr_t)begin & 7)
		return BAREPROF_E_ALIGN;
	if (!s[BAREPROF_DATA].size)
		return BAREPROF_OK;

	/* Version 6 was never released: what says so is written as 7. */
	if (wanted == BAREPROF_RAW_V6)
		wanted = BAREPROF_RAW_V7;
	if (!wanted)
		wanted = BAREPROF_PRODUCER;
	for (layout = bareprof_layouts; layout < bareprof_layouts + BAREPROF_LAYOUTS && chosen != wanted; layout++) {
		const uint8_t *stop = bareprof_walk(image, layout, begin);

		if (stop) {
			if (stop == begin + s[BAREPROF_DATA].size)
				error = BAREPROF_E_OVERLAP;
			continue;
		}
		/* 7 reads the same as 5, and 10 as 9 if both fit: of the others there is one at most. */
		if (chosen & 2 || chosen == BAREPROF_RAW_V8)
			return BAREPROF_E_AMBIGUOUS;
		chosen = layout->version;
	}
	if (!chosen)
		return error;
	if ((uint32_t)declared && chosen != wanted)
		return BAREPROF_E_VERSION;
	/* These are the four highest bits, but for one that no version has. */
	if (declared >> 60 == BAREPROF_VARIANTS_TIMELESS >> 60)
		return BAREPROF_E_TIMESTAMPS;
	/* Vtables, but not where the records come from. */
	if (chosen < BAREPROF_RAW_V10 && (s[BAREPROF_VTAB].size || s[BAREPROF_VNAMES].size))
		return BAREPROF_E_MIXED;
	image->version = (image->version & ~BAREPROF_VERSION_NUMBER) | chosen; /* the variant bits stay */
	settle(image, chosen);
	return BAREPROF_OK;
}
