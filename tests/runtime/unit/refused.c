/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * refused.c - tests images that are damaged, mixed or contradictory. The runtime must refuse each image with the
 * right error.
 */
#include "host.h"
#include "images.h"

static struct bareprof_image image;
static struct bareprof_dump dump;

/* Returns the field at @offset of record @i. */
static uint8_t *field(const struct vector *v, unsigned int i, size_t offset)
{
	return v->start_stop[BAREPROF_DATA][0] + i * shape_of(v->written)->size + offset;
}

/* Adds @value to the pointer or u32 at @at for one call of bareprof_image_init(), and returns its result. */
static int with_pointer(const struct vector *v, uint8_t *at, uintptr_t value)
{
	int error;

	*(uintptr_t *)at += value;
	error = set_up(&image, v);
	*(uintptr_t *)at -= value;
	return error;
}

static int with_u32(const struct vector *v, uint8_t *at, uint32_t value)
{
	uint32_t old = *(uint32_t *)at;
	int error;

	*(uint32_t *)at = value;
	error = set_up(&image, v);
	*(uint32_t *)at = old;
	return error;
}

/* Moves the bounds of @section for one call of bareprof_image_init(), and returns its result. */
static int with_section(const struct vector *v, unsigned int section, intptr_t start, intptr_t stop)
{
	struct vector changed = *v;

	changed.start_stop[section][0] += start;
	changed.start_stop[section][1] += stop;
	return set_up(&image, &changed);
}

static int with_declared(const struct vector *v, uint32_t version)
{
	return set_up_as(&image, v, version | (uint64_t)v->declared_bits << 32);
}

/*
 * Damages the pointers to counters and the numbers of counters in an image. COUNTERS in images.inc shows the counters
 * of its records.
 */
static void test_counters(const struct vector *v)
{
	const struct shape *s = shape_of(v->written);
	uintptr_t unit = v->declared_bits & 0x10000000 ? 1 : 8;
	uint8_t *p0 = field(v, 0, 16);
	uint8_t *p1 = field(v, 1, 16);
	uint8_t *n0 = field(v, 0, s->counters);
	uint8_t *n1 = field(v, 1, s->counters);
	int times = v->declared_bits >> 31;

	check(with_pointer(v, p0, -unit) == BAREPROF_E_RECORD, "counters before their section", v->name);
	check(with_pointer(v, p1, unit) == BAREPROF_E_RECORD, "counters beyond their section", v->name);
	check(with_pointer(v, p1, 0x10000) == BAREPROF_E_RECORD, "counters after their section", v->name);
	check(with_pointer(v, p0, (uintptr_t)1 << (8 * sizeof(uintptr_t) - 1)) == BAREPROF_E_RECORD,
		"counters at the other end of memory", v->name);
	check(with_u32(v, n0, 0) == BAREPROF_E_RECORD, "no counter", v->name);
	check(with_u32(v, n0, 0xffffffff) == BAREPROF_E_RECORD, "4 G of counters", v->name);
	check(with_u32(v, n0, 0x20000000 | *(uint32_t *)n0) == BAREPROF_E_RECORD, "counters' size overflows 32 bits",
		v->name);
	if (!times) {
		check(with_pointer(v, p0, unit) == BAREPROF_E_OVERLAP, "counters overlap", v->name);
		check(with_u32(v, n1, *(uint32_t *)n1 - 1) == BAREPROF_E_OVERLAP, "a gap", v->name);
	}
	if (!times && unit == 8)
		check(with_pointer(v, p0, 1) == BAREPROF_E_OVERLAP, "counters not aligned", v->name);
}

/*
 * Returns 1 if @error is expected for damaged bitmaps. Records of versions 9 and 10 differ only in the fields for
 * bitmaps. So a runtime that uses the layout of the wrong version sees records without bitmaps. Then
 * BAREPROF_E_OVERLAP is expected, because no record claims the bitmaps.
 */
static int bitmap_error(const struct vector *v, int error)
{
	return error == BAREPROF_E_RECORD || (v->written < 11 && error == BAREPROF_E_OVERLAP);
}

/* Places the counters of records 0, 1 and 2 in this order, as compilers and linkers do. */
static void set_in_order(const struct vector *v)
{
	uintptr_t at = (uintptr_t)v->start_stop[BAREPROF_CNTS][0];
	uintptr_t unit = v->declared_bits & 0x10000000 ? 1 : 8;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		uint8_t *pointer = field(v, i, 16);

		*(uintptr_t *)pointer = at - (v->written < BAREPROF_RAW_V8 ? 0 : (uintptr_t)field(v, i, 0));
		at += unit * *(uint32_t *)field(v, i, shape_of(v->written)->counters);
	}
}

/*
 * Tests what happens if record 1 points to the counters of record 0. The runtime must treat record 1 as a weak
 * duplicate only if both records have the same name.
 */
