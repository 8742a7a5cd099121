/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.c - captures the images of images.S with block buffers of many sizes, and writes files that
 * tests/runtime/wire.sh passes to another decoder. `wire DIR` writes the contents of each capture to DIR/NAME.raw. It
 * writes captures with these contents to DIR/NAME.blocks, DIR/NAME.uniform, DIR/NAME.text, DIR/NAME.frames,
 * DIR/NAME.memory and DIR/NAME.file.
 */
#include <bareprof/capture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"

#define CANARY   0xa5
#define EDGE     64u
#define FILE_MAX (1u << 20)
#define ROOM     (1u << 18) /* size of area[] without the edges, in bytes */

static uint8_t area[EDGE + ROOM + EDGE];
static uint8_t *const buffer = area + EDGE;
static uint8_t file[FILE_MAX];
static uint8_t names[FILE_MAX];
static struct bareprof_image image;
static struct bareprof_dump dump;
static struct bareprof_capture capture;
static size_t raw; /* size of the contents of file[], which the capture must contain */
static int failed;

/* The contents of a capture: a whole .profraw, or counters and bitmaps. */
enum kind {
	WHOLE,
	COUNTERS
};
static const char *const kinds[] = {"whole", "counters"};

static int check(int good, const char *what, const char *of, size_t number)
{
	printf("%s - %s: %s, %zu\n", good ? "ok" : "not ok", what, of, number);
	failed |= !good;
	return good;
}

static int untouched(const uint8_t *p, size_t n)
{
	while (n--)
		if (*p++ != CANARY)
			return 0;
	return 1;
}

/* Fills the buffer, and the edges before and after it, with canaries. */
static void arm(void)
{
	memset(area, CANARY, sizeof(area));
}

static int held(size_t size)
{
	return untouched(area, EDGE) && untouched(buffer + size, sizeof(area) - EDGE - size);
}

static void describe(const struct vector *v, size_t extra_names)
{
	unsigned int i;

	memset(&image, 0, sizeof(image));
	for (i = 0; i < BAREPROF_SECTIONS; i++) {
		image.section[i].start = v->start_stop[i][0];
		image.section[i].size = (size_t)(v->start_stop[i][1] - v->start_stop[i][0]);
	}
	if (extra_names) {
		image.section[BAREPROF_NAMES].start = names;
		image.section[BAREPROF_NAMES].size = extra_names;
	}
	if (bareprof_image_init(&image, v->declared | (uint64_t)v->declared_bits << 32) || bareprof_open(&dump, &image))
		exit(3);
}

/* Opens a capture, and puts the bytes that it must contain into file[]. */
static int open_capture(enum kind kind, uint64_t nonce, size_t size)
{
	const struct bareprof_slice *cnts = &image.section[BAREPROF_CNTS];
	const struct bareprof_slice *bits = &image.section[BAREPROF_BITS];

	if (kind == WHOLE) {
		raw = dump.size;
		if (bareprof_read(&dump, 0, file, FILE_MAX) != (intptr_t)raw)
			exit(3);
		return bareprof_capture_profraw(&capture, &dump, nonce, buffer, size);
	}
	raw = cnts->size + bits->size;
	memcpy(file, cnts->start, cnts->size);
	memcpy(file + cnts->size, bits->start, bits->size);
	return bareprof_capture_open(&capture, &image, nonce, buffer, size);
}

static FILE *create(const char *dir, const char *name, size_t number, const char *suffix)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s-%zu.%s", dir, name, number, suffix);
	f = fopen(path, "wb");
	if (!f)
		exit(3);
	return f;
}

/* There are two sinks: to_file() writes to a file, and limited() accepts only a limited number of calls. */
static int to_file(void *context, const void *data, size_t n)
{
	return fwrite(data, 1, n, context) != n;
}

static int counted;

static int limited(void *context, const void *data, size_t n)
{
	(void)data;
	return !n || counted++ == *(int *)context;
}

