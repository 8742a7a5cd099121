/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - learn which compiler's layout the records of an image have, and
 * check every one of them against it.
 *
 * The compiler does not say which raw version it writes (plain source coverage
 * defines no version symbol), so each known layout is tried on all records. A
 * wrong layout reads pointers as counts and fails within a record or two.
 */
#include <bareprof/bareprof.h>
#include <bareprof/producer.h>

/* What the check needs of a layout: offsets within a record. */
struct row {
	uint8_t version;
	uint8_t end; /* of the last field; records follow each other in steps of 8 */
	uint8_t num_counters; /* u32; the value sites' u16s follow it */
	uint8_t bitmap_ptr; /* 0: version has no bitmaps */
	uint8_t bitmap_bytes;
};

#define WIDTH ((unsigned int)sizeof(uintptr_t))
#define ROW(v)                                                                                                         \
	{                                                                                                              \
		(uint8_t)(v), (uint8_t)BAREPROF_RECORD_END(v, WIDTH), (uint8_t)BAREPROF_RECORD_NUM_COUNTERS(v, WIDTH), \
			(uint8_t)BAREPROF_RECORD_BITMAP_PTR(v, WIDTH),                                                 \
			(uint8_t)BAREPROF_RECORD_BITMAP_BYTES(v, WIDTH),                                               \
	}

/* Newest first. The row of 7 stands for 5 and 6, whose records read the same. */
static const struct row rows[] = {ROW(11u), ROW(10u), ROW(9u), ROW(8u), ROW(7u)};
#define ROWS_END (rows + sizeof(rows) / sizeof(rows[0]))

/* Aligned loads from memory that has other types (records are 8-aligned). */
typedef uint32_t __attribute__((may_alias)) any_u32;
typedef uint16_t __attribute__((may_alias)) any_u16;
typedef uintptr_t __attribute__((may_alias)) any_ptr;

/* A walk over the records: where it is, and what they add up to. */
struct walk {
	const uint8_t *at;
	uint32_t left; /* bytes of records from there on */
	uint32_t records;
	uint32_t counters;
	uint32_t bitmap;
	uint32_t sites;
};

/* Walk from w->at on, as far as the records fit the layout. */
static void walk(struct walk *w, const struct bareprof_image *image, const struct row *row)
{
	const struct bareprof_span *cnts = &image->section[BAREPROF_CNTS];
	const struct bareprof_span *bits = &image->section[BAREPROF_BITS];
	uint32_t size = (row->end + 7u) & ~7u;
	uintptr_t before = 0; /* the record before: its counters, */
	uintptr_t before_size = 0; /* and their bytes */

	w->records = w->counters = w->bitmap = w->sites = 0;
	while (w->left >= row->end) {
		const uint8_t *at = w->at;
		uintptr_t base = BAREPROF_RECORD_RELATIVE(row->version) ? (uintptr_t)at : 0;
		uintptr_t off = base + *(const any_ptr *)(at + BAREPROF_RECORD_COUNTER_PTR) - (uintptr_t)cnts->start;
		uint32_t n = *(const any_u32 *)(at + row->num_counters);

		if (!n || off > cnts->size || n > (cnts->size - off) >> image->shift ||
			off & ((1u << image->shift) - 1u))
			return;
		if (off - before < before_size)
			return;
		before = off;
		before_size = (uintptr_t)n << image->shift;
		w->counters += n;
		w->sites |= *(const any_u32 *)(at + row->num_counters + 4);
		if (row->bitmap_ptr) {
			n = *(const any_u32 *)(at + row->bitmap_bytes);
			off = base + *(const any_ptr *)(at + row->bitmap_ptr) - (uintptr_t)bits->start;
			if (n && (off > bits->size || n > bits->size - off))
				return;
			w->bitmap += n;
			if (row->version >= BAREPROF_RAW_V10)
				w->sites |= *(const any_u16 *)(at + row->num_counters + 8);
		}
		w->records++;
		if (w->left <= size) {
			w->left = 0; /* the last record may lack its padding */
			return;
		}
		w->left -= size;
		w->at += size;
		BAREPROF_YIELD();
	}
}

int bareprof_image_init(struct bareprof_image *image, uint64_t declared)
{
	struct bareprof_span *s = image->section;
	const uint8_t *stop = s[BAREPROF_DATA].start; /* as far as any layout went, */
	uint32_t left = s[BAREPROF_DATA].size; /* and what it left */
	uint32_t named = (uint32_t)declared;
	uint32_t chosen = 0;
	uint32_t doubt = 0;
	int error = BAREPROF_E_RECORD;
	const struct row *row;
	struct walk w;

	image->version = declared;
	image->value_sites = 0;
	image->generation = 0;
	image->shift = declared & BAREPROF_VARIANT_BYTE_COVERAGE ? 0 : 3;
	s[BAREPROF_DATA].count = 0;
	s[BAREPROF_CNTS].count = s[BAREPROF_CNTS].size >> image->shift;
	if (!s[BAREPROF_CNTS].count)
		return BAREPROF_E_NO_COUNTERS;
	if ((uintptr_t)stop & 7)
		return BAREPROF_E_ALIGN;
	if (!left)
		return BAREPROF_OK;

	for (row = rows; row < ROWS_END; row++) {
		w.at = s[BAREPROF_DATA].start;
		w.left = s[BAREPROF_DATA].size;
		walk(&w, image, row);
		if (w.left) {
			if (w.left < left) {
				left = w.left;
				stop = w.at;
			}
			continue;
		}
		/* Byte counters with timestamps are 8-aligned: gaps of up to 7 a record. */
		if (s[BAREPROF_CNTS].count - w.counters > (image->shift ? 0 : 7 * w.records) ||
			w.bitmap != s[BAREPROF_BITS].size) {
			error = BAREPROF_E_SUM;
			continue;
		}
		s[BAREPROF_DATA].count = w.records;
		image->value_sites = w.sites;
		/* 9 reads as 10 here, or only one of the two would fit. */
		if (chosen && row->version != BAREPROF_RAW_V9)
			doubt = 1;
		if (!chosen || row->version == BAREPROF_PRODUCER)
			chosen = row->version;
	}
	if (doubt)
		return BAREPROF_E_DOUBT;
	if (!chosen) {
		/* Where the furthest stopped, does another layout go on? */
		for (row = rows; stop != s[BAREPROF_DATA].start && row < ROWS_END; row++) {
			w.at = stop;
			w.left = left;
			walk(&w, image, row);
			if (w.records)
				return BAREPROF_E_MIXED;
		}
		return error;
	}
	if (chosen < BAREPROF_RAW_V10 && (s[BAREPROF_VTAB].size | s[BAREPROF_VNAMES].size))
		return BAREPROF_E_MIXED;
	if (named && named != chosen)
		return BAREPROF_E_VERSION;
	image->version = (declared & ~BAREPROF_VERSION_NUMBER) | chosen;
	s[BAREPROF_VTAB].count = WIDTH == 8 ? (s[BAREPROF_VTAB].size >> 3) * 0xaaaaaaabu : s[BAREPROF_VTAB].size >> 4;
	s[BAREPROF_BUILD_ID].count = chosen >= BAREPROF_RAW_V8 ? 8 + ((s[BAREPROF_BUILD_ID].size + 7) & ~7u) : 0;
	return BAREPROF_OK;
}
