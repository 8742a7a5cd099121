/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_cuts.c ELF CAPTURE PROFRAW - the capture of counters cut at every byte, with
 * every bit turned, with blocks dropped, doubled, mixed up and made up: what comes
 * out is the very profile, or a refusal with a reason; with --partial also functions
 * of it, each as in the whole. How often which is printed.
 */
#include "dump.h"
#include "host_make.h"
#include "input.h"
#include "names.h"

#include <bareprof/wire.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS_MAX 256

static struct programs programs;
static struct bytes expected;
static struct block blocks[BLOCKS_MAX];
static size_t block_count;

/* What became of the damaged ones of one kind. */
struct tally {
	unsigned int same;
	unsigned int refused;
	unsigned int part;
	unsigned int wrong;
};

static void keep_block(void *context, const struct block *block)
{
	struct buffer *payloads = context;

	if (block_count == BLOCKS_MAX)
		return;
	blocks[block_count] = *block;
	/* The scanner's own bytes go away. */
	buffer_reserve(payloads, block->payload.size);
	buffer_add(payloads, block->payload.data, block->payload.size);
	blocks[block_count++].payload.data = payloads->data + payloads->size - block->payload.size;
}

/* Is each function of the partial profile in the whole one, with its counts? */
static bool is_part(struct bytes part)
{
	struct raw_profile whole;
	struct raw_profile some;
	struct error error;
	uint64_t i;
	uint64_t j;

	if (raw_open(&whole, expected, 0, &error) != STATUS_OK || raw_open(&some, part, 0, &error) != STATUS_OK)
		return false;
	for (i = 0; i < some.records; i++) {
		struct raw_function a;
		struct raw_function b = {0};

		raw_function(&some, i, &a, &error);
		for (j = 0; j < whole.records; j++) {
			raw_function(&whole, j, &b, &error);
			if (a.name == b.name && a.hash == b.hash)
				break;
		}
		if (j == whole.records || a.counters.size != b.counters.size ||
			memcmp(a.counters.data, b.counters.data, a.counters.size) != 0)
			return false;
	}
	return some.records > 0;
}

static void judge(struct bytes carrier, bool partial, struct tally *tally)
{
	struct remarks remarks = {0};
	struct error error = {""};
	struct dump dump;
	enum status status;

	dump_start(&dump, NULL, NULL);
	dump.completing = (struct completing){.programs = &programs, .partial = partial, .remarks = &remarks};
	scan_bytes(&dump.scan, carrier);
	status = dump_finish(&dump, NULL, &error);
	if (status != STATUS_OK) {
		tally->refused += error.text[0] != 0;
		tally->wrong += !error.text[0];
	} else if (dump.stream.size == expected.size && !memcmp(dump.stream.data, expected.data, expected.size)) {
		tally->same++;
	} else if (partial && is_part((struct bytes){dump.stream.data, dump.stream.size})) {
		/* Without END all functions can be there: then that is what is said. */
		tally->part += remarks.text.size != 0;
		tally->wrong += !remarks.text.size;
	} else {
		tally->wrong++;
	}
	remarks_free(&remarks);
	dump_free(&dump);
}

static int failures;

static void tell(const char *what, const struct tally *tally, bool some)
{
	bool good = !tally->wrong && (!some || tally->refused || tally->part);

	printf("%s - %s: %u the very profile, %u parts of it, %u refused, %u wrong\n", good ? "ok" : "not ok", what,
		tally->same, tally->part, tally->refused, tally->wrong);
	failures += !good;
}

/* A copy of its own size, so that the sanitizer sees a step beyond it. */
static void judge_copy(const uint8_t *data, size_t size, bool partial, struct tally *tally)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (size)
		memcpy(copy, data, size);
	judge((struct bytes){copy, size}, partial, tally);
	free(copy);
}

static void cuts(struct bytes capture, bool partial)
{
	struct tally tally = {0};
	size_t size;

	for (size = 0; size < capture.size; size++)
		judge_copy(capture.data, size, partial, &tally);
	tell(partial ? "cut at every byte, partial" : "cut at every byte", &tally, true);
}

