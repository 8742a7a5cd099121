/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_codec.c - encodes counters and bitmaps in blocks, as the runtime sends them. It decodes them with a decoder
 * that was written from docs/SPEC.md, 1.7.
 */
#include <bareprof/capture.h>

#include "host.h"

#define EDGE   64u
#define MOST   (5u * 16384)
#define CANARY 0xa5

static uint64_t counters[MOST / 8];
static uint8_t bitmap[MOST];
static uint8_t area[EDGE + BAREPROF_BUFFER_MAX + EDGE];
static uint8_t *const buffer = area + EDGE;
static uint8_t decoded[2 * MOST];
static struct bareprof_image image = {.live = &image};
static struct bareprof_capture capture;
static uint32_t items[9]; /* items[K] is the number of items of kind K that were read since forget() */
static uint32_t coded;
static uint32_t stored;

enum {
	ZEROS,
	MORE,
	REPEAT,
	SMALL,
	MIDDLE,
	LARGE
};

/* The bytes from @at to @stop have not been read yet. @bad is set if the block is malformed. */
static const uint8_t *at;
static const uint8_t *stop;
static int bad;

static uint8_t u8(void)
{
	if (at < stop)
		return *at++;
	bad = 1;
	return 0;
}

static uint64_t uleb(void)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = u8();
		value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 64);
	bad |= byte & 0x80;
	return value;
}

static uint64_t fixed(unsigned int bytes)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < bytes; i++)
		value |= (uint64_t)u8() << 8 * i;
	return value;
}

/* Decodes the items from @at to @stop into @raw bytes at @to. Sets @bad if they are malformed. */
static void read_items(uint8_t *to, size_t raw, unsigned int coding)
{
	unsigned int size = coding == 1 ? 8 : 1;
	uint64_t before = 0;

	while (at < stop && !bad) {
		uint8_t byte = u8();
		uint64_t times = 1;
		uint64_t number = 0;

		if (byte < 0x3f) {
			times = byte + 1u;
			items[ZEROS]++;
		} else if (byte == 0x3f) {
			times = uleb() + 64;
			items[MORE]++;
		} else if (byte < 0x60) {
			times = byte - 0x3fu;
			number = before;
			items[REPEAT]++;
		} else if (byte > 0x60 && byte < 0x80) {
			number = byte - 0x60u;
			items[SMALL]++;
		} else if (byte >= 0x80 && byte < 0xc0) {
			number = 32 + (byte - 0x80u) * 256u + u8();
			items[MIDDLE]++;
		} else if (byte >= 0xc2 && byte <= 0xc8) {
			number = fixed(byte - 0xc0u);
			items[LARGE]++;
		} else {
			bad = 1;
		}
		bad |= size == 1 && number > 255;
		before = number;
		for (; times && !bad; times--) {
			if (raw < size) {
				bad = 1;
				break;
			}
			raw -= size;
			if (size == 8)
				memcpy(to, &number, 8);
			else
				*to = (uint8_t)(coding == 3 ? ~number : number);
			to += size;
		}
	}
	bad |= raw != 0;
}

/* Decodes the block of @n bytes in buffer[] into decoded[]. Returns non-zero if the block is malformed. */
static int read_block(uint32_t index, size_t n)
{
	size_t sizes[2] = {image.section[BAREPROF_CNTS].size, image.section[BAREPROF_BITS].size};
	/* the index of the last block with counters */
	uint32_t bits = (uint32_t)((sizes[0] + capture.span - 1) / capture.span);
	size_t stream = index > bits;
	size_t offset = (index - 1 - (stream ? bits : 0)) * capture.span;
	size_t raw;
	uint8_t coding;
	size_t left;
	uint8_t *to;

	at = buffer;
	stop = buffer + n - 4;
	bad = fixed(1) != (index ? index == capture.blocks - 1 ? 3 : 2 : 1);
	bad |= uleb() != image.number;
	bad |= uleb() != index;
	bad |= fixed(4) != capture.tag;
	left = (size_t)uleb();
	bad |= left != (size_t)(stop - at);
	at = stop;
	stop += 4;
	bad |= fixed(4) != bareprof_crc32c(0, buffer, n - 4);
	if (bad || !index || index == capture.blocks - 1)
		return bad;
	stop -= 4;
	at = stop - left;
	coding = u8();
	if (offset >= sizes[stream])
		return 1;
	left = sizes[stream] - offset;
	raw = left < capture.span ? left : capture.span;
	to = decoded + (stream ? sizes[0] : 0) + offset;
	if (coding) {
		bad |= (size_t)(stop - at) >= raw;
		bad |= coding != (stream ? 2 : image.shift ? 1 : 3);
		read_items(to, raw, coding);
		coded++;
	} else {
		bad |= (size_t)(stop - at) != raw;
		if (!bad)
			memcpy(to, at, raw);
		stored++;
	}
	return bad;
}

