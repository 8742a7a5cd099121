/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flips.c - flips each single bit of the records. The runtime must refuse the image, or still write a well-formed
 * file.
 */
#include "host.h"
#include "images.h"

static struct bareprof_image image;
static struct bareprof_dump dump;

/*
 * Returns 1 if bareprof_image_init() does not check the field at @offset. The fields that it does not check are the
 * hashes, the pointers to the function and to the values, and the padding.
 */
static int free_field(const struct shape *s, uint32_t offset, int bitmap)
{
	uint32_t sites_end = s->sites + 2 * s->kinds;

	if (offset < 16 || (offset >= 16 + sizeof(void *) && offset < s->counters))
		return !s->bitmap_ptr || offset < s->bitmap_ptr || offset >= s->bitmap_ptr + sizeof(void *) || !bitmap;
	return offset >= sites_end && (!s->bitmap || offset < s->bitmap || offset >= s->bitmap + 4);
}

/*
 * Returns 1 for errors that bareprof_image_init() does not promise to find: overlapping bitmaps, and overlapping byte
 * counters in a profile with timestamps. In such a profile there are gaps between the byte counters.
 */
static int unseen(const struct vector *v, const struct shape *s, uint32_t at, int bitmap)
{
	if (bitmap && at >= s->bitmap_ptr && at < s->bitmap_ptr + sizeof(void *))
		return 1;
	if (!(v->declared_bits >> 31))
		return 0;
	return (at >= 16 && at < 16 + sizeof(void *)) || (at >= s->counters && at < s->counters + 4);
}

void test_flips(const struct vector *v)
{
	const struct shape *s = shape_of(v->written);
	uint8_t *start = v->start_stop[BAREPROF_DATA][0];
	uint32_t size = (uint32_t)(v->start_stop[BAREPROF_DATA][1] - start);
	uint32_t refused = 0;
	uint32_t no_file = 0;
	uint32_t same = 0;
	uint32_t moved = 0;
	uint32_t overlaps = 0;
	uint32_t wrong = 0;
	uint32_t bit;

	for (bit = 0; bit < 8 * size; bit++) {
		uint32_t at = bit / 8 % s->size;
		int bitmap = s->bitmap && start[bit / 8 - at + s->bitmap];

		start[bit / 8] ^= (uint8_t)(1 << bit % 8);
		if (set_up(&image, v))
			refused++;
		else if (bareprof_open(&dump, &image))
			no_file++;
		else if (bareprof_write(&dump, &image, scratch, SCRATCH) < 0)
			wrong++;
		else if (malformed(scratch, dump.size))
			unseen(v, s, at, bitmap) ? overlaps++ : wrong++;
		else if (free_field(s, at, bitmap))
			same++;
		else
			moved++;
		start[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	if (!check(!wrong, "every bit of the records flipped: refused, or a file that holds", v->name))
		note("files that do not hold:", v->name, wrong);
	note("refused by init:", v->name, refused);
	note("no file (value sites):", v->name, no_file);
	note("accepted (hashes, function, values, padding):", v->name, same);
	if (overlaps)
		note("accepted, bitmaps or counters with times on one another:", v->name, overlaps);
	note("accepted, other fields:", v->name, moved);
}
