/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - finds out which raw version the records of an image have.
 *
 * Objects with plain source coverage do not declare the version, so this file tries each
 * known record layout on all records. With a wrong layout, this file reads a part of a
 * pointer as the number of counters. So a wrong layout fails at the first or second record.
 */
#include <bareprof/producer.h>

#include "values_serialize.h"
#include "image_walk.h"

/* Sets the fields that the header of a .profraw needs and that depend on the version of the records. */
static void init_profraw(struct bareprof_image *image, uint32_t version)
{
	struct bareprof_profraw_fields *fields = &image->profraw;
	struct bareprof_slice *s = image->section;
	uintptr_t base = (uintptr_t)s[BAREPROF_DATA].start; /* counters_delta and bitmap_delta are relative to base */
	unsigned int i;

	for (i = 0; i < BAREPROF_SECTIONS; i++)
		fields->padding[i] = BAREPROF_PAD8(s[i].size);
	fields->zero_padding = 0;
	if (!BAREPROF_RECORD_RELATIVE(version)) {
		base = 0;
		fields->padding[BAREPROF_BUILD_ID] = 0; /* LLVM 13 does not pad the build id */
		if (version < BAREPROF_RAW_V7)
			s[BAREPROF_BUILD_ID].size = 0; /* releases before LLVM 13 write no build id */
	}
	fields->id_size = s[BAREPROF_BUILD_ID].size;
	if (fields->id_size)
		fields->id_size += 8 + fields->padding[BAREPROF_BUILD_ID];
	fields->counters_delta = (uintptr_t)s[BAREPROF_CNTS].start - base;
	fields->bitmap_delta = (uintptr_t)s[BAREPROF_BITS].start - base;
	/*
	 * The vtables' records have 24 bytes on 64-bit targets. To divide by 3 without a
	 * division, the code multiplies by the inverse of 3 modulo 2^32, which is
	 * 0xaaaaaaab. (3 * 0xaaaaaaab is 1 modulo 2^32.) For example, 72 bytes are 9 words,
	 * and 9 * 0xaaaaaaab is 3 modulo 2^32.
	 */
	fields->vtables = sizeof(uintptr_t) == 8 ? (uint32_t)(s[BAREPROF_VTAB].size >> 3) * 0xaaaaaaabu
	                                         : s[BAREPROF_VTAB].size >> 4;
	fields->last_kind = BAREPROF_VALUE_KINDS_OF(version) - 1;
}

/* Sets the fields that do not depend on the records. */
static void init_fields(struct bareprof_image *image, uint64_t declared)
{
	image->version = declared;
	image->shift = declared & BAREPROF_VARIANT_BYTE_COVERAGE ? 0 : 3;
	image->machine = 0;
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
 * The layouts are tried from the oldest to the newest. @version is the version of the last
 * layout that fitted, or 0 if none has fitted yet. If MUST_BE_LAST(@version) is true and a
 * newer layout fits too, the image is ambiguous. A newer layout may fit too only if it
 * reads the same contents. This is so for 7 after 5, and for 10 after 9:
 *
 *	@version           0  5  7  8  9  10
 *	a newer may fit    y  y  n  n  y  n
 *	bit 1 of @version  0  0  1  0  0  1
 *
 * Bit 1 decides for all versions except 8. No layout has version 6, and none comes after 11.
 */
#define MUST_BE_LAST(version) ((version)&2 || (version) == BAREPROF_RAW_V8)

/*
 * Tries the layouts on all records, from the oldest version to the newest, and stops if
 * the layout of @preferred fits. Returns the raw version of the last layout that fits.
 * Returns 0 and sets *error if no layout fits, or if two of the tried layouts fit but
 * read different contents.
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

	/*
	 * Version 6 was never released. Its records have the layout of version 7, and the
	 * profile is written as version 7.
	 */
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
	/* Vtables are new in version 10. So if the records are older, another compiler made the vtables. */
	if (version < BAREPROF_RAW_V10 && (s[BAREPROF_VTAB].size || s[BAREPROF_VNAMES].size))
		return BAREPROF_E_MIXED;
	image->version = (image->version & ~BAREPROF_VERSION_NUMBER) | version; /* keeps the variant bits */
	init_profraw(image, version);
	return BAREPROF_OK;
}
