/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_collect.c - collects the samples of all rings for a dump, and makes the header of a dump.
 */
#include "sample_hook.h"

/* Moves *@count to the number @sum of 32 bits. What does not fit stays in *@count. Returns the new sum. */
static uint32_t take_count(size_t *count, uint32_t sum)
{
	size_t all = bareprof_atomic_exchange((bareprof_word *)count, 0);
	size_t part = all < 0xffffffffu - sum ? all : 0xffffffffu - sum;

	if (all != part)
		bareprof_atomic_add(count, all - part);
	return sum + (uint32_t)part;
}

static void put_sample_number(uint32_t *word, uint64_t value)
{
	word[0] = (uint32_t)value;
	word[1] = (uint32_t)(value >> 32);
}

/* Describes @size bytes at @header as *@image, and fills in the words that come from @sampler. */
static void describe_samples(
	struct bareprof_image *image, const struct bareprof_sampler *sampler, uint32_t *header, size_t size)
{
	unsigned int i;

	for (i = 0; i < BAREPROF_SAMPLES_HEADER; i++)
		header[i] = 0;
	put_sample_number(&header[BAREPROF_SAMPLES_BASE], sampler->base);
	put_sample_number(&header[BAREPROF_SAMPLES_RANGE], sampler->range);
	if (sampler->build_id.size)
		put_sample_number(&header[BAREPROF_SAMPLES_BUILD_ID], (uintptr_t)sampler->build_id.start);
	header[BAREPROF_SAMPLES_RATE] = sampler->rate;
	image->live = image;
	image->section[BAREPROF_BUILD_ID] = sampler->build_id;
	image->section[BAREPROF_CNTS].start = header;
	image->section[BAREPROF_CNTS].size = size;
}

/* Returns a number below 0, 0, or above 0 if sample @a is before, equal to or after @b. */
static int compare_samples(const uint32_t *a, const uint32_t *b, size_t stride)
{
	for (; stride && *a == *b; stride--) {
		a++;
		b++;
	}
	return !stride ? 0 : *a < *b ? -1 : 1;
}

static void swap_samples(uint32_t *a, uint32_t *b, size_t stride)
{
	for (; stride; stride--) {
		uint32_t word = *a;

		*a++ = *b;
		*b++ = word;
	}
}

/*
 * Lets the sample at the index @i sink until no sample below it in the heap is larger. The heap has @count samples; below
 * @i are 2 * @i + 1 and 2 * @i + 2.
 */
static void sink_sample(uint32_t *samples, size_t i, size_t count, size_t stride)
{
	size_t below;

	while ((below = 2 * i + 1) < count) {
		uint32_t *upper = samples + i * stride;
		uint32_t *lower = samples + below * stride;

		if (below + 1 < count && compare_samples(lower, lower + stride, stride) < 0) {
			below++;
			lower += stride;
		}
		if (compare_samples(upper, lower, stride) >= 0)
			return;
		swap_samples(upper, lower, stride);
		i = below;
	}
}

/* A heapsort, which needs neither memory nor recursion, and is never slow. */
static void sort_samples(uint32_t *samples, size_t count, size_t stride)
{
	size_t i = count >> 1;

	while (count > 1) {
		if (i) {
			i--;
		} else {
			count--;
			swap_samples(samples, samples + count * stride, stride);
		}
		sink_sample(samples, i, count, stride);
		BAREPROF_YIELD();
	}
}

int bareprof_samples_collect(struct bareprof_image *image, struct bareprof_sampler *sampler, void *memory, size_t size)
{
	size_t stride = BAREPROF_WORDS_OF(sampler);
	uint32_t *header = memory;
	uint32_t *first = header + BAREPROF_SAMPLES_HEADER;
	uint32_t *end = header + size / sizeof(*header);
	uint32_t *to = first;
	struct bareprof_ring *ring;
	uint32_t count = 0;

	if (size < sizeof(*header) * BAREPROF_SAMPLES_HEADER)
		return BAREPROF_E_NO_SPACE;
	image->generation++;
	describe_samples(image, sampler, header, 0);
	header[BAREPROF_SAMPLES_KIND] = BAREPROF_SAMPLES_LIST;
	header[BAREPROF_SAMPLES_WORDS] = (uint32_t)stride;
	for (ring = sampler->rings; ring; ring = ring->next) {
		uint32_t *from = to;

		to = bareprof_ring_drain(ring, to, end);
		/* Some CPUs would need a library for a division. */
		for (; from < to; from += stride)
			count++;
		header[BAREPROF_SAMPLES_RINGS]++;
		header[BAREPROF_SAMPLES_DROPPED] = take_count(&ring->dropped, header[BAREPROF_SAMPLES_DROPPED]);
		header[BAREPROF_SAMPLES_OUTSIDE] = take_count(&ring->outside, header[BAREPROF_SAMPLES_OUTSIDE]);
	}
	header[BAREPROF_SAMPLES_COUNT] = count;
	image->section[BAREPROF_CNTS].size = (size_t)((uint8_t *)to - (uint8_t *)memory);
	sort_samples(first, count, stride);
	return BAREPROF_OK;
}

void bareprof_samples_reset(struct bareprof_sampler *sampler)
{
	struct bareprof_ring *ring;

	for (ring = sampler->rings; ring; ring = ring->next) {
		size_t i;

		for (i = 0; i <= ring->mask; i++)
			bareprof_atomic_exchange_32(&ring->slots[i * BAREPROF_WORDS_OF(sampler)], 0);
		bareprof_atomic_exchange((bareprof_word *)&ring->dropped, 0);
		bareprof_atomic_exchange((bareprof_word *)&ring->outside, 0);
	}
}

void bareprof_histogram_image(struct bareprof_image *image, struct bareprof_histogram *histogram)
{
	const struct bareprof_sampler *sampler = &histogram->sampler;
	uint32_t *header = histogram->memory;

	describe_samples(image, sampler, header, BAREPROF_HISTOGRAM_SIZE(sampler->range, histogram->shift));
	header[BAREPROF_SAMPLES_KIND] = BAREPROF_SAMPLES_HISTOGRAM;
	header[BAREPROF_SAMPLES_WORDS] = histogram->shift;
	header[BAREPROF_SAMPLES_RINGS] = 1;
	header[BAREPROF_SAMPLES_COUNT] = (uint32_t)bareprof_load_relaxed(&histogram->counted);
	header[BAREPROF_SAMPLES_OUTSIDE] = (uint32_t)bareprof_load_relaxed(&histogram->outside);
}