static void forget(void)
{
	memset(items, 0, sizeof(items));
	coded = 0;
	stored = 0;
}

/*
 * Encodes @n bytes of counters and @bits bytes of bitmap as a capture, block by block, with a buffer of @size bytes,
 * and decodes every block. Returns 0 if the decoded bytes are equal to the original bytes.
 */
static int all_blocks(size_t n, size_t bits, size_t size)
{
	uint32_t i;

	image.section[BAREPROF_CNTS].start = counters;
	image.section[BAREPROF_CNTS].size = n;
	image.section[BAREPROF_BITS].start = bitmap;
	image.section[BAREPROF_BITS].size = bits;
	if (bareprof_capture_open(&capture, &image, 1, buffer, size))
		return 1;
	memset(decoded, CANARY, n + bits);
	for (i = 0; i < capture.blocks; i++) {
		intptr_t got;

		memset(area, CANARY, size + 2 * EDGE);
		got = bareprof_block(&capture, i, buffer, size);
		if (got <= 0 || (size_t)got > capture.span + BAREPROF_BLOCK_OVERHEAD || !all(area, CANARY, EDGE) ||
			!all(buffer + size, CANARY, EDGE) || read_block(i, (size_t)got))
			return 2;
	}
	return !equal(decoded, counters, n) || !equal(decoded + n, bitmap, bits) ? 3 : 0;
}

/*
 * Calls all_blocks() with buffers of several sizes, once with counters of 8 bytes in counters[] and once with byte
 * counters. Returns 1 if all blocks are right.
 */
static int holds(size_t n, size_t bits)
{
	static const size_t sizes[] = {160, 192, 200, 1024, 4096, BAREPROF_BUFFER_MAX};
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		image.shift = 3;
		if (all_blocks(n, bits, sizes[i]))
			return 0;
		image.shift = 0;
		if (all_blocks(n, bits, sizes[i]) || (n > 3 && all_blocks(n - 3, bits, sizes[i])))
			return 0;
	}
	return 1;
}

/* Fills counters[] and bitmap[] alternately with @zeros zeros and @repeats equal numbers. */
static void runs(size_t n, size_t zeros, size_t repeats)
{
	size_t i;

	for (i = 0; i < n; i++) {
		size_t k = i;

		while (k >= zeros + repeats)
			k -= zeros + repeats;
		counters[i] = k < zeros ? 0 : 9;
		bitmap[i] = k < zeros ? 0 : 9;
	}
}

static void limits(void)
{
	static const size_t lengths[] = {0, 1, 2, 31, 32, 33, 34, 62, 63, 64, 65, 126, 127, 128};
	static const uint64_t numbers[] = {1, 31, 32, 33, 287, 288, 16415, 16416, 0xffff, 0x10000, 0xffffff, 0x1000000,
		0xfffffffe, 0xffffffff, 0x100000000, 0xffffffffff, 0x10000000000, 0xffffffffffff, 0x1000000000000,
		0xffffffffffffff, 0x100000000000000, 0xfffffffffffffffe, ~0ull};
	unsigned int i;
	unsigned int k;
	int good = 1;

	forget();
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (k = 0; k < sizeof(lengths) / sizeof(lengths[0]); k++)
			if (i || k) {
				runs(1000, lengths[i], lengths[k]);
				good &= holds(8000, 1000) && holds(8, 1) && holds(8 * 63, 63) && holds(8 * 64, 64);
			}
	check(good, "runs of every length around the limits", NULL);
	check(items[ZEROS] && items[REPEAT] && items[SMALL] && coded, "in items of zeros, repeats and numbers", NULL);
	for (good = 1, i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		/*
		 * Tests three contents: the number once among zeros, the number mixed with other numbers, and the
		 * number alone.
		 */
		memset(counters, 0, 8000);
		memset(bitmap, 0, 1000);
		forget();
		counters[500] = numbers[i];
		bitmap[500] = (uint8_t)numbers[i];
		good &= holds(8000, 1000);
		for (k = 0; k < 1000; k++)
			counters[k] = numbers[k & 1 ? i : k / 2 % (sizeof(numbers) / sizeof(numbers[0]))];
		good &= holds(8000, 0);
		for (k = 0; k < 1000; k++)
			counters[k] = numbers[i];
		good &= holds(8000, 0);
	}
	check(good, "numbers of every length", NULL);
	memset(counters, 0, 8000);
	counters[100] = ~0ull;
	forget();
	image.shift = 3;
	good = !all_blocks(8000, 0, 192);
	if (sizeof(void *) == 4)
		check(good && stored == 1 && coded > 50, "a counter beyond 32 bits: its block is stored, no other",
			NULL);
	else
		check(good && !stored && items[LARGE] == 1, "a counter of 64 bits is an item", NULL);
}

