/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside_samples.c - reads the rings and histograms of samples as bareprof_samples_collect() would collect them
 * (docs/SPEC.md, 5.2). The samples stay in the rings, so they come again in the next profile.
 */
#include "capture_write.h"
#include "outside_capture.h"

#include <bareprof/sample.h>
#include <bareprof/wire.h>
#include <inttypes.h>
#include <stdlib.h>

/* More rings than a system has CPUs. */
#define RINGS_MAX 8192u
/* The largest number of bytes of one dump of samples. */
#define BYTES_MAX ((uint64_t)256 << 20)
/* The largest number of bytes of all rings of a sampler, with free slots. */
#define SLOTS_MAX ((uint64_t)1 << 30)
/* While a CPU collects samples, this number is in the slot that it reads. */
#define SLOT_IS_READ UINT32_MAX

struct reader {
	const struct placed *placed;
	const struct sampler *sampler;
	unsigned int width;
	bool big;
	uint32_t header[BAREPROF_SAMPLES_HEADER];
	uint32_t words;
	uint64_t range;
	uint64_t slots; /* bytes of the rings that were read */
	struct buffer content; /* samples or counters, in the target's byte order */
	bool reset; /* after reading, discard all samples */
	struct error *error;
};

static enum status damaged(const struct reader *reader, const char *what, uint64_t value)
{
	return error_set(reader->error, STATUS_INVALID_INPUT,
		"has a sampler at 0x%" PRIx64 " with %s %" PRIu64
		", which is impossible: the memory was overwritten, or the ELF file %s is not that of the program",
		placed_address(reader->placed, reader->sampler->address), what, value, reader->placed->program->path);
}

/* Reads the number of @size bytes at the link address @address. */
static enum status read_number(const struct reader *reader, uint64_t address, unsigned int size, uint64_t *number)
{
	uint8_t bytes[8];
	enum status status = placed_read(reader->placed, address, bytes, size, reader->error);

	*number = status == STATUS_OK ? load_uint(bytes, size, reader->big) : 0;
	return status;
}

/* Reads the member with the offset @offset of the struct to which the target points with @pointer. */
static enum status follow(const struct reader *reader, uint64_t pointer, uint64_t offset, uint64_t *number)
{
	uint8_t bytes[8];
	enum status status = placed_follow(reader->placed, pointer + offset, bytes, reader->width, reader->error);

	*number = status == STATUS_OK ? load_uint(bytes, reader->width, reader->big) : 0;
	return status;
}

/* Sets @size bytes to 0 to which the target points with @pointer. */
static enum status clear(const struct reader *reader, uint64_t pointer, size_t size)
{
	return outside_fill(reader->placed, pointer - reader->placed->slide, 0, size, reader->error);
}

static void put_pair(uint32_t *words, uint64_t value)
{
	words[0] = (uint32_t)value;
	words[1] = (uint32_t)(value >> 32);
}

/* Adds @count to a number of the header, which stays at its maximum. */
static void add_count(uint32_t *word, uint64_t count)
{
	*word = count > UINT32_MAX - *word ? UINT32_MAX : *word + (uint32_t)count;
}

/* Reads the fields of struct bareprof_sampler. */
static enum status read_sampler(struct reader *reader)
{
	const struct sampler_layout *at = &reader->sampler->layout;
	uint64_t address = reader->sampler->address;
	uint64_t base;
	uint64_t build_id;
	uint64_t id_size;
	uint64_t rate;
	uint64_t words;
	enum status status = read_number(reader, address + at->base, reader->width, &base);

	if (status == STATUS_OK)
		status = read_number(reader, address + at->range, reader->width, &reader->range);
	if (status == STATUS_OK)
		status = read_number(reader, address + at->build_id, reader->width, &build_id);
	if (status == STATUS_OK)
		status = read_number(reader, address + at->build_id + reader->width, reader->width, &id_size);
	if (status == STATUS_OK)
		status = read_number(reader, address + at->rate, 4, &rate);
	if (status == STATUS_OK)
		status = read_number(reader, address + at->words, 4, &words);
	if (status != STATUS_OK)
		return status;
	if (reader->range > BAREPROF_SAMPLE_RANGE_MAX)
		return damaged(reader, "a range of bytes of", reader->range);
	/* A runtime without return addresses has samples of one word, whatever the field says. */
	reader->words = image_symbol(&reader->placed->program->image, "bareprof_sample_stack") ? (uint32_t)words : 1;
	put_pair(&reader->header[BAREPROF_SAMPLES_BASE], base);
	put_pair(&reader->header[BAREPROF_SAMPLES_RANGE], reader->range);
	put_pair(&reader->header[BAREPROF_SAMPLES_BUILD_ID], id_size ? build_id : 0);
	reader->header[BAREPROF_SAMPLES_RATE] = (uint32_t)rate;
	return STATUS_OK;
}

