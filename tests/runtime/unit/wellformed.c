/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wellformed.c - checks that bytes are a well-formed .profraw. It shares no code with the runtime: it has its own
 * table of offsets. It marks each byte of the counters, to check that each byte belongs to exactly one record.
 */
#include "host.h"
#include "images.h"

/*
 * The columns are: the version; the size of a record; three offsets in a record (the end of its last field, the number
 * of counters, the numbers of sites); the number of kinds of values; two more offsets in a record (the bitmap pointer,
 * the number of bitmap bytes); the number of words in the header.
 */
static const struct shape shapes[] = {
#ifdef __x86_64__
	{5, 48, 48, 40, 44, 2, 0, 0, 10},
	{7, 48, 48, 40, 44, 2, 0, 0, 11},
	{8, 48, 48, 40, 44, 2, 0, 0, 11},
	{9, 64, 60, 48, 52, 2, 24, 56, 14},
	{10, 64, 64, 48, 52, 3, 24, 60, 16},
	{11, 72, 72, 56, 60, 3, 32, 68, 19},
#else
	{5, 40, 36, 28, 32, 2, 0, 0, 10},
	{7, 40, 36, 28, 32, 2, 0, 0, 11},
	{8, 40, 36, 28, 32, 2, 0, 0, 11},
	{9, 48, 44, 32, 36, 2, 20, 40, 14},
	{10, 48, 48, 32, 36, 3, 20, 44, 16},
	{11, 56, 52, 36, 40, 3, 24, 48, 19},
#endif
};

const struct shape *shape_of(uint32_t version)
{
	unsigned int i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (shapes[i].version == version)
			return &shapes[i];
	return NULL;
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const uint8_t *p)
{
	return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static uintptr_t get_pointer(const uint8_t *p)
{
	return sizeof(uintptr_t) == 8 ? (uintptr_t)get64(p) : get32(p);
}

static uint8_t used[SCRATCH];

/*
 * Marks @n bytes from @offset on, in a section of @size bytes. Returns 0 if any of them is outside of the section or
 * already marked.
 */
static int mark(uintptr_t offset, uint64_t n, uint64_t size)
{
	if (size > SCRATCH || offset > size || n > size - offset)
		return 0;
	for (; n; n--, offset++)
		if (used[offset]++)
			return 0;
	return 1;
}

struct header {
	uint64_t ids, records, counters, counters_pad, bits, bits_pad, names, counters_delta, bits_delta, vtables,
		vnames;
};

static void get_header(struct header *h, const uint8_t *file, uint32_t version)
{
	const uint8_t *p = file + 16;
	uint64_t zero = 0;

	memset(h, 0, sizeof(*h));
	if (version >= 7)
		h->ids = get64(p), p += 8;
	h->records = get64(p), p += 8;
	zero |= get64(p), p += 8;
	h->counters = get64(p), p += 8;
	h->counters_pad = get64(p), p += 8;
	if (version >= 9) {
		h->bits = get64(p), p += 8;
		h->bits_pad = get64(p), p += 8;
	}
	if (version >= 11)
		zero |= get64(p) | get64(p + 8) | get64(p + 16), p += 24;
	h->names = get64(p), p += 8;
	h->counters_delta = get64(p), p += 8;
	if (version >= 9)
		h->bits_delta = get64(p), p += 8;
	p += 8; /* skips NamesDelta, which readers do not use */
	if (version >= 10) {
		h->vtables = get64(p), p += 8;
		h->vnames = get64(p);
	}
	if (zero)
		h->records = 0;
}

/* Checks the bitmaps: each byte must belong to exactly one record. */
static const char *bitmaps(const struct header *h, const struct shape *s, const uint8_t *record)
{
	uint64_t sum = 0;
	uint64_t i;

	memset(used, 0, sizeof(used));
	for (i = 0; i < h->records; i++, record += s->size) {
		uint32_t n = get32(record + s->bitmap);
		uintptr_t base = (uintptr_t)h->bits_delta - (uintptr_t)(i * s->size);

		sum += n;
		if (n && !mark(get_pointer(record + s->bitmap_ptr) - base, n, h->bits))
			return "a bitmap lies outside, or on another";
	}
	return sum == h->bits ? NULL : "bitmap bytes do not add up";
}

const char *malformed(const uint8_t *file, size_t n)
{
	uint32_t version = get32(file + 8);
	uint32_t width = get32(file + 12) & 0x10000000 ? 1 : 8;
	int times = get32(file + 12) >> 31;
	const struct shape *s = shape_of(version);
	const uint8_t *record;
	struct header h;
	uint64_t sum = 0;
	uint64_t size;
	uint64_t i;

	if (n < 16 || file[0] != 0x81 || file[1] != (sizeof(void *) == 8 ? 'r' : 'R') || file[7] != 0xff)
		return "magic";
	if (!s || n < 8 * s->header)
		return "version";
	get_header(&h, file, version);
	if (!h.records || h.records > n || !h.counters || h.counters > n || !h.names || h.names > n || h.bits > n)
		return "sizes";
	record = file + 8 * s->header + h.ids;
	size = h.counters * width;
	if (8 * s->header + h.ids + h.records * s->size + size + h.counters_pad + h.bits + h.bits_pad +
			((h.names + 7) & ~7ull) + h.vtables * (sizeof(void *) == 8 ? 24 : 16) +
			((h.vnames + 7) & ~7ull) !=
		n)
		return "the sections do not make up the file";
	if ((size + h.counters_pad) % 8 || (h.bits + h.bits_pad) % 8 || (version > 7 && h.ids % 8))
		return "a section does not end at a multiple of 8";

	memset(used, 0, sizeof(used));
	for (i = 0; i < h.records; i++) {
		const uint8_t *r = record + i * s->size;
		uint64_t counters = get32(r + s->counters);
		uintptr_t base = (uintptr_t)h.counters_delta - (version >= 8 ? (uintptr_t)(i * s->size) : 0);

		if (!counters || !mark(get_pointer(r + 16) - base, counters * width, size))
			return "counters are none, outside, or another's";
		if (width == 8 && (get_pointer(r + 16) - base) % 8)
			return "a counter is not aligned";
		if (!all(r + s->sites, 0, 2 * s->kinds))
			return "value sites without values";
		sum += counters;
	}
	if (sum != h.counters && !times)
		return "counters do not add up";
	return s->bitmap ? bitmaps(&h, s, record) : NULL;
}
