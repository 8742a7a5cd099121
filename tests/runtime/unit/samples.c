/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * samples.c - takes samples in rings and histograms, collects them, and sends them in captures. samples.sh decodes the
 * captures. The program is compiled with and without return addresses.
 */
#include <bareprof/sample.h>

#include "host.h"

#define BASE  ((uintptr_t)0x40001000)
#define RANGE 0x5000u
#define SLOTS 16u

static struct bareprof_sampler sampler;
static struct bareprof_ring ring;
static struct bareprof_ring other;
static uint32_t slots[64 * BAREPROF_SAMPLE_WORDS_MAX];
static uint32_t more_slots[SLOTS * BAREPROF_SAMPLE_WORDS_MAX];
static uint32_t memory[4096];
static uint32_t *const samples = memory + BAREPROF_SAMPLES_HEADER;
static struct bareprof_image image;
static struct bareprof_capture capture;
static uint8_t block[1024];

/* Makes an empty ring with @count slots, as the only ring. */
static void begin(unsigned int words, size_t count)
{
	memset(&sampler, 0, sizeof(sampler));
	memset(&ring, 0xa5, sizeof(ring));
	memset(slots, 0xa5, sizeof(slots));
	sampler.base = BASE;
	sampler.range = RANGE;
	sampler.words = words;
	sampler.rate = 997;
	if (bareprof_ring_init(&ring, &sampler, slots, count))
		check(0, "a ring is refused", NULL);
}

static void init(void)
{
	static const size_t wrong[] = {0, 3, 6, SLOTS - 1};
	unsigned int i;
	int good = 1;

	begin(1, 1);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		good &= bareprof_ring_init(&other, &sampler, slots, wrong[i]) == BAREPROF_E_ARGUMENT;
	check(good && sampler.rings == &ring && !ring.next, "a number of slots that is not a power of two is refused",
		NULL);
	good = !bareprof_ring_init(&other, &sampler, slots, 1) && sampler.rings == &other && other.next == &ring;
	check(good, "all rings of a sampler are in a list", NULL);
	if (BAREPROF_SERVES_STACKS || sizeof(size_t) > 4) {
		sampler.range = BAREPROF_SAMPLE_RANGE_MAX;
		good = !bareprof_ring_init(&ring, &sampler, slots, 1);
		sampler.range++;
		good &= bareprof_ring_init(&ring, &sampler, slots, 1) == BAREPROF_E_ARGUMENT;
		check(good, "code of more than 32 bits is refused", NULL);
	}
	if (BAREPROF_SERVES_STACKS) {
		sampler.range = RANGE;
		sampler.words = BAREPROF_SAMPLE_WORDS_MAX;
		good = !bareprof_ring_init(&ring, &sampler, slots, 1);
		sampler.words++;
		good &= bareprof_ring_init(&ring, &sampler, slots, 1) == BAREPROF_E_ARGUMENT;
		sampler.words = 0;
		good &= bareprof_ring_init(&ring, &sampler, slots, 1) == BAREPROF_E_ARGUMENT;
		check(good, "samples of 0 words and of too many words are refused", NULL);
	}
}

static void hook(void)
{
	uint32_t *end;
	uint32_t i;
	int good;

	begin(1, SLOTS);
	bareprof_sample(&ring, BASE - 1);
	bareprof_sample(&ring, BASE + RANGE);
	bareprof_sample(&ring, 0);
	bareprof_sample(&ring, ~(uintptr_t)0);
	end = bareprof_ring_drain(&ring, samples, memory + 4096);
	check(ring.outside == 4 && !ring.dropped && end == samples, "addresses outside of the code are only counted",
		NULL);
	bareprof_sample(&ring, BASE);
	bareprof_sample(&ring, BASE + RANGE - 1);
	end = bareprof_ring_drain(&ring, samples, memory + 4096);
	check(end == samples + 2 && samples[0] == 1 && samples[1] == RANGE,
		"the first and the last address of the code", NULL);

	for (i = 0; i < SLOTS + 5; i++)
		bareprof_sample(&ring, BASE + i);
	end = bareprof_ring_drain(&ring, samples, samples + 3);
	good = end == samples + 3 && samples[0] == 6 && samples[1] == 7 && samples[2] == 8;
	check(good && ring.dropped == 5, "a full ring drops the oldest samples, and is drained from the oldest on",
		NULL);
	end = bareprof_ring_drain(&ring, samples, memory + 4096);
	good = end == samples + SLOTS - 3 && samples[0] == 9;
	check(good && bareprof_ring_drain(&ring, samples, memory + 4096) == samples && ring.dropped == 5,
		"what did not fit comes with the next drain, and no sample comes twice", NULL);
}

