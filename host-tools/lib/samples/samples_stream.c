/* SPDX-License-Identifier: BSD-2-Clause */
/* samples_stream.c - reads the samples in a dump. It checks each word before it uses it. */
#include "samples_stream.h"

#include <bareprof/wire.h>
#include <elf.h>
#include <inttypes.h>

#define HEADER_WORDS BAREPROF_SAMPLES_HEADER
#define WORD         4u
#define COUNTER      2u /* size of a counter of a histogram in bytes */
#define RESERVED     13u /* the first word of the header that must be 0 */

/* The header, and what is necessary to turn offsets into link addresses. */
struct reader {
	const struct samples_stream *stream;
	struct samples *samples;
	struct error *error;
	uint64_t base; /* link address of offset 0 */
	uint64_t range; /* in bytes */
	uint64_t mask; /* all bits of an address */
	uint64_t thumb; /* the bits to clear in an address */
	bool histogram;
	uint32_t unit; /* number of words of a sample, or the shift of a histogram */
	uint64_t id_address; /* run-time address of the build id; 0: not known */
	uint32_t taken; /* samples in this dump */
};

static uint32_t word(const struct reader *reader, uint64_t index)
{
	return (uint32_t)load_uint(reader->stream->bytes.data + index * WORD, WORD, reader->stream->big);
}

static uint64_t pair(const struct reader *reader, uint64_t index)
{
	return word(reader, index) | (uint64_t)word(reader, index + 1) << 32;
}

/* Returns an error about the stream. @index is the index of the word that is wrong. */
static enum status damaged(const struct reader *reader, uint64_t index, const char *what)
{
	return error_set(reader->error, STATUS_INVALID_INPUT,
		"is damaged at offset %" PRIu64 " of its samples: %s; dump again", index * WORD, what);
}

static enum status read_kind(struct reader *reader)
{
	uint32_t first = word(reader, BAREPROF_SAMPLES_KIND);
	unsigned int i;

	reader->histogram = first == BAREPROF_SAMPLES_HISTOGRAM;
	reader->unit = word(reader, BAREPROF_SAMPLES_WORDS);
	if (first != BAREPROF_SAMPLES_LIST && !reader->histogram)
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"has samples of version %" PRIu32 ", kind %" PRIu32 " and flags %#" PRIx32
			", which this bareprof does not know; use a newer bareprof",
			first & 0xff, first >> 8 & 0xff, first >> 16);
	for (i = RESERVED; i < HEADER_WORDS; i++)
		if (word(reader, i))
			return error_set(reader->error, STATUS_INVALID_INPUT,
				"has samples whose header has a word at offset %u that this bareprof does not know; "
				"use a newer bareprof",
				i * WORD);
	if (!reader->histogram && (!reader->unit || reader->unit > SAMPLE_DEPTH_MAX + 1))
		return damaged(reader, BAREPROF_SAMPLES_WORDS, "a sample has from 1 to 256 words");
	if (reader->histogram && reader->unit > SAMPLE_SHIFT_MAX)
		return damaged(reader, BAREPROF_SAMPLES_WORDS, "a counter stands for at most 2^31 bytes");
	return STATUS_OK;
}

/* Finds out how far the image was moved. */
static enum status find_slide(struct reader *reader, const struct sample_program *program)
{
	uint64_t id_address = pair(reader, BAREPROF_SAMPLES_BUILD_ID);

	reader->base = pair(reader, BAREPROF_SAMPLES_BASE);
	reader->range = pair(reader, BAREPROF_SAMPLES_RANGE);
	if ((reader->base & reader->mask) != reader->base || (id_address & reader->mask) != id_address)
		return damaged(reader, BAREPROF_SAMPLES_BASE, "an address has more bits than a pointer of the target");
	if (reader->range > UINT32_MAX || (reader->range && reader->range - 1 > reader->mask - reader->base))
		return damaged(reader, BAREPROF_SAMPLES_RANGE, "the range ends after the last address");
	if (!id_address)
		return STATUS_OK;
	if (!program)
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"has samples of an image that a loader may have moved; name its ELF file with --elf");
	if (!program->build_id_loaded)
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"has samples of an image with a build id in memory, but the build id of the ELF file %s has no "
			"address; give the linked image as it was before strip or objcopy",
			program->path);
	reader->base = (reader->base - id_address + program->build_id_address) & reader->mask;
	return STATUS_OK;
}

/* Returns the link address of @offset. */
static uint64_t address_of(const struct reader *reader, uint64_t offset)
{
	return (reader->base + offset) & reader->mask & ~reader->thumb;
}