/* Moves the samples in @slots, which were read from the target, to the samples of @reader. */
static enum status take_samples(struct reader *reader, const struct buffer *slots)
{
	size_t stride = 4 * (size_t)reader->words;
	size_t i;

	for (i = 0; i + stride <= slots->size; i += stride) {
		uint64_t first = load_uint(slots->data + i, 4, reader->big);

		if (!first || first == SLOT_IS_READ)
			continue;
		if (first > reader->range)
			return damaged(reader, "a sample at the offset", first - 1);
		buffer_add(&reader->content, slots->data + i, stride);
		add_count(&reader->header[BAREPROF_SAMPLES_COUNT], 1);
	}
	return STATUS_OK;
}

/* Reads the ring to which the target points with @ring, and sets *@next to the next one. */
static enum status read_ring(struct reader *reader, uint64_t ring, uint64_t *next)
{
	const struct sampler_layout *at = &reader->sampler->layout;
	struct buffer slots = {0};
	uint64_t address;
	uint64_t mask;
	uint64_t outside;
	uint64_t dropped;
	enum status status = follow(reader, ring, at->next, next);

	if (status == STATUS_OK)
		status = follow(reader, ring, at->slots, &address);
	if (status == STATUS_OK)
		status = follow(reader, ring, at->mask, &mask);
	if (status == STATUS_OK)
		status = follow(reader, ring, at->outside, &outside);
	if (status == STATUS_OK)
		status = follow(reader, ring, at->dropped, &dropped);
	if (status != STATUS_OK)
		return status;
	if (mask & (mask + 1) || mask >= BYTES_MAX / 4 / reader->words)
		return damaged(reader, "a ring whose number of slots minus 1 is", mask);
	reader->slots += (mask + 1) * 4 * reader->words;
	if (reader->content.size > BYTES_MAX)
		return damaged(reader, "a number of bytes of samples above", BYTES_MAX);
	if (reader->slots > SLOTS_MAX)
		return damaged(reader, "a number of bytes of rings above", SLOTS_MAX);
	buffer_exactly(&slots, (size_t)(mask + 1) * 4 * reader->words);
	slots.size = (size_t)(mask + 1) * 4 * reader->words;
	status = placed_follow(reader->placed, address, slots.data, slots.size, reader->error);
	if (status == STATUS_OK)
		status = take_samples(reader, &slots);
	if (status == STATUS_OK && reader->reset)
		status = clear(reader, address, slots.size);
	if (status == STATUS_OK && reader->reset)
		status = clear(reader, ring + at->outside, reader->width);
	if (status == STATUS_OK && reader->reset)
		status = clear(reader, ring + at->dropped, reader->width);
	buffer_free(&slots);
	add_count(&reader->header[BAREPROF_SAMPLES_OUTSIDE], outside);
	add_count(&reader->header[BAREPROF_SAMPLES_DROPPED], dropped);
	return status;
}

static enum status read_rings(struct reader *reader)
{
	uint64_t ring;
	enum status status =
		read_number(reader, reader->sampler->address + reader->sampler->layout.rings, reader->width, &ring);

	if (status != STATUS_OK || !ring)
		return status;
	if (!reader->words || reader->words > BAREPROF_SAMPLE_WORDS_MAX)
		return damaged(reader, "a number of words of a sample of", reader->words);
	reader->header[BAREPROF_SAMPLES_KIND] = BAREPROF_SAMPLES_LIST;
	reader->header[BAREPROF_SAMPLES_WORDS] = reader->words;
	while (status == STATUS_OK && ring) {
		if (reader->header[BAREPROF_SAMPLES_RINGS]++ == RINGS_MAX)
			return damaged(reader, "a number of rings above", RINGS_MAX);
		status = read_ring(reader, ring, &ring);
	}
	return status;
}

static enum status read_histogram(struct reader *reader)
{
	const struct sampler_layout *at = &reader->sampler->layout;
	uint64_t address = reader->sampler->histogram;
	uint64_t shift;
	uint64_t memory;
	uint64_t counted;
	uint64_t outside;
	size_t size;
	enum status status = read_number(reader, address + at->shift, 4, &shift);

