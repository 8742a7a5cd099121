/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * images.c - for every image of images.S, the runtime must write the right file, in windows of any size and order. A
 * reset must set all counters to their start value.
 */
#include "host.h"
#include "images.h"

#define CANARY 0xa5

uint8_t scratch[2 * SCRATCH];
static struct bareprof_image image;
static struct bareprof_dump dump;

int set_up_as(struct bareprof_image *to, const struct vector *v, uint64_t declared)
{
	unsigned int i;

	memset(to, 0xee, sizeof(*to));
	to->number = 0;
	for (i = 0; i < BAREPROF_SECTIONS; i++) {
		to->section[i].start = v->start_stop[i][0];
		to->section[i].size = (size_t)(v->start_stop[i][1] - v->start_stop[i][0]);
	}
	return bareprof_image_init(to, declared);
}

int set_up(struct bareprof_image *to, const struct vector *v)
{
	return set_up_as(to, v, v->declared | (uint64_t)v->declared_bits << 32);
}

/* Reads windows of 1 to 64 bytes at every offset of the file and beyond its end. */
static int windows(const uint8_t *file, size_t size)
{
	size_t offset;
	size_t n;

	for (offset = 0; offset < size + 9; offset++)
		for (n = 0; n <= 64; n++) {
			size_t left = offset < size ? size - offset : 0;
			size_t want = n < left ? n : left;

			memset(scratch, CANARY, 80);
			if (bareprof_read(&dump, offset, scratch + 8, n) != (intptr_t)want)
				return 0;
			if (!equal(scratch + 8, file + offset, want) || !all(scratch + 8 + want, CANARY, 8) ||
				!all(scratch, CANARY, 8))
				return 0;
		}
	return bareprof_read(&dump, ~(size_t)0, scratch, 64) == 0;
}

static int whole(const struct vector *v, size_t size)
{
	memset(scratch, CANARY, sizeof(scratch));
	if (bareprof_write(&dump, &image, scratch + 8, size - 1) != BAREPROF_E_NO_SPACE || dump.size != size)
		return 0;
	if (!all(scratch, CANARY, sizeof(scratch)))
		return 0;
	if (bareprof_write(&dump, &image, scratch + 8, size) != (intptr_t)size)
		return 0;
	return equal(scratch + 8, v->file, size) && all(scratch, CANARY, 8) && all(scratch + 8 + size, CANARY, 8);
}

static int reset(const struct vector *v, size_t size)
{
	uint8_t *const *cnts = v->start_stop[BAREPROF_CNTS];
	uint8_t *const *bits = v->start_stop[BAREPROF_BITS];
	uint8_t before = cnts[0][-1];
	uint8_t after = bits[1][0];
	uint8_t never = v->declared_bits & 0x10000000 ? 0xff : 0;

	memcpy(scratch, cnts[0], (size_t)(bits[1] - cnts[0]));
	bareprof_reset(&image);
	if (bareprof_read(&dump, 0, scratch + SCRATCH, size) != BAREPROF_E_STALE)
		return 0;
	if (!all(cnts[0], never, (size_t)(cnts[1] - cnts[0])) || !all(bits[0], 0, (size_t)(bits[1] - bits[0])))
		return 0;
	if (cnts[0][-1] != before || bits[1][0] != after || image.generation != 1)
		return 0;
	if (bareprof_write(&dump, &image, scratch + SCRATCH, SCRATCH) != (intptr_t)size)
		return 0;
	memcpy(cnts[0], scratch, (size_t)(bits[1] - cnts[0])); /* restored for the tests that follow */
	return !malformed(scratch + SCRATCH, size);
}

/*
 * Places the records directly before memory that cannot be read, so an access of the runtime after the last record ends
 * the program. (If the last record lacks its padding, there are 4 bytes between the records and that memory.)
 */
static int at_the_edge(const struct vector *v)
{
	uint8_t *const *data = v->start_stop[BAREPROF_DATA];
	uint8_t *start = v->start_stop[BAREPROF_BUILD_ID][0];
	size_t size = ((size_t)(data[1] - start) + 7) & ~(size_t)7;
	uint8_t *page = guarded(NULL, 1);
	struct vector moved = *v;
	const struct shape *s = shape_of(v->written);
	intptr_t by;
	unsigned int i;

	if (!page)
		return 0;
	page += 4096 - size;
	by = page - start;
	memcpy(page, start, size);
	memset(data[1] + by, CANARY, size - (size_t)(data[1] - start));
	for (i = 0; i < 2 * BAREPROF_SECTIONS; i++)
		moved.start_stop[i / 2][i & 1] += by;
	for (i = 0; v->written < 8 && i < v->records; i++)
		*(uintptr_t *)(data[0] + by + i * s->size + 16) += (uintptr_t)by;
	if (set_up(&image, &moved) || (uint32_t)image.version != v->written || image.records != v->records)
		return 0;
	if (bareprof_write(&dump, &image, scratch, SCRATCH) != (intptr_t)(v->file_end - v->file))
		return 0;
	return !malformed(scratch, dump.size);
}

void test_accepted(const struct vector *v)
{
	size_t size = (size_t)(v->file_end - v->file);
	int error = set_up(&image, v);

	check(!error && (uint32_t)image.version == v->written && image.records == v->records, "learnt", v->name);
	if (error)
		return;
	check(!malformed(v->file, size), "the file itself is well-formed", v->name);
	if (!check(!bareprof_open(&dump, &image) && dump.size == size, "opened, size right", v->name))
		return;
	check(windows(v->file, size), "read in windows of 1 to 64 at every offset", v->name);
	check(whole(v, size), "written whole; not at all into a buffer a byte too small", v->name);
	check(reset(v, size), "reset; the open dump is stale", v->name);
	check(at_the_edge(v), "nothing read behind the records", v->name);
}

#ifdef BAREPROF_RAW_VERSION
/*
 * Tests a runtime built with BAREPROF_RAW_VERSION 5 or 9. If the records fit versions 5 and 7, or versions 9
 * and 10, the macro must decide between these two versions. It must have no other effect.
 */
static int told(void)
{
	const struct vector *v;

	for (v = vectors; v < vectors_end; v++) {
		uint32_t want = v->written;
		int plain = v->start_stop[BAREPROF_BITS][0] == v->start_stop[BAREPROF_BITS][1];

		if (v->declared || v->start_stop[BAREPROF_VTAB][0] != v->start_stop[BAREPROF_VTAB][1])
			continue;
		if (want == 7 && BAREPROF_RAW_VERSION == 5)
			want = 5;
		if (want == 10 && BAREPROF_RAW_VERSION == 9 && plain)
			want = 9;
		check(!set_up(&image, v) && (uint32_t)image.version == want, "the build says the version", v->name);
	}
	return 0;
}
#endif

int test(void)
{
	const struct vector *v;

#ifdef BAREPROF_RAW_VERSION
	if (BAREPROF_RAW_VERSION)
		return told();
#endif
	for (v = vectors; v < vectors_end; v++)
		test_accepted(v);
	test_refused();
	for (v = vectors; v < vectors_end; v++)
		test_flips(v);
	for (v = vectors; v < vectors_end; v++)
		test_snapshot(v);
	test_drain_beside();
	return 0;
}