/* Reads the sample whose first word has the index @at. */
static enum status read_sample(struct reader *reader, uint64_t at)
{
	uint64_t stack[SAMPLE_DEPTH_MAX];
	uint32_t depth = 0;
	uint32_t i;

	if (!word(reader, at) || word(reader, at) > reader->range)
		return damaged(reader, at, "the address of a sample is not in the sampled range");
	for (i = 1; i < reader->unit; i++) {
		uint32_t value = word(reader, at + i);

		/* The return address of a call that never returns may be the end of the range. */
		if (value && value - 1 > reader->range)
			return damaged(reader, at + i, "a return address is not in the sampled range");
		stack[i - 1] = value ? address_of(reader, value - 1) : 0;
		depth = stack[i - 1] ? i : depth;
	}
	samples_add(reader->samples, address_of(reader, word(reader, at) - 1), 1, stack, depth);
	return STATUS_OK;
}

static enum status read_list(struct reader *reader)
{
	uint64_t words = (uint64_t)reader->taken * reader->unit;
	enum status status = STATUS_OK;
	uint64_t at;

	if (reader->stream->bytes.size != (HEADER_WORDS + words) * WORD)
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"is damaged at offset 40 of its samples: %" PRIu32 " samples of %" PRIu32 " words need %" PRIu64
			" bytes, but the stream has %zu; dump again",
			reader->taken, reader->unit, (HEADER_WORDS + words) * WORD, reader->stream->bytes.size);
	for (at = HEADER_WORDS; at < HEADER_WORDS + words && status == STATUS_OK; at += reader->unit)
		status = read_sample(reader, at);
	return status;
}

static enum status read_histogram(struct reader *reader)
{
	uint64_t counters = (reader->range + (((uint64_t)1 << reader->unit) - 1)) >> reader->unit;
	const uint8_t *counter = reader->stream->bytes.data + HEADER_WORDS * WORD;
	uint64_t counted = 0;
	uint64_t i;

	if (reader->stream->bytes.size != HEADER_WORDS * WORD + counters * COUNTER)
		return error_set(reader->error, STATUS_INVALID_INPUT,
			"is damaged at offset 16 of its samples: a range of %" PRIu64 " bytes has %" PRIu64
			" counters, but the stream has %zu bytes for them; dump again",
			reader->range, counters, reader->stream->bytes.size - HEADER_WORDS * WORD);
	for (i = 0; i < counters; i++) {
		uint64_t count = load_uint(counter + i * COUNTER, COUNTER, reader->stream->big);

		counted += count;
		if (count)
			samples_add(reader->samples, address_of(reader, i << reader->unit), count, NULL, 0);
	}
	reader->samples->shift = reader->unit;
	/* Samples that met a counter at its maximum were counted, but their addresses are lost. */
	if (reader->taken > counted)
		reader->samples->dropped = add_saturating(reader->samples->dropped, reader->taken - counted);
	return STATUS_OK;
}

enum status samples_stream_read(struct samples *samples, const struct samples_stream *stream,
	const struct sample_program *program, struct error *error)
{
	struct reader reader = {.stream = stream,
		.samples = samples,
		.error = error,
		.mask = stream->width == 4 ? UINT32_MAX : UINT64_MAX,
		.thumb = program && program->image.machine == EM_ARM};
	enum status status;

	if (stream->bytes.size < HEADER_WORDS * WORD)
		return error_set(error, STATUS_INVALID_INPUT,
			"is damaged: its samples end within their header, at offset %zu; dump again",
			stream->bytes.size);
	buffer_add(&samples->build_id, stream->build_id.data, stream->build_id.size);
	status = program ? sample_program_fits(program, samples, error) : STATUS_OK;
	if (status == STATUS_OK)
		status = read_kind(&reader);
	if (status == STATUS_OK)
		status = find_slide(&reader, program);
	if (status != STATUS_OK)
		return status;
	samples->rate = word(&reader, BAREPROF_SAMPLES_RATE);
	samples->cpus = word(&reader, BAREPROF_SAMPLES_RINGS);
	samples->dropped = word(&reader, BAREPROF_SAMPLES_DROPPED);
	samples->outside = word(&reader, BAREPROF_SAMPLES_OUTSIDE);
	samples->any = true;
	reader.taken = word(&reader, BAREPROF_SAMPLES_COUNT);
	status = reader.histogram ? read_histogram(&reader) : read_list(&reader);
	samples_sort(samples);
	return status;
}
