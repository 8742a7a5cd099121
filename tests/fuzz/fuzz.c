/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz.c - checks what must be true for every profile that a reader accepted. It also has functions for mutators:
 * random numbers, and inputs of two parts.
 */
#include "fuzz.h"
#include "section_sums.h"
#include "indexed.h"
#include "text.h"

#include <sanitizer/allocator_interface.h>
#include <stdio.h>
#include <stdlib.h>

void must(bool so, const char *what)
{
	if (so)
		return;
	fprintf(stderr, "not so: %s\n", what);
	abort();
}

/*
 * For an accepted input of N bytes, the reader may use MEMORY_TIMES * N + MEMORY_BASE bytes of memory. The limit is
 * this high because N bytes of packed names may need 256 * N bytes plus a MiB when they are unpacked (lib/raw/names.c).
 */
#define MEMORY_BASE  (2u << 20)
#define MEMORY_TIMES 512u

static bool read_as(struct model *model, read_function *read, struct bytes bytes, const struct read_options *options)
{
	size_t before = __sanitizer_get_current_allocated_bytes();
	struct error error = {""};

	model_start(model);
	if (read(model, bytes, options, &error) == STATUS_OK) {
		/*
		 * This check may miss a reader that uses too much memory, because the fuzzer's own thread may have
		 * freed memory in the meantime.
		 */
		must(__sanitizer_get_current_allocated_bytes() <= before + MEMORY_BASE + MEMORY_TIMES * bytes.size,
			"memory is bounded by the size of the input");
		return true;
	}
	must(error.text[0], "a refusal has a reason");
	model_free(model);
	return false;
}

enum status read_text_profile(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error)
{
	return text_read(model, bytes, &options->add, error);
}

enum status read_indexed_profile(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error)
{
	return indexed_read(model, bytes, &options->add, error);
}

bool read_into(struct model *model, read_function *read, struct bytes bytes)
{
	struct read_options options = {.add = {.weight = 1}};

	if (!read_as(model, read, bytes, &options))
		return false;
	model_sort(model);
	return true;
}

/* Closes an output that went to memory, and returns the bytes that were written to it. */
static struct buffer taken(struct output *output, enum status status)
{
	struct buffer result = output->pending;
	struct error error;

	output->pending = (struct buffer){0};
	must(output_close(output, status, &error) == STATUS_OK, "memory can be written");
	return result;
}

struct buffer text_of(struct model *model)
{
	struct output output;

	output_memory(&output);
	return taken(&output, text_write(model, &output));
}

struct buffer indexed_of(const struct model *model, unsigned int version)
{
	struct output output;

	output_memory(&output);
	return taken(&output, indexed_write(model, version, &output));
}

bool same(const struct buffer *a, const struct buffer *b)
{
	return a->size == b->size && (!a->size || !memcmp(a->data, b->data, a->size));
}

static struct bytes view(const struct buffer *buffer)
{
	return (struct bytes){buffer->data, buffer->size};
}

static bool fits_text(struct model *model)
{
	struct buffer losses = {0};
	bool fits;

	text_unsupported(model, &losses);
	fits = !losses.size;
	buffer_free(&losses);
	return fits;
}

static void check_text(struct model *model, const struct buffer *text)
{
	struct buffer again;
	struct model read;

	if (!fits_text(model))
		return;
	must(read_into(&read, read_text_profile, view(text)), "text that was written is read");
	again = text_of(&read);
	must(same(text, &again), "text reads back as it was written");
	buffer_free(&again);
	model_free(&read);
}

/*
 * Writes a model as an indexed profile, reads this profile, and writes it again. Both writes must give the same bytes.
 * The newest index version must also keep everything that a text profile has. An older version may lose contents the
 * first time, but must then lose nothing the second time.
 */
static void check_indexed(const struct model *model, unsigned int version, const struct buffer *text)
{
	struct buffer first = indexed_of(model, version);
	struct buffer second;
	struct model read;

	must(read_into(&read, read_indexed_profile, view(&first)), "an indexed profile that was written is read");
	second = indexed_of(&read, version);
	must(same(&first, &second), "an indexed profile reads back as it was written");
	buffer_free(&second);
	if (version == INDEXED_NEWEST) {
		second = text_of(&read);
		must(same(text, &second), "an indexed profile says the same as text");
		buffer_free(&second);
	}
	buffer_free(&first);
	model_free(&read);
}

/* Reads a profile as two shards, joins the shards, and checks that the result is the whole profile. */
static void check_shards(read_function *read, struct bytes bytes, const struct buffer *text)
{
	struct read_options options = {.add = {.weight = 1, .shards = 2}};
	struct model shard[2];
	struct buffer joined;
	struct error error;

	for (options.add.shard = 0; options.add.shard < 2; options.add.shard++)
		must(read_as(&shard[options.add.shard], read, bytes, &options), "a shard reads as the whole does");
	must(model_join(&shard[0], &shard[1], &error) == STATUS_OK, "shards join");
	model_sort(&shard[0]);
	joined = text_of(&shard[0]);
	must(same(text, &joined), "shards are the whole");
	buffer_free(&joined);
	model_free(&shard[0]);
	model_free(&shard[1]);
}

