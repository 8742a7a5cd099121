/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewrite.c - fuzzes the rewriter of assembly text. The first byte of an input contains the options: bit 0 is the mode,
 * bit 1 is "atomic", bit 2 is "position-independent", bits 3 and 4 are the processor, and bit 5 together with bit 0 is
 * "sample=64". The text follows.
 */
#include "fuzz.h"
#include "rewrite.h"

/* Returns @text without the lines that the rewriter added, or could have added. */
static struct buffer without_additions(struct bytes text)
{
	struct buffer result = {NULL, 0, 0};

	while (text.size) {
		struct bytes rest = text;
		struct bytes line = bytes_line(&rest);
		size_t mark = strlen(REWRITE_MARK);

		if (line.size < mark || memcmp(line.data + line.size - mark, REWRITE_MARK, mark))
			buffer_add(&result, text.data, text.size - rest.size);
		text = rest;
	}
	return result;
}

static void check_result(struct bytes text, const struct buffer *result, const struct rewrite_options *options)
{
	struct bytes bytes = {result->data, result->size};
	struct buffer before = without_additions(text);
	struct buffer after = without_additions(bytes);
	struct buffer again = {NULL, 0, 0};
	struct rewrite_counts counts;
	struct error error;

	must(same(&before, &after), "a line of the input changed");
	must(!rewrite(bytes, "again", options, &again, &counts, &error), "the result is refused");
	must(same(result, &again) && (counts.by_hand || counts.rewritten_before), "the result changed again");
	buffer_free(&before);
	buffer_free(&after);
	buffer_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"local*", NULL};
	struct rewrite_options options = {.exclude = names};
	struct buffer result = {NULL, 0, 0};
	struct bytes text = {data + 1, size - 1};
	struct rewrite_counts counts;
	struct error error = {""};

	if (!size)
		return 0;
	options.mode = data[0] & 1 ? REWRITE_CALLS : REWRITE_COVERAGE;
	options.sample = (data[0] & 33) == 33 ? 64 : 0;
	options.atomic = data[0] & 2;
	options.position_independent = data[0] & 4;
	options.target = (enum rewrite_target)(data[0] >> 3 & 3);
	if (rewrite(text, "text", &options, &result, &counts, &error))
		must(!result.size && error.text[0], "an error without a message, or with a result");
	else
		check_result(text, &result, &options);
	buffer_free(&result);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	return change_lines(data, size, most, seed);
}