static void collect(void)
{
	uint32_t expected[SLOTS + 3] = {0};
	uint32_t i;
	int good;

	begin(1, SLOTS);
	sampler.build_id.start = "build";
	sampler.build_id.size = 5;
	memset(more_slots, 0xa5, sizeof(more_slots));
	bareprof_ring_init(&other, &sampler, more_slots, SLOTS);
	image.generation = 41;
	check(bareprof_samples_collect(&image, &sampler, memory, 63) == BAREPROF_E_NO_SPACE && image.generation == 41,
		"memory without room for the header is refused", NULL);
	for (i = 0; i < SLOTS + 2; i++)
		bareprof_sample(&ring, BASE + (37 * i & 63));
	for (i = 0; i < 5; i++)
		bareprof_sample(&other, BASE + 40 - 3 * i);
	bareprof_sample(&other, BASE - 1);
	memset(memory, 0xa5, sizeof(memory));
	good = !bareprof_samples_collect(&image, &sampler, memory, 4 * (BAREPROF_SAMPLES_HEADER + SLOTS + 3) + 3);
	check(good && image.generation == 42 && image.live == &image && image.section[BAREPROF_BUILD_ID].size == 5 &&
			image.section[BAREPROF_CNTS].start == memory &&
			image.section[BAREPROF_CNTS].size == 4 * (BAREPROF_SAMPLES_HEADER + SLOTS + 3),
		"the image describes the samples", NULL);
	expected[BAREPROF_SAMPLES_KIND] = 1;
	expected[BAREPROF_SAMPLES_WORDS] = 1;
	expected[BAREPROF_SAMPLES_BASE] = (uint32_t)BASE;
	expected[BAREPROF_SAMPLES_RANGE] = RANGE;
	expected[BAREPROF_SAMPLES_BUILD_ID] = (uint32_t)(uintptr_t)sampler.build_id.start;
	expected[BAREPROF_SAMPLES_BUILD_ID + 1] = (uint32_t)((uint64_t)(uintptr_t)sampler.build_id.start >> 32);
	expected[BAREPROF_SAMPLES_RATE] = 997;
	expected[BAREPROF_SAMPLES_RINGS] = 2;
	expected[BAREPROF_SAMPLES_COUNT] = SLOTS + 3;
	expected[BAREPROF_SAMPLES_DROPPED] = 2;
	expected[BAREPROF_SAMPLES_OUTSIDE] = 1;
	check(equal(memory, expected, 4 * BAREPROF_SAMPLES_HEADER), "the header", NULL);
	for (good = 1, i = 1; i < SLOTS + 3; i++)
		good &= samples[i - 1] <= samples[i];
	check(good && samples[i] == 0xa5a5a5a5, "samples ascend, and nothing is written after them", NULL);
	good = !bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
	check(good && memory[BAREPROF_SAMPLES_COUNT] == 2 && !memory[BAREPROF_SAMPLES_DROPPED] &&
			!memory[BAREPROF_SAMPLES_OUTSIDE] && image.generation == 43,
		"what did not fit comes with the next dump, and counts begin at 0", NULL);
	for (i = 0; i < SLOTS + 1; i++) {
		bareprof_sample(&ring, BASE + i);
		bareprof_sample(&other, BASE - i);
	}
	bareprof_samples_reset(&sampler);
	good = !bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
	check(good && image.section[BAREPROF_CNTS].size == 4 * BAREPROF_SAMPLES_HEADER &&
			!memory[BAREPROF_SAMPLES_COUNT] && !memory[BAREPROF_SAMPLES_DROPPED] &&
			!memory[BAREPROF_SAMPLES_OUTSIDE],
		"a reset discards samples and counts", NULL);
	if (sizeof(size_t) > 4) {
		ring.dropped = (size_t)0x80000000u * 3;
		other.dropped = 7;
		bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
		good = memory[BAREPROF_SAMPLES_DROPPED] == 0xffffffff;
		bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
		good &= memory[BAREPROF_SAMPLES_DROPPED] == 0x80000000 + 8;
		check(good, "a count of more than 32 bits is divided among several dumps", NULL);
	}
}

/* Samples of every number from 0 to 64 must be sorted, with every number of words from 1 to 3. */
static void sort(void)
{
	unsigned int words;
	uint32_t round;
	uint32_t i;
	int good = 1;

	for (words = 1; words <= (BAREPROF_SERVES_STACKS ? 3 : 1); words++)
		for (round = 0; round <= 64; round++) {
			uint32_t sum = 0;
			uint32_t few = round & 1 ? 3 : 0xfff;

			begin(words, 64);
			for (i = 0; i < round * words; i++) {
				slots[i] = (random() & few) + 1;
				sum += slots[i] * (i % words + 1);
			}
			bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
			good &= memory[BAREPROF_SAMPLES_COUNT] == round && memory[BAREPROF_SAMPLES_WORDS] == words;
			for (i = 0; i < round * words; i++)
				sum -= samples[i] * (i % words + 1);
			good &= !sum;
			for (i = 1; i < round; i++) {
				const uint32_t *a = samples + (i - 1) * words;
				unsigned int k = 0;

				while (k < words && a[k] == a[k + words])
					k++;
				good &= k == words || a[k] < a[k + words];
			}
		}
	check(good, "samples of any number are sorted", NULL);
}