/* Builds all blocks, from the last to the first, and then all of them a second time. Canaries surround the buffer. */
static int blocks(FILE *out, size_t size)
{
	uint32_t i;

	fwrite("\x89"
	       "bpc\r\n\x1a\n",
		1, 8, out);
	for (i = 0; i < 2 * capture.blocks; i++) {
		intptr_t n;

		arm();
		n = bareprof_block(
			&capture, 2 * capture.blocks - 1 - i - (i < capture.blocks) * capture.blocks, buffer, size);
		if (n <= 0 || (size_t)n > size || !held(size))
			return 0;
		fwrite(buffer, 1, (size_t)n, out);
	}
	return 1;
}

/*
 * Builds the whole capture with bareprof_next_block(). Canaries surround the buffer. Returns the number of blocks that
 * were built, or 0 after a failure.
 */
static uint32_t uniform_blocks(FILE *out, size_t size)
{
	uint32_t built = 0;
	uint32_t index = 0;
	uint32_t before;

	fwrite("\x89"
	       "bpc\r\n\x1a\n",
		1, 8, out);
	while (index < capture.blocks) {
		intptr_t n;

		before = index;
		arm();
		n = bareprof_next_block(&capture, &index, buffer, size);
		if (n <= 0 || (size_t)n > size || !held(size) || index <= before || index > before + 127)
			return 0;
		fwrite(buffer, 1, (size_t)n, out);
		built++;
	}
	return index == capture.blocks ? built : 0;
}

static void refusals(const char *name, size_t size)
{
	int limit;
	int good = 1;
	uint32_t i;

	arm();
	check(bareprof_block(&capture, capture.blocks, buffer, size) == BAREPROF_E_ARGUMENT &&
			bareprof_block(&capture, ~0u, buffer, size) == BAREPROF_E_ARGUMENT && held(0),
		"no block behind the last", name, size);
	check(bareprof_block(&capture, 0, buffer, capture.buffer_min - 1) == BAREPROF_E_NO_SPACE &&
			bareprof_block(&capture, 1, buffer, capture.buffer_min - 1) == BAREPROF_E_NO_SPACE && held(0),
		"a smaller buffer than at open", name, size);
	for (limit = 0; limit < 400; limit++) {
		counted = 0;
		good &= bareprof_send(&capture, buffer, size, bareprof_encode_text, limited, &limit) ==
		                BAREPROF_E_SINK ||
		        counted <= limit;
		good &= counted <= limit + 1;
		counted = 0;
		good &= bareprof_send(&capture, buffer, size, bareprof_encode_frame, limited, &limit) ==
		                BAREPROF_E_SINK ||
		        counted <= limit;
		good &= counted <= limit + 1;
	}
	check(good, "a sink that stops is not called again", name, size);

	bareprof_reset(&image);
	good = 1;
	i = 1;
	check(bareprof_next_block(&capture, &i, buffer, size) == BAREPROF_E_STALE, "the next block stale after a reset",
		name, size);
	for (i = 0; i < capture.blocks; i++)
		good &= bareprof_block(&capture, i, buffer, size) == BAREPROF_E_STALE;
	good &= bareprof_send(&capture, buffer, size, bareprof_encode_text, limited, &limit) == BAREPROF_E_STALE;
	good &= bareprof_send(&capture, buffer, size, bareprof_encode_frame, limited, &limit) == BAREPROF_E_STALE;
	check(good, "every block stale after a reset", name, size);
}

/*
 * Makes one capture of the image @of, and writes it to four files in @dir: as blocks, as text, as frames and as the
 * capture file that bareprof_capture_write() makes. A fifth file, .raw, has the bytes that the capture must contain.
 * @kind determines the contents of the capture, and @size is the size of the block buffer in bytes.
 */
