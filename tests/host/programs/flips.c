/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flips.c STEP FILE... - runs under the sanitizers. It cuts profiles of every format at every byte of their headers and
 * at every STEPth byte behind them, and flips every bit of the headers. Each damaged copy must be refused with a
 * reason, or give the counts of the undamaged file. Other counts are allowed only if the format has no redundancy that
 * would reveal the damage. The program counts such cases.
 */
#include "indexed.h"
#include "input.h"
#include "profile_read.h"
#include "raw_open.h"
#include "text.h"
#include "raw_profile.h"

#include <stdio.h>
#include <stdlib.h>

/* The number of times that each outcome occurred, for the damaged copies of all files of one format. */
struct tally {
	unsigned int files;
	unsigned int copies;
	unsigned int refused;
	unsigned int same;
	unsigned int other;
};

enum damage {
	CUT,
	FLIP,
	DAMAGES
};

static struct tally tally[3][DAMAGES]; /* for raw, indexed and text profiles */
static size_t step;
static unsigned int wrong;
static unsigned int silent;

/* Sets @text to the counts of the profile in @bytes. Returns false if the profile is refused. */
static bool read_counts(struct bytes bytes, struct buffer *text)
{
	struct read_options options = {.add = {.weight = 1}};
	struct error error = {""};
	struct output output;
	struct model model;
	bool accepted;

	model_start(&model);
	accepted = profile_read(&model, bytes, &options, &error) == STATUS_OK;
	silent += !accepted && !error.text[0];
	output_memory(&output);
	if (accepted) {
		/* Only the counts are compared, and not the lines that give the kind of profile. */
		model.variants = 0;
		model_sort(&model);
		text_write(&model, &output);
		text->size = 0;
		buffer_add(text, output.pending.data, output.pending.size);
	}
	output_close(&output, STATUS_OK, &error);
	model_free(&model);
	return accepted;
}

static bool same(const struct buffer *a, const struct buffer *b)
{
	return a->size == b->size && (!a->size || !memcmp(a->data, b->data, a->size));
}

/*
 * Reads the first @size bytes of @copy. Returns true if these bytes are accepted, but give other counts than the
 * undamaged file.
 */
static bool judge(struct tally *result, const uint8_t *copy, size_t size, const struct buffer *original)
{
	/* The allocated memory has exactly @size bytes, so that the sanitizer notices a read beyond its end. */
	uint8_t *block = malloc(size ? size : 1);
	struct buffer text = {0};
	bool accepted;
	bool equal;

	if (size)
		memcpy(block, copy, size);
	accepted = read_counts((struct bytes){block, size}, &text);
	equal = accepted && same(&text, original);
	result->copies++;
	result->refused += !accepted;
	result->same += equal;
	result->other += accepted && !equal;
	buffer_free(&text);
	free(block);
	return accepted && !equal;
}

/* Returns the size of the header of a text profile: the lines that begin with ':' or '#' before the first name. */
static size_t text_header(struct bytes bytes)
{
	struct bytes rest = bytes;
	size_t size = 0;

	while (rest.size && memchr("#:", *rest.data, 2)) {
		bytes_line(&rest);
		size = bytes.size - rest.size;
	}
	return size;
}

static size_t header_of_raw(unsigned int version)
{
	size_t words = 0;

#define COUNT(name, since) words += version >= (since);
	BAREPROF_HEADER_WORDS(COUNT)
#undef COUNT
	return 8 * words;
}

/* Returns true if the format has no redundancy that would reveal this damage. */
static bool cannot_tell(
	enum file_format form, enum damage damage, const struct raw_profile *first, size_t size, size_t at)
{
	if (form == FORMAT_UNKNOWN)
		return true;
	/* A cut exactly between two raw profiles leaves a sound file. */
	if (damage == CUT)
		return form == FORMAT_RAW && first->end < size;
	/*
	 * Two kinds of damage change the meaning of valid data. In an indexed profile, this is a change of the index
	 * version. In a raw profile, it is a change of the variant bit that makes the first counter of each function a
	 * timestamp.
	 */
	return form == FORMAT_INDEXED ? at / 64 == INDEXED_WORD_VERSION : at == (first->big ? 64 + 7 : 64 + 63);
}

static void damage(struct bytes bytes, enum file_format form)
{
	struct tally *result = form == FORMAT_RAW ? tally[0] : form == FORMAT_INDEXED ? tally[1] : tally[2];
	uint8_t *copy = malloc(bytes.size);
	struct buffer original = {0};
	struct raw_profile first = {0};
	struct error error;
	size_t header;
	size_t i;

	if (form == FORMAT_RAW && raw_open(&first, bytes, 0, &error) == STATUS_OK)
		header = header_of_raw(first.version);
	else if (form == FORMAT_INDEXED)
		header = 8 * indexed_words((unsigned int)load_uint(bytes.data + 8, 4, false));
	else
		header = text_header(bytes);
	memcpy(copy, bytes.data, bytes.size);
	if (read_counts(bytes, &original)) {
		result[CUT].files++;
		for (i = 0; i < bytes.size; i += i < header ? 1 : step)
			if (judge(&result[CUT], copy, i, &original))
				wrong += !cannot_tell(form, CUT, &first, bytes.size, i);
		for (i = 0; i < header * 8; i++) {
			copy[i / 8] ^= (uint8_t)(1u << i % 8);
			if (judge(&result[FLIP], copy, bytes.size, &original))
				wrong += !cannot_tell(form, FLIP, &first, bytes.size, i);
			copy[i / 8] ^= (uint8_t)(1u << i % 8);
		}
	}
	raw_close(&first);
	buffer_free(&original);
	free(copy);
}

static void damage_file(const char *path)
{
	struct input input;
	struct error error;

	if (input_read(&input, path, &error) != STATUS_OK)
		return;
	if (input.bytes.size)
		damage(input.bytes, detect_format(input.bytes));
	input_free(&input);
}

static void tell(const struct tally *of, const char *what)
{
	printf("ok - %u %s profiles: of %u cuts %u refused, %u with the same counts, %u with others; of %u header "
	       "bits turned %u, %u and %u\n",
		of->files, what, of[CUT].copies, of[CUT].refused, of[CUT].same, of[CUT].other, of[FLIP].copies,
		of[FLIP].refused, of[FLIP].same, of[FLIP].other);
}

int main(int argc, char **argv)
{
	int i;

	step = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	if (!step)
		return 2;
	for (i = 2; i < argc; i++)
		damage_file(argv[i]);
	tell(tally[0], "raw");
	tell(tally[1], "indexed");
	tell(tally[2], "text");
	printf("%s - other counts only where the format cannot tell (%u elsewhere)\n", wrong ? "not ok" : "ok", wrong);
	printf("%s - every refusal has a reason\n", silent ? "not ok" : "ok");
	return wrong || silent;
}