static void flips(struct bytes capture, bool partial)
{
	struct tally tally = {0};
	uint8_t *copy = malloc(capture.size);
	size_t i;

	memcpy(copy, capture.data, capture.size);
	for (i = 0; i < capture.size * 8; i++) {
		copy[i / 8] ^= (uint8_t)(1u << i % 8);
		judge((struct bytes){copy, capture.size}, partial, &tally);
		copy[i / 8] ^= (uint8_t)(1u << i % 8);
	}
	free(copy);
	tell(partial ? "each bit turned, partial" : "each bit turned", &tally, true);
}

/* Blocks dropped, doubled and in any order; some damaged. */
static void mixes(unsigned int rounds, bool partial)
{
	struct tally tally = {0};
	uint64_t random = 5;
	unsigned int round;

	for (round = 0; round < rounds; round++) {
		struct buffer carrier = {0};
		size_t n = make_random(&random) % (3 * block_count);
		size_t i;

		buffer_add(&carrier, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
		for (i = 0; i < n + block_count; i++) {
			size_t at = carrier.size;

			block_write(&carrier, &blocks[make_random(&random) % block_count]);
			if (make_random(&random) % 20 == 0)
				carrier.data[at + make_random(&random) % (carrier.size - at)] ^=
					(uint8_t)(1 + make_random(&random) % 255);
		}
		judge((struct bytes){carrier.data, carrier.size}, partial, &tally);
		buffer_free(&carrier);
	}
	tell(partial ? "blocks dropped, doubled, mixed up, partial" : "blocks dropped, doubled, mixed up", &tally,
		true);
}

/* A target that writes nonsense: the checksums hold. No crash, and a reason, is all that can be asked for. */
static void lies(unsigned int rounds)
{
	uint64_t random = 9;
	unsigned int silent = 0;
	unsigned int round;

	for (round = 0; round < rounds; round++) {
		struct buffer carrier = {0};
		struct buffer payload = {0};
		struct tally tally = {0};
		size_t victim = make_random(&random) % block_count;
		size_t i;

		buffer_add(&carrier, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
		for (i = 0; i < block_count; i++) {
			struct block block = blocks[i];

			if (i == victim) {
				buffer_add(&payload, block.payload.data, block.payload.size);
				payload.data[make_random(&random) % payload.size] = (uint8_t)make_random(&random);
				block.payload = (struct bytes){payload.data, payload.size};
			}
			block_write(&carrier, &block);
		}
		judge((struct bytes){carrier.data, carrier.size}, round & 1, &tally);
		silent += !tally.same && !tally.refused && !tally.part && !tally.wrong;
		buffer_free(&carrier);
		buffer_free(&payload);
	}
	printf("%s - %u lies with checksums that hold\n", silent ? "not ok" : "ok", rounds);
	failures += silent != 0;
}

int main(int argc, char **argv)
{
	struct input capture;
	struct input profile;
	struct buffer payloads = {0};
	struct scan scan = {.block = keep_block, .context = &payloads};
	struct tally whole = {0};
	struct error error;
	int partial;

	programs_start(&programs);
	if (argc != 4 || programs_elf(&programs, argv[1], &error) != STATUS_OK ||
		input_read(&capture, argv[2], &error) != STATUS_OK ||
		input_read(&profile, argv[3], &error) != STATUS_OK) {
		printf("not ok - what is needed cannot be read\n");
		return 1;
	}
	expected = profile.bytes;
	buffer_reserve(&payloads, capture.bytes.size);
	scan_bytes(&scan, capture.bytes);
	judge(capture.bytes, false, &whole);
	printf("%s - undamaged: the very profile of %zu blocks\n", whole.same && block_count > 4 ? "ok" : "not ok",
		block_count);
	failures += !whole.same || block_count <= 4;
	for (partial = 0; partial < 2; partial++) {
		cuts(capture.bytes, partial);
		flips(capture.bytes, partial);
		mixes(getenv("BAREPROF_WIDE") ? 500000 : 10000, partial);
	}
	lies(getenv("BAREPROF_WIDE") ? 100000 : 5000);
	scan_free(&scan);
	buffer_free(&payloads);
	input_free(&capture);
	input_free(&profile);
	programs_free(&programs);
	return failures != 0;
}
