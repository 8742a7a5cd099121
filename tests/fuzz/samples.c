/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * samples.c - fuzzes the readers of samples. The first byte of an input tells what the rest is. 0: a file, which is a
 * .samples text or a capture with dumps of samples. 1 to 4: the stream of a dump, from a target with pointers of 4 or 8
 * bytes and little-endian or big-endian. Samples that a reader accepts must not change when they are written and read
 * again, and each merge must add up.
 */
#include "fuzz.h"
#include "samples_load.h"
#include "samples_stream.h"
#include "samples_text.h"

#define KINDS 5u

static struct buffer written(const struct samples *samples)
{
	struct buffer text = {NULL, 0, 0};

	samples_text_write(&text, samples);
	return text;
}

/* The samples are sorted, each only once, and keep the limits. */
static void check_list(const struct samples *samples)
{
	size_t i;

	must(samples->shift <= SAMPLE_SHIFT_MAX, "a shift is in range");
	for (i = 0; i < samples->count; i++) {
		const struct sample *sample = &samples->list[i];

		must(sample->count > 0 && sample->depth <= SAMPLE_DEPTH_MAX, "a sample keeps the limits");
		must(sample->stack + sample->depth <= samples->address_count, "a stack is in memory");
		must(!sample->depth || samples->addresses[sample->stack + sample->depth - 1],
			"the outermost address is known");
		must(!i || sample->address >= samples->list[i - 1].address, "addresses ascend");
	}
}

static void check_merge(const struct samples *samples)
{
	struct samples sum = {0};
	struct buffer note = {NULL, 0, 0};
	struct error error;
	uint64_t total = samples_total(samples);

	must(samples_merge(&sum, samples, &note, &error) == STATUS_OK &&
			samples_merge(&sum, samples, &note, &error) == STATUS_OK,
		"samples merge with themselves");
	samples_sort(&sum);
	must(samples_total(&sum) == add_saturating(total, total) && sum.count == samples->count, "counts add up");
	buffer_free(&note);
	samples_free(&sum);
}

static void check_samples(const struct samples *samples)
{
	struct buffer first = written(samples);
	struct samples again = {0};
	struct buffer second;
	struct error error;

	check_list(samples);
	must(samples_text_read(&again, (struct bytes){first.data, first.size}, &error) == STATUS_OK,
		"a file that was written can be read");
	second = written(&again);
	must(same(&first, &second), "a file that was read is written as it was");
	check_merge(samples);
	buffer_free(&first);
	buffer_free(&second);
	samples_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int kind = size ? data[0] % KINDS : 0;
	struct samples samples = {0};
	struct buffer note = {NULL, 0, 0};
	struct error error = {""};
	struct bytes bytes;
	enum status status;

	if (!size)
		return 0;
	/* A copy, so that the sanitizer notices a read after the end. */
	bytes = (struct bytes){data + 1, size - 1};
	if (kind) {
		struct samples_stream stream = {
			.bytes = bytes, .big = kind & 1, .width = kind > 2 ? 8 : 4, .build_id = {NULL, 0}};

		status = samples_stream_read(&samples, &stream, NULL, &error);
	} else {
		status = samples_load_bytes(&samples, bytes, NULL, &note, &error);
	}
	must(status == STATUS_OK || (error.text[0] && !strchr(error.text, '\n')), "a refusal is one line");
	if (status == STATUS_OK)
		check_samples(&samples);
	buffer_free(&note);
	samples_free(&samples);
	return 0;
}

/* Changes lines of a text, blocks of a capture, and bytes of a stream. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	if (size < 2 || data[0] % KINDS || !(seed % 16))
		return LLVMFuzzerMutate(data, size, most);
	if (samples_text_is((struct bytes){data + 1, size - 1}))
		return 1 + change_lines(data + 1, size - 1, most - 1, seed);
	return 1 + change_blocks(data + 1, size - 1, most - 1, seed);
}