static void kinds(void)
{
	size_t i;
	unsigned int kind;
	int good = 1;

	for (kind = 0; kind < 400; kind++) {
		uint32_t dense = random() & 7;
		uint32_t bits = random() & 63;
		size_t n = 8 * (random() % (kind < 390 ? 300 : MOST / 8));

		for (i = 0; i < n / 8; i++) {
			counters[i] = (random() & 7) < dense ? 0 : ((uint64_t)random() << 32 | random()) >> bits;
			bitmap[i] = (random() & 7) < dense ? 0 : (uint8_t)(random() >> (bits & 31));
		}
		good &= holds(n, n / 8);
	}
	check(good, "random counters, dense and sparse", NULL);
	memset(counters, 0xff, MOST);
	memset(bitmap, 0xff, MOST);
	forget();
	check(holds(MOST, MOST), "all ones", NULL);
	memset(counters, 0, MOST);
	memset(bitmap, 0, MOST);
	forget();
	check(holds(MOST, MOST) && coded, "all zeros", NULL);
	for (i = 0; i < MOST; i++)
		bitmap[i] = (uint8_t)random();
	forget();
	check(holds(0, MOST) && stored && !coded, "random bytes are stored", NULL);
	check(holds(0, 0) && holds(0, 1) && holds(8, 0), "next to nothing", NULL);
	image.shift = 0;
	memset(counters, 0xff, 1000);
	forget();
	check(!all_blocks(1000, 0, 192) && !stored && items[ZEROS] && !items[REPEAT],
		"byte counters that never ran are zeros", NULL);
}

/* Changes counters as another CPU would: it sets a random halfword to zero or to a random number. */
static void disturb(uint8_t *memory)
{
	uint32_t where = random() % (8000 - 8);
	uint32_t what = random();

	if (what & 1)
		((volatile uint16_t *)memory)[where / 2] = 0;
	else
		((volatile uint16_t *)memory)[where / 2] = (uint16_t)(what >> 1 >> (what >> 28));
}

static void live(void)
{
	uint8_t *memory;
	intptr_t process = beside(disturb, &memory, 2);
	unsigned int changed = 0;
	unsigned int round;
	unsigned int width;
	int good = 1;
	uint32_t i;

	if (!check(memory != NULL, "a process beside this one", NULL))
		return;
	forget();
	for (round = 0; round < 3000; round++)
		for (width = 0; width < 2; width++) {
			image.shift = width ? 3 : 0;
			image.section[BAREPROF_CNTS].start = memory;
			image.section[BAREPROF_CNTS].size = 7000;
			image.section[BAREPROF_BITS].start = memory + 7000;
			image.section[BAREPROF_BITS].size = 1000;
			good &= !bareprof_capture_open(&capture, &image, round, buffer, 1024);
			for (i = 0; i < capture.blocks && good; i++) {
				intptr_t got = bareprof_block(&capture, i, buffer, 1024);

				good &= got > 0 && got <= 1024 && !read_block(i, (size_t)got);
			}
			changed += !equal(decoded, memory, 8000);
		}
	beside_end(process);
	check(good, "no block is malformed while its counters change", NULL);
	check(changed > 10 && coded, "they did change", NULL);
	note("captures that differ from what was there after them:", "", changed);
}

static void states(void)
{
	intptr_t n;

	image.shift = 3;
	all_blocks(8000, 100, 1024);
	bareprof_reset(&image);
	n = bareprof_block(&capture, 1, buffer, 1024);
	check(n == BAREPROF_E_STALE && bareprof_block(&capture, 0, buffer, 1024) == BAREPROF_E_STALE &&
			bareprof_block(&capture, capture.blocks - 1, buffer, 1024) == BAREPROF_E_STALE,
		"stale after a reset", NULL);
	image.value_sites = 1;
	check(bareprof_capture_open(&capture, &image, 1, buffer, 1024) == BAREPROF_E_VALUE_SITES,
		"not with value sites", NULL);
	image.value_sites = 0;
	check(bareprof_capture_open(&capture, &image, 1, buffer, 159) == BAREPROF_E_NO_SPACE, "a buffer too small",
		NULL);
}

int test(void)
{
	image.number = 300;
	limits();
	kinds();
	states();
	live();
	return 0;
}