/*
 * Adds the profile @bytes to itself, and returns the sum as a text profile. If @weight is 1, the profile is read twice.
 * If @weight is 2, the profile is read once, with this weight. If @bulk is true, the profile is read with section
 * sums (docs/GLOSSARY.md).
 */
static struct buffer twice(read_function *read, struct bytes bytes, uint64_t weight, bool bulk)
{
	struct section_sums sums = {0};
	struct read_options options = {.add = {.weight = weight}, .sums = bulk ? &sums : NULL};
	struct error error;
	struct buffer text;
	struct model model;

	must(read_as(&model, read, bytes, &options), "what was read is read again");
	if (weight == 1)
		must(read(&model, bytes, &options, &error) == STATUS_OK, "a profile adds to itself");
	if (bulk)
		must(raw_read_end(&model, &options, &error) == STATUS_OK, "a sum is sound");
	model_sort(&model);
	text = text_of(&model);
	model_free(&model);
	return text;
}

static void check_bulk(read_function *read, struct bytes bytes)
{
	struct buffer singly = twice(read, bytes, 1, false);
	struct buffer in_bulk = twice(read, bytes, 1, true);

	must(same(&singly, &in_bulk), "bulk reading changes nothing");
	buffer_free(&in_bulk);
	in_bulk = twice(read, bytes, 2, true);
	buffer_free(&singly);
	singly = twice(read, bytes, 2, false);
	must(same(&singly, &in_bulk), "nor does it with weights");
	buffer_free(&in_bulk);
	buffer_free(&singly);
}

bool check_profile(read_function *read, struct bytes bytes)
{
	struct buffer text;
	struct model model;

	if (!read_into(&model, read, bytes))
		return false;
	text = text_of(&model);
	check_text(&model, &text);
	check_indexed(&model, INDEXED_NEWEST, &text);
	check_indexed(&model, INDEXED_WRITTEN + bytes.size % (INDEXED_NEWEST - INDEXED_WRITTEN), &text);
	model_free(&model);
	check_shards(read, bytes, &text);
	check_bulk(read, bytes);
	buffer_free(&text);
	return true;
}

uint64_t dice_throw(struct dice *dice, uint64_t sides)
{
	uint64_t x = dice->state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	return sides ? x % sides : 0;
}

uint64_t dice_number(struct dice *dice, uint64_t old, size_t file_size)
{
	switch (dice_throw(dice, 8)) {
	case 0:
		return dice_throw(dice, 4);
	case 1:
		return old + 8 * (dice_throw(dice, 9) - 4);
	case 2:
		return old + dice_throw(dice, 5) - 2;
	case 3:
		return UINT64_MAX - dice_throw(dice, 17);
	case 4:
		return (1ull << dice_throw(dice, 64)) - dice_throw(dice, 2);
	case 5:
		return file_size - dice_throw(dice, 16) * 8;
	case 6:
		return old ^ 1ull << dice_throw(dice, 64);
	default:
		return old * (2 + dice_throw(dice, 3));
	}
}

struct buffer dice_bytes(struct bytes old, size_t most)
{
	struct buffer result = {0};

	if (most < old.size)
		old.size = most;
	buffer_reserve(&result, most + 1);
	buffer_add(&result, old.data, old.size);
	result.size = LLVMFuzzerMutate(result.data, result.size, most);
	return result;
}

bool take_two(struct bytes bytes, struct bytes *first, struct bytes *second)
{
	struct cursor cursor = cursor_of(bytes);

	*first = take_bytes(&cursor, take_fixed(&cursor, 4));
	*second = (struct bytes){cursor.at, (size_t)(cursor.end - cursor.at)};
	return !cursor.failed;
}

size_t change_two(uint8_t *data, size_t size, size_t most, struct dice *dice)
{
	struct bytes first;
	struct bytes second;
	struct buffer changed;

	if (!take_two((struct bytes){data, size}, &first, &second) || dice_throw(dice, 4) == 0)
		return LLVMFuzzerMutate(data, size, most);
	if (dice_throw(dice, 2))
		return size - second.size +
		       LLVMFuzzerMutate(data + (size - second.size), second.size, most - (size - second.size));
	changed = dice_bytes(first, first.size + 32);
	if (4 + changed.size + second.size <= most) {
		memmove(data + 4 + changed.size, second.data, second.size);
		memcpy(data + 4, changed.data, changed.size);
		store_uint(data, changed.size, 4, false);
		size = 4 + changed.size + second.size;
	}
	buffer_free(&changed);
	return size;
}
