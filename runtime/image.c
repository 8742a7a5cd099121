/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - finds out which raw version the records of an image have.
 *
 * The objects of plain source coverage define no version symbol, so each known record
 * layout is tried on all records. A wrong layout takes pointers for counts and fails
 * within a record or two.
 */
#include <bareprof/producer.h>

#include "values_serialize.h"
#include "image_walk.h"

/* Sets the fields for the header of a .profraw, which depend on the version of the records. */
static void init_profraw(struct bareprof_image *image, uint32_t version)
{
	struct bareprof_profraw_fields *fields = &image->profraw;
	struct bareprof_slice *s = image->section;
	uintptr_t base = (uintptr_t)s[BAREPROF_DATA].start; /* deltas of relative pointers are distances from this */
	unsigned int i;

	for (i = 0; i < BAREPROF_SECTIONS; i++)
		fields->padding[i] = BAREPROF_PAD8(s[i].size);
	fields->zero_padding = 0;
	if (!BAREPROF_RECORD_RELATIVE(version)) {
		base = 0;
		fields->padding[BAREPROF_BUILD_ID] = 0; /* LLVM 13 does not pad the build id; */
		if (version < BAREPROF_RAW_V7)
			s[BAREPROF_BUILD_ID].size = 0; /* older releases write no build id */
	}
	fields->id_size = s[BAREPROF_BUILD_ID].size;
	if (fields->id_size)
		fields->id_size += 8 + fields->padding[BAREPROF_BUILD_ID];
	fields->counters_delta = (uintptr_t)s[BAREPROF_CNTS].start - base;
	fields->bitmap_delta = (uintptr_t)s[BAREPROF_BITS].start - base;
	/*
	 * The vtables' records have 24 bytes on 64-bit targets. To divide by 3 without a division,
	 * multiply by its inverse modulo 2^32: 3 * 0xaaaaaaab is 1 modulo 2^32, so 72 bytes
	 * are 9 words, and 9 * 0xaaaaaaab is 3.
	 */
	fields->vtables = sizeof(uintptr_t) == 8 ? (uint32_t)(s[BAREPROF_VTAB].size >> 3) * 0xaaaaaaabu
	                                         : s[BAREPROF_VTAB].size >> 4;
	fields->last_kind = BAREPROF_VALUE_KINDS_OF(version) - 1;
}

/* The fields that do not depend on the records. */
static void init_fields(struct bareprof_image *image, uint64_t declared)
{
	image->version = declared;
	image->shift = declared & BAREPROF_VARIANT_BYTE_COVERAGE ? 0 : 3;
	image->counters = image->section[BAREPROF_CNTS].size >> image->shift;
	image->records = 0;
	image->value_sites = 0;
	image->live = image;
	image->generation = 0;
#if BAREPROF_SERVES_VALUES
	image->values = NULL;
	image->releases = 0;
#endif
}

/*
 * Two layouts may fit the same records only if both read the same from them: 5 and 7
 * always do, and 9 and 10 do if both fit. So after 7, 8 or 10 has fitted no further layout
 * may fit, and after 5, 9 or none (0) one more may. In binary 7 is 0111, 8 is 1000 and 10
 * is 1010; 5 is 0101 and 9 is 1001: bit 1 tells all of them apart except 8.
 */
#define MUST_BE_LAST(version) ((version)&2 || (version) == BAREPROF_RAW_V8)

/*
 * Tries each layout on all records. Returns the raw version of the layout that fits:
 * @preferred or else the newer one, if two layouts fit that read the same. Returns 0 and
 * sets *error if no layout fits, or if two fit that read different contents.
 */
static uint32_t find_version(struct bareprof_image *image, uint32_t preferred, int *error)
{
	const struct bareprof_slice *data = &image->section[BAREPROF_DATA];
	const uint8_t *begin = data->start;
	const struct bareprof_record_layout *layout;
	uint32_t found = 0;

	*error = BAREPROF_E_RECORD;
	for (layout = bareprof_layouts; layout < bareprof_layouts + BAREPROF_LAYOUTS && found != preferred; layout++) {
		const uint8_t *stop = bareprof_walk(image, layout, begin);

		if (stop) {
			if (stop == begin + data->size)
				*error = BAREPROF_E_OVERLAP;
			continue;
		}
		if (MUST_BE_LAST(found)) {
			*error = BAREPROF_E_AMBIGUOUS;
			return 0;
		}
		found = layout->version;
	}
	return found;
}

int bareprof_image_init(struct bareprof_image *image, uint64_t declared)
{
	const struct bareprof_slice *s = image->section;
	uint32_t preferred = (uint32_t)declared;
	uint32_t version;
	int error;

	init_fields(image, declared);
	if (!image->counters)
		return BAREPROF_E_NO_COUNTERS;
	if ((uintptr_t)s[BAREPROF_DATA].start & 7)
		return BAREPROF_E_ALIGN;
	if (!s[BAREPROF_DATA].size)
		return BAREPROF_OK;

	/* Version 6 was never released. Its records are those of 7, and it is written as 7. */
	if (preferred == BAREPROF_RAW_V6)
		preferred = BAREPROF_RAW_V7;
	if (!preferred)
		preferred = BAREPROF_PRODUCER;
	version = find_version(image, preferred, &error);
	if (!version)
		return error;
	if ((uint32_t)declared && version != preferred)
		return BAREPROF_E_VERSION;
	/* Compares the top four bits at once; no variant uses bit 62. */
	if (declared >> 60 == BAREPROF_VARIANTS_TIMELESS >> 60)
		return BAREPROF_E_TIMESTAMPS;
	/* Vtables are new in version 10, so here another compiler than that of the records made them. */
	if (version < BAREPROF_RAW_V10 && (s[BAREPROF_VTAB].size || s[BAREPROF_VNAMES].size))
		return BAREPROF_E_MIXED;
	image->version = (image->version & ~BAREPROF_VERSION_NUMBER) | version; /* the variant bits stay */
	init_profraw(image, version);
	return BAREPROF_OK;
}