static void test_doubles(const struct vector *v)
{
	uintptr_t *pointer = (uintptr_t *)field(v, 1, 16);
	uint64_t *name = (uint64_t *)field(v, 1, 0);
	uintptr_t was[3];
	uintptr_t own;
	uintptr_t shared;
	uint64_t own_name = *name;
	unsigned int i;

	/* Byte counters with timestamps are not tested, because there are gaps between them. */
	if (v->declared_bits >> 31)
		return;
	for (i = 0; i < 3; i++)
		was[i] = *(uintptr_t *)field(v, i, 16);
	check(bareprof_fix_weak_duplicates(&image) == BAREPROF_E_OVERLAP, "nothing is shared", v->name);
	set_in_order(v);
	own = *pointer;
	shared = *(uintptr_t *)field(v, 0, 16) - (v->written < BAREPROF_RAW_V8 ? 0 : shape_of(v->written)->size);
	*pointer = shared;
	check(set_up(&image, v) == BAREPROF_E_OVERLAP, "counters of another record", v->name);
	check(bareprof_fix_weak_duplicates(&image) == BAREPROF_E_OVERLAP && *pointer == shared,
		"are not told apart if the names are others", v->name);
	*name = *(uint64_t *)field(v, 0, 0);
	check(bareprof_fix_weak_duplicates(&image) == 1 && *pointer == own, "are, if the name is the same", v->name);
	check(set_up(&image, v) == BAREPROF_OK, "and then the image is sound", v->name);
	*name = own_name;
	for (i = 0; i < 3; i++)
		*(uintptr_t *)field(v, i, 16) = was[i];
}

static void test_bitmaps(const struct vector *v)
{
	const struct shape *s = shape_of(v->written);
	uint8_t *p2 = field(v, 2, s->bitmap_ptr);
	uint8_t *b0 = field(v, 0, s->bitmap);
	uint8_t *b2 = field(v, 2, s->bitmap);

	if (!s->bitmap || !*b2)
		return;
	check(bitmap_error(v, with_pointer(v, p2, 1)), "a bitmap beyond its section", v->name);
	check(bitmap_error(v, with_pointer(v, p2, -(uintptr_t)2)), "a bitmap before its section", v->name);
	check(bitmap_error(v, with_u32(v, b0, 0x10000)), "a bitmap larger than its section", v->name);
	check(with_u32(v, b2, 1) == BAREPROF_E_OVERLAP, "bitmap bytes left over", v->name);
	check(bitmap_error(v, with_section(v, BAREPROF_BITS, 1, 1)), "bitmap section elsewhere", v->name);
}

static void test_sections(const struct vector *v)
{
	const struct shape *s = shape_of(v->written);
	intptr_t data = v->start_stop[BAREPROF_DATA][1] - v->start_stop[BAREPROF_DATA][0];
	intptr_t cnts = v->start_stop[BAREPROF_CNTS][1] - v->start_stop[BAREPROF_CNTS][0];
	intptr_t names = v->start_stop[BAREPROF_NAMES][1] - v->start_stop[BAREPROF_NAMES][0];
	unsigned int i;
	int good = 1;

	check(with_section(v, BAREPROF_DATA, 4, 4) == BAREPROF_E_ALIGN, "records not aligned", v->name);
	check(with_section(v, BAREPROF_CNTS, 0, -cnts) == BAREPROF_E_NO_COUNTERS, "no counters", v->name);
	check(!with_section(v, BAREPROF_DATA, 0, -data) && !image.records &&
			bareprof_open(&dump, &image) == BAREPROF_E_NO_RECORDS,
		"counters without records: an image, but no file", v->name);
	check(!with_section(v, BAREPROF_NAMES, 0, -names) && bareprof_open(&dump, &image) == BAREPROF_E_NO_RECORDS,
		"records without names: an image, but no file", v->name);
	check(with_section(v, BAREPROF_DATA, 0, -(data - (intptr_t)(2 * s->size + s->end)) - 8) == BAREPROF_E_RECORD,
		"the last record cut", v->name);
	if (!(v->declared_bits >> 31))
		check(with_section(v, BAREPROF_DATA, 0, -(data - (intptr_t)(2 * s->size))) == BAREPROF_E_OVERLAP,
			"the last record lost", v->name);
	for (i = 0; i < 16; i++) {
		uint32_t same = v->written == 7 ? 6 : v->written;
		int error = with_declared(v, i);
		int fits = !i || i == v->written || i == same || (i == 5 && v->written == 7) ||
		           (i == 7 && v->written == 5) || (i == 6 && v->written == 5);
		int plain = v->start_stop[BAREPROF_BITS][0] == v->start_stop[BAREPROF_BITS][1];

		/*
		 * Without bitmaps, the same contents fit the layouts of versions 9 and 10. The only difference is that
		 * a record of version 9 ends earlier on i386.
		 */
		fits |= plain && ((i == 9 && v->written == 10) || (i == 10 && v->written == 9 && s->end == 60));
		if (fits ? error : error != BAREPROF_E_VERSION)
			good = 0;
	}
	check(good, "every other version declared: contradicts", v->name);
	if (v->written < 10)
		check(with_section(v, BAREPROF_VTAB, 0, sizeof(void *) == 8 ? 24 : 16) == BAREPROF_E_MIXED,
			"vtables with records older than they", v->name);
}