static void histogram(void)
{
	static struct bareprof_histogram histogram;
	uint16_t *counters = (uint16_t *)samples;
	size_t size = BAREPROF_HISTOGRAM_SIZE(RANGE + 1, 4);
	uint32_t i;
	int good;

	histogram.sampler = sampler;
	histogram.sampler.range = RANGE + 1;
	histogram.shift = 4;
	memset(memory, 0xa5, sizeof(memory));
	check(size == 64 + 2 * (RANGE / 16 + 1) &&
			bareprof_histogram_init(&histogram, memory, size - 1) == BAREPROF_E_NO_SPACE,
		"a histogram with too little memory is refused", NULL);
	check(!bareprof_histogram_init(&histogram, memory, size) && all(memory, 0, size) &&
			memory[size / 4] >> 16 == 0xa5a5,
		"a histogram is empty at first", NULL);
	bareprof_histogram_sample(&histogram, BASE - 1);
	bareprof_histogram_sample(&histogram, BASE + RANGE + 1);
	good = all(memory, 0, size) && histogram.outside == 2;
	bareprof_histogram_sample(&histogram, BASE);
	bareprof_histogram_sample(&histogram, BASE + 15);
	bareprof_histogram_sample(&histogram, BASE + 16);
	bareprof_histogram_sample(&histogram, BASE + RANGE);
	good &= counters[0] == 2 && counters[1] == 1 && counters[RANGE / 16] == 1 && histogram.counted == 4;
	check(good, "each counter counts 16 bytes of code", NULL);
	for (i = 0; i < 65537; i++)
		bareprof_histogram_sample(&histogram, BASE + 32);
	check(counters[2] == 65535 && !counters[3] && histogram.counted == 65541, "counters saturate", NULL);
	memset(&image, 0, sizeof(image));
	bareprof_histogram_image(&image, &histogram);
	check(memory[BAREPROF_SAMPLES_KIND] == 0x101 && memory[BAREPROF_SAMPLES_WORDS] == 4 &&
			memory[BAREPROF_SAMPLES_COUNT] == 65541 && memory[BAREPROF_SAMPLES_OUTSIDE] == 2 &&
			memory[BAREPROF_SAMPLES_RANGE] == RANGE + 1 && image.section[BAREPROF_CNTS].size == size,
		"the header of a histogram", NULL);
}

static int put(void *context, const void *data, size_t n)
{
	(void)context;
	print(data, n);
	return 0;
}

/* Prints the samples as a capture, and then the raw bytes, for samples.sh. */
static void send(void)
{
	const uint8_t *raw = image.section[BAREPROF_CNTS].start;
	size_t i;

	if (bareprof_capture_samples(&capture, &image, 1, block, sizeof(block)) ||
		bareprof_send(&capture, block, sizeof(block), bareprof_encode_text, put, NULL))
		check(0, "samples are not sent", NULL);
	print("raw ", 4);
	for (i = 0; i < image.section[BAREPROF_CNTS].size; i++) {
		print(&"0123456789abcdef"[raw[i] >> 4], 1);
		print(&"0123456789abcdef"[raw[i] & 15], 1);
	}
	print("\n", 1);
}

static void captures(void)
{
	unsigned int words;
	uint32_t i;

	for (words = 1; words <= (BAREPROF_SERVES_STACKS ? 5 : 1); words++) {
		begin(words, 64);
		for (i = 0; i < 64 * words; i++)
			slots[i] = (random() & (i % words ? 0xffffffff : 0xff)) + 1;
		bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
		send();
	}
	bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
	send();
	check(bareprof_capture_samples(&capture, &image, 1, block, 150) == BAREPROF_E_NO_SPACE, "a buffer too small",
		NULL);
	bareprof_capture_samples(&capture, &image, 1, block, sizeof(block));
	bareprof_samples_collect(&image, &sampler, memory, sizeof(memory));
	check(bareprof_block(&capture, 1, block, sizeof(block)) == BAREPROF_E_STALE,
		"a capture of an old dump is stale", NULL);
	histogram();
	send();
}

void stacks(void);

int test(void)
{
	init();
	hook();
	collect();
	sort();
	captures();
	stacks();
	return 0;
}