static void one(const char *dir, const char *of, enum kind kind, size_t size)
{
	char name[64];
	size_t number;
	intptr_t n;
	FILE *f;

	arm();
	n = open_capture(kind, 0x8877665544332211ull, size);
	number = raw * 100000 + size;
	snprintf(name, sizeof(name), "%s-%s", kinds[kind], of);
	if (!check(!n && held(size), "opened", name, number))
		return;
	f = create(dir, name, number, "raw");
	fwrite(file, 1, raw, f);
	fclose(f);
	f = create(dir, name, number, "blocks");
	check(blocks(f, size), "every block, nothing written outside the buffer", name, number);
	fclose(f);
	f = create(dir, name, number, "uniform");
	check(uniform_blocks(f, size) > 0, "every next block, nothing written outside the buffer", name, number);
	fclose(f);
	f = create(dir, name, number, "text");
	fputs("[    0.1] a log line\r\n[    0.2] a cut one @bp:AQAA", f);
	arm();
	check(!bareprof_send(&capture, buffer, size, bareprof_encode_text, to_file, f) && held(size), "sent as text",
		name, number);
	fputs("the end\n", f);
	fclose(f);
	f = create(dir, name, number, "frames");
	fputs("noise", f);
	arm();
	check(!bareprof_send(&capture, buffer, size, bareprof_encode_frame, to_file, f) && held(size), "sent as frames",
		name, number);
	fclose(f);
	f = create(dir, name, number, "memory");
	arm();
	n = bareprof_capture_write(&capture, buffer, ROOM);
	check(n > 0 && (size_t)n <= ROOM && untouched(area, EDGE), "written to memory", name, number);
	fwrite(buffer, 1, n > 0 ? (size_t)n : 0, f);
	fclose(f);
	f = create(dir, name, number, "file");
	arm();
	check(!bareprof_send(&capture, buffer, size, bareprof_encode_file, to_file, f) && held(size), "sent as a file",
		name, number);
	fclose(f);
}

/*
 * Writes a capture into memory that is just large enough. Then writes it into memory of smaller sizes, from one byte
 * less down to a single byte, and each of these calls must fail.
 */
static void memory(enum kind kind, size_t size)
{
	size_t block;
	size_t end;
	size_t room;
	intptr_t n;
	int good = 1;

	if (open_capture(kind, 5, size))
		exit(3);
	block = capture.buffer_min;
	n = bareprof_block(&capture, capture.blocks - 1, buffer, size);
	end = n > 0 ? (size_t)n : 0;
	n = bareprof_capture_write(&capture, buffer, ROOM);
	if (!check(n > 0 && end, "a capture in memory", kinds[kind], size))
		return;
	room = (size_t)n - end + block;
	arm();
	check(bareprof_capture_write(&capture, buffer, room) == n && held(room), "memory that is just enough",
		kinds[kind], size);
	for (room--; room; room -= room < 16 ? 1 : room / 16) {
		arm();
		good &= bareprof_capture_write(&capture, buffer, room) == BAREPROF_E_NO_SPACE && held(room);
	}
	check(good, "memory that is not enough", kinds[kind], size);
	bareprof_reset(&image);
	check(bareprof_capture_write(&capture, buffer, ROOM) == BAREPROF_E_STALE, "memory: stale after a reset",
		kinds[kind], size);
}

static uint64_t zeros[150 * 18 + 1];

/*
 * Tests a capture whose counters are almost all 0, with @size bytes in each block. Counter @only is 1. If @only is
 * not below the number of counters, all counters are 0. @blocks is the number of blocks that must be built.
 */
static void few(const char *dir, const char *name, size_t only, uint32_t blocks)
{
	FILE *f;

	describe(vectors + 12, 0);
	memset(zeros, 0, sizeof(zeros));
	if (only < sizeof(zeros) / sizeof(*zeros))
		zeros[only] = 1;
	image.section[BAREPROF_CNTS].start = zeros;
	image.section[BAREPROF_CNTS].size = sizeof(zeros);
	image.section[BAREPROF_BITS].size = 0;
	image.live = &image;
	if (!check(!open_capture(COUNTERS, 0x8877665544332211ull, BAREPROF_BLOCK_MIN), "opened", name, only))
		return;
	f = create(dir, name, only, "raw");
	fwrite(file, 1, raw, f);
	fclose(f);
	f = create(dir, name, only, "uniform");
	check(uniform_blocks(f, BAREPROF_BLOCK_MIN) == blocks, "one block for all blocks of zeros", name, only);
	fclose(f);
}