static void test_sites(const struct vector *v)
{
	const struct shape *s = shape_of(v->written);
	int good = 1;
	unsigned int i;

	for (i = 0; i < s->kinds * v->records; i++) {
		uint8_t *site = field(v, i / s->kinds, s->sites + 2 * (i % s->kinds));

		*site = 1;
		good &= !set_up(&image, v) && image.value_sites &&
		        bareprof_open(&dump, &image) == BAREPROF_E_VALUE_SITES;
		*site = 0;
	}
	check(good, "value sites of each kind: an image, but no file", v->name);
}

static void test_mixtures(void)
{
	const struct vector *v;

	for (v = mixtures; v < mixtures_end; v++) {
		uint32_t record = ~0u;
		int error = set_up(&image, v);

		if (!v->mixed) {
			check(error == BAREPROF_E_OVERLAP, "layouts that differ in bitmaps only", v->name);
			continue;
		}
		check(error == BAREPROF_E_RECORD, "mixed layouts", v->name);
		error = bareprof_diagnose(&image, &record);
		if (!check(error == BAREPROF_E_MIXED && record == v->mixed, "mixed layouts told, and where", v->name))
			note("index", v->name, record);
	}
}

/* The runtime must not mistake a damaged record for a mixture of versions. It must report the index of the record. */
static void test_diagnosis(const struct vector *v)
{
	uint8_t *n = field(v, 1, shape_of(v->written)->counters);
	uint32_t old = *(uint32_t *)n;
	uint32_t record = ~0u;
	int error;

	*(uint32_t *)n = 0x7fffffff;
	error = set_up(&image, v);
	check(error == BAREPROF_E_RECORD && bareprof_diagnose(&image, &record) == BAREPROF_E_RECORD && record == 1,
		"a damaged record told, and where", v->name);
	*(uint32_t *)n = old;
}

/*
 * Tests one record with timestamps. The section of counters is large and at a low address. So the pointer in the record
 * is valid as an absolute address and as a distance from the record.
 */
static void test_low(void)
{
	uint8_t *low = guarded((void *)0x10000, 32);
	struct vector v = vectors[0];
	const struct shape *s = shape_of(8);

	if (!low) {
		note("no memory at 64 KiB:", "an image in doubt was not tried", 0);
		return;
	}
	v.start_stop[BAREPROF_DATA][0] = low;
	v.start_stop[BAREPROF_DATA][1] = low + s->size;
	v.start_stop[BAREPROF_CNTS][0] = low + s->size;
	v.start_stop[BAREPROF_CNTS][1] = low + 0x1f000;
	*(uintptr_t *)(low + 16) = (uintptr_t)low + s->size;
	*(uint32_t *)(low + s->counters) = 2;
	check(set_up_as(&image, &v, 1ull << 63) == BAREPROF_E_AMBIGUOUS, "in doubt", "pointers absolute or relative");
	check(!set_up_as(&image, &v, 1ull << 63 | 7) && (uint32_t)image.version == 7, "not in doubt if declared", "7");
}

/*
 * Tests six records with one counter each, and a section of ten counters. The runtime uses a sum to check that the
 * records use each of N counters once: the counter with index i adds 2 * i + 1, and the sum must be N * N. Here this
 * sum is right, because five records point to the last counter and one to the third: 5 * 19 + 5 = 10 * 10. But the
 * records have only six counters, so the image must be refused.
 */
static void test_sum(void)
{
	uint8_t *page = guarded(NULL, 1);
	struct vector v = vectors[0];
	const struct shape *s = shape_of(8);
	uint8_t *cnts = page + 6 * s->size;
	unsigned int i;

	if (!page)
		return;
	for (i = 0; i < 6; i++) {
		uint8_t *record = page + i * s->size;

		*(uintptr_t *)(record + 16) = (uintptr_t)(cnts - record) + (i < 5 ? 72 : 16);
		*(uint32_t *)(record + s->counters) = 1;
	}
	v.start_stop[BAREPROF_DATA][0] = page;
	v.start_stop[BAREPROF_DATA][1] = cnts;
	v.start_stop[BAREPROF_CNTS][0] = cnts;
	v.start_stop[BAREPROF_CNTS][1] = cnts + 80;
	check(set_up_as(&image, &v, 8) == BAREPROF_E_OVERLAP, "counters do not add up though the tiling does", "v8");
}

void test_refused(void)
{
	const struct vector *v;

	for (v = vectors; v < vectors_end; v++) {
		test_counters(v);
		test_doubles(v);
		test_bitmaps(v);
		test_sections(v);
		test_sites(v);
		test_diagnosis(v);
	}
	test_mixtures();
	test_sum();
	test_low();
#ifdef __x86_64__
	v = doubtful;
	check(set_up(&image, v) == BAREPROF_E_AMBIGUOUS, "in doubt", v->name);
	check(!set_up_as(&image, v, 8) && image.records == 4, "not in doubt if declared", "8");
#endif
}