	if (status == STATUS_OK)
		status = read_number(reader, address + at->memory, reader->width, &memory);
	if (status == STATUS_OK)
		status = read_number(reader, address + at->counted, reader->width, &counted);
	if (status == STATUS_OK)
		status = read_number(reader, address + at->histogram_outside, reader->width, &outside);
	if (status != STATUS_OK || !memory)
		return status;
	if (shift > 31)
		return damaged(reader, "a logarithm of a counter's bytes of", shift);
	size = BAREPROF_HISTOGRAM_SIZE(reader->range, shift) - 4 * BAREPROF_SAMPLES_HEADER;
	if (size > BYTES_MAX)
		return damaged(reader, "a number of bytes of counters of", size);
	buffer_exactly(&reader->content, size);
	status = placed_follow(
		reader->placed, memory + 4 * BAREPROF_SAMPLES_HEADER, reader->content.data, size, reader->error);
	reader->content.size = size;
	if (status == STATUS_OK && reader->reset)
		status = clear(reader, memory + 4 * BAREPROF_SAMPLES_HEADER, size);
	if (status == STATUS_OK && reader->reset)
		status = outside_fill(reader->placed, address + at->counted, 0, reader->width, reader->error);
	if (status == STATUS_OK && reader->reset)
		status = outside_fill(reader->placed, address + at->histogram_outside, 0, reader->width, reader->error);
	reader->header[BAREPROF_SAMPLES_KIND] = BAREPROF_SAMPLES_HISTOGRAM;
	reader->header[BAREPROF_SAMPLES_WORDS] = (uint32_t)shift;
	reader->header[BAREPROF_SAMPLES_RINGS] = 1;
	/* Both numbers are modulo 2^32 in a dump that the target makes. */
	reader->header[BAREPROF_SAMPLES_COUNT] = (uint32_t)counted;
	reader->header[BAREPROF_SAMPLES_OUTSIDE] = (uint32_t)outside;
	return status;
}

/* The order of two samples of @context, which points to the reader. */
static int compare_samples(const void *a, const void *b, void *context)
{
	const struct reader *reader = context;
	uint32_t i;

	for (i = 0; i < reader->words; i++) {
		uint64_t x = load_uint((const uint8_t *)a + 4 * i, 4, reader->big);
		uint64_t y = load_uint((const uint8_t *)b + 4 * i, 4, reader->big);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static void add_capture(struct buffer *out, struct reader *reader)
{
	struct begin begin = outside_begin(reader->placed);
	struct buffer stream = {0};
	uint8_t word[4];
	unsigned int i;

	if (reader->header[BAREPROF_SAMPLES_KIND] == BAREPROF_SAMPLES_LIST && reader->content.size)
		qsort_r(reader->content.data, reader->content.size / (4 * (size_t)reader->words),
			4 * (size_t)reader->words, compare_samples, reader);
	for (i = 0; i < BAREPROF_SAMPLES_HEADER; i++) {
		store_uint(word, reader->header[i], 4, reader->big);
		buffer_add(&stream, word, 4);
	}
	buffer_add(&stream, reader->content.data, reader->content.size);
	capture_write(out, &begin, &(struct capture_stream){BAREPROF_STREAM_SAMPLES, {stream.data, stream.size}}, 1);
	buffer_free(&stream);
}

/* Appends the samples of @sampler to @out. If @out is NULL, discards them. */
static enum status read_samples(
	struct buffer *out, const struct placed *placed, const struct sampler *sampler, struct error *error)
{
	struct reader reader = {.placed = placed,
		.sampler = sampler,
		.width = placed->program->image.width,
		.big = placed->program->image.big,
		.reset = !out,
		.error = error};
	enum status status = read_sampler(&reader);

	if (status == STATUS_OK)
		status = sampler->histogram ? read_histogram(&reader) : read_rings(&reader);
	/* A sampler that was not initialized has no samples. */
	if (status == STATUS_OK && out && reader.header[BAREPROF_SAMPLES_RINGS])
		add_capture(out, &reader);
	buffer_free(&reader.content);
	return status;
}

enum status outside_samples(
	struct buffer *out, const struct placed *placed, const struct samplers *samplers, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < samplers->count && status == STATUS_OK; i++)
		status = read_samples(out, placed, &samplers->list[i], error);
	return status;
}

enum status outside_samples_reset(const struct placed *placed, const struct samplers *samplers, struct error *error)
{
	return outside_samples(NULL, placed, samplers, error);
}