/* Tests the largest BEGIN: all numbers have their maximum, and the build id has @id bytes. */
static void largest(enum kind kind, size_t id)
{
	static const uint8_t long_id[512];
	size_t least = BAREPROF_BLOCK_MIN - 32 + id;
	intptr_t n;

	describe(vectors, 0);
	image.section[BAREPROF_BUILD_ID].start = long_id;
	image.section[BAREPROF_BUILD_ID].size = id;
	image.number = 65535;
	if (bareprof_open(&dump, &image))
		exit(3);
	arm();
	check(open_capture(kind, ~0ull, least - 1) == BAREPROF_E_NO_SPACE && held(0), "a buffer too small for BEGIN",
		kinds[kind], id);
	if (!check(!open_capture(kind, ~0ull, least) && held(least), "a buffer just large enough", kinds[kind], id))
		return;
	/* The numbers are set directly, because it would take too long to count up to them. */
	image.generation = ~(size_t)0;
	capture.generation = ~(size_t)0;
	capture.epoch = ~(size_t)0;
	capture.span = BAREPROF_BUFFER_MAX;
	capture.streams[2] = ~(size_t)0;
	capture.streams[3 + 1 * (kind == COUNTERS)] = ~(size_t)0;
	capture.streams[3 + 2 * (kind == COUNTERS)] = ~(size_t)0;
	n = bareprof_block(&capture, 0, buffer, 65536);
	check(n > 0 && (size_t)n <= least, "the largest BEGIN fits the smallest buffer", kinds[kind], id);
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {192, 256, 1024, 65536, 70000};
	static const size_t spans[] = {1, 2, 3};
	static const size_t ids[] = {0, 20, 32, 33, 64, 256};
	size_t extra[] = {0, 1, 2, 3000, 70001};
	const struct vector *v;
	unsigned int i;
	unsigned int k;

	if (argc < 2)
		return 2;
	for (i = 0; i < FILE_MAX; i++)
		names[i] = (uint8_t)(i * 7 % 251 ? i >> 5 : 0);
	check(bareprof_crc32c(0, "123456789", 9) == 0xe3069283, "CRC-32C", "123456789", 9);
	check(bareprof_crc32c(bareprof_crc32c(0, "1234", 4), "56789", 5) == 0xe3069283, "CRC-32C", "in two pieces", 9);
	for (v = vectors, k = 0; v < vectors_end; v++, k++) {
		char name[32];

		snprintf(name, sizeof(name), "image%u-v%u", k, v->written);
		describe(v, 0);
		for (i = 0; i < 3; i++) {
			one(argv[1], name, WHOLE, sizes[i]);
			one(argv[1], name, COUNTERS, sizes[i]);
		}
	}
	for (i = 0; i < sizeof(extra) / sizeof(extra[0]); i++)
		for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			describe(vectors + 12, extra[i]);
			one(argv[1], "names", WHOLE, sizes[k]);
		}
	/*
	 * Tests captures whose sizes are a multiple of the span, or a multiple of the span plus 8 bytes. (The size of a
	 * .profraw is always a multiple of 8.)
	 */
	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		for (k = 0; k < 4; k++) {
			size_t buffer_size = sizes[k] < BAREPROF_BUFFER_MAX ? sizes[k] : BAREPROF_BUFFER_MAX;
			size_t span = (buffer_size - BAREPROF_BLOCK_OVERHEAD) & ~(size_t)15;
			size_t more;

			for (more = 0; more <= 8; more += 8) {
				describe(vectors + 12, 16);
				if ((spans[i] + 8) * span < dump.size)
					continue;
				describe(vectors + 12, 16 + (spans[i] + 8) * span + more - dump.size);
				one(argv[1], "exact", WHOLE, sizes[k]);
				if (dump.size != (spans[i] + 8) * span + more)
					check(0, "size", "exact", dump.size);
			}
		}
	few(argv[1], "zeros", ~(size_t)0, 4);
	few(argv[1], "zeros", 18 * 2, 6);
	few(argv[1], "zeros", 18 * 127 + 17, 5);
	few(argv[1], "zeros", 18 * 150, 5);
	for (i = 0; i < 4; i++)
		for (k = WHOLE; k <= COUNTERS; k++) {
			describe(vectors + 12, 3000);
			if (open_capture(k, i, sizes[i]))
				exit(3);
			refusals(kinds[k], sizes[i]);
			describe(vectors + 12, 3000);
			memory(k, sizes[i]);
		}
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		largest(WHOLE, ids[i]);
		largest(COUNTERS, ids[i]);
	}
	return failed;
}
