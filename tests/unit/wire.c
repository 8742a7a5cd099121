/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.c - captures of the assembled images with block buffers of many sizes,
 * written to files for another program to decode. `wire DIR`: writes
 * DIR/NAME.raw with NAME.blocks, NAME.text and NAME.frames beside it.
 */
#include <bareprof/capture.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"

#define CANARY   0xa5
#define EDGE     64u
#define FILE_MAX (1u << 20)

static uint8_t area[EDGE + (1u << 17) + EDGE];
static uint8_t *const buffer = area + EDGE;
static uint8_t file[FILE_MAX];
static uint8_t names[FILE_MAX];
static struct bareprof_image image;
static struct bareprof_dump dump;
static struct bareprof_capture capture;
static int failed;

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

/* A buffer of @size bytes between canaries. */
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
	if (bareprof_read(&dump, 0, file, FILE_MAX) != (intptr_t)dump.size)
		exit(3);
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

/* A sink that writes; or one that takes so many pieces and no more. */
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

/* Blocks backwards and twice over, each between canaries. */
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

static void refusals(const char *name, size_t size)
{
	int limit;
	int good = 1;
	uint32_t i;

	arm();
	check(bareprof_block(&capture, capture.blocks, buffer, size) == BAREPROF_E_ARGUMENT &&
			bareprof_block(&capture, ~0u, buffer, size) == BAREPROF_E_ARGUMENT && held(0),
		"no block behind the last", name, size);
	check(bareprof_block(&capture, 0, buffer, BAREPROF_BLOCK_MIN - 1) == BAREPROF_E_ROOM &&
			bareprof_block(&capture, 1, buffer, capture.span + BAREPROF_BLOCK_OVERHEAD - 1) ==
				BAREPROF_E_ROOM &&
			held(0),
		"a smaller buffer than at open", name, size);
	for (limit = 0; limit < 400; limit++) {
		counted = 0;
		good &= bareprof_send(&capture, buffer, size, bareprof_text, limited, &limit) == BAREPROF_E_ABORTED ||
		        counted <= limit;
		good &= counted <= limit + 1;
		counted = 0;
		good &= bareprof_send(&capture, buffer, size, bareprof_frame, limited, &limit) == BAREPROF_E_ABORTED ||
		        counted <= limit;
		good &= counted <= limit + 1;
	}
	check(good, "a sink that stops is not called again", name, size);

	bareprof_reset(&image);
	good = 1;
	for (i = 0; i < capture.blocks; i++)
		good &= bareprof_block(&capture, i, buffer, size) == BAREPROF_E_STALE;
	good &= bareprof_send(&capture, buffer, size, bareprof_text, limited, &limit) == BAREPROF_E_STALE;
	good &= bareprof_send(&capture, buffer, size, bareprof_frame, limited, &limit) == BAREPROF_E_STALE;
	check(good, "every block stale after a reset", name, size);
}

/* One capture in all forms. @size: of the block buffer. */
static void one(const char *dir, const char *name, size_t size)
{
	size_t number = dump.size * 100000 + size;
	FILE *f = create(dir, name, number, "raw");

	fwrite(file, 1, dump.size, f);
	fclose(f);
	arm();
	if (!check(!bareprof_capture_open(&capture, &dump, 0x8877665544332211ull, buffer, size) && held(size), "opened",
		    name, number))
		return;
	f = create(dir, name, number, "blocks");
	check(blocks(f, size), "every block, nothing written outside the buffer", name, number);
	fclose(f);
	f = create(dir, name, number, "text");
	fputs("[    0.1] a log line\r\n[    0.2] a cut one @bp:AQAA", f);
	arm();
	check(!bareprof_send(&capture, buffer, size, bareprof_text, to_file, f) && held(size), "sent as text", name,
		number);
	fputs("the end\n", f);
	fclose(f);
	f = create(dir, name, number, "frames");
	fputs("noise", f);
	arm();
	check(!bareprof_send(&capture, buffer, size, bareprof_frame, to_file, f) && held(size), "sent as frames", name,
		number);
	fclose(f);
}

/* The largest BEGIN: all sections high in memory, and a build id of @id bytes. */
static void largest(size_t id)
{
	static const uint8_t long_id[512];
	uint8_t *high = (uint8_t *)(uintptr_t)0xffffffff80000000ull;
	unsigned int i;
	int error;

	describe(vectors, 0);
	for (i = BAREPROF_DATA; i < BAREPROF_SECTIONS; i++) {
		image.section[i].start = high + (i << 24);
		image.section[i].size = (size_t)0xffffffffff >> 5; /* 32 GiB: 5 bytes */
	}
	image.section[BAREPROF_BUILD_ID].start = long_id;
	image.section[BAREPROF_BUILD_ID].size = id;
	image.generation = dump.generation = ~(size_t)0;
	image.number = 65535;
	dump.size = (size_t)1 << 38;
	/* Not opened through bareprof_capture_open(), which would count 2^31 blocks first, if it lets the id in. */
	arm();
	if (id > 32) {
		dump.size = 1000;
		error = bareprof_capture_open(&capture, &dump, ~0ull, buffer, BAREPROF_BLOCK_MIN);
		check(error == BAREPROF_E_ROOM && held(BAREPROF_BLOCK_MIN),
			"a longer build id does not overflow the smallest buffer", "id", id);
		return;
	}
	capture.dump = &dump;
	capture.nonce = ~0ull;
	capture.tag = ~0u;
	capture.blocks = ~0u;
	capture.span = 65536 - BAREPROF_BLOCK_OVERHEAD;
	{
		intptr_t n = bareprof_block(&capture, 0, buffer, 65536);

		check(n > 0 && n <= (intptr_t)BAREPROF_BLOCK_MIN, "the largest BEGIN fits the smallest buffer", "bytes",
			(size_t)n);
	}
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {192, 256, 1024, 65536, 70000};
	static const size_t spans[] = {1, 2, 3};
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
		for (i = 0; i < 3; i++)
			one(argv[1], name, sizes[i]);
	}
	for (i = 0; i < sizeof(extra) / sizeof(extra[0]); i++)
		for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			describe(vectors + 12, extra[i]);
			one(argv[1], "names", sizes[k]);
		}
	/* Exact multiples of the span, and 8 more. (A file is a multiple of 8 long: less than a byte more there is not.) */
	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		for (k = 0; k < 4; k++) {
			size_t span = (sizes[k] - BAREPROF_BLOCK_OVERHEAD) & ~(size_t)7;
			size_t more;

			for (more = 0; more <= 8; more += 8) {
				describe(vectors + 12, 16);
				if ((spans[i] + 8) * span < dump.size)
					continue;
				describe(vectors + 12, 16 + (spans[i] + 8) * span + more - dump.size);
				one(argv[1], "exact", sizes[k]);
				if (dump.size != (spans[i] + 8) * span + more)
					check(0, "size", "exact", dump.size);
			}
		}
	check(bareprof_capture_open(&capture, &dump, 1, buffer, BAREPROF_BLOCK_MIN - 1) == BAREPROF_E_ROOM,
		"a buffer too small for BEGIN", "size", BAREPROF_BLOCK_MIN - 1);
	for (i = 0; i < 4; i++) {
		describe(vectors + 12, 3000);
		if (bareprof_capture_open(&capture, &dump, i, buffer, sizes[i]))
			exit(3);
		refusals("a capture of v10", sizes[i]);
	}
	largest(32);
	largest(33);
	largest(64);
	largest(256);
	return failed;
}
