/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz.h - functions for the fuzz targets. A target reads bytes with one reader and checks
 * what must be true for every profile that was read. libFuzzer and the sanitizers notice
 * crashes, leaks, and too much time or memory.
 */
#ifndef BAREPROF_TESTS_FUZZ_H
#define BAREPROF_TESTS_FUZZ_H

#include "profile_read.h"

typedef enum status read_function(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);
read_function read_text_profile;
read_function read_indexed_profile;

/* must - ends the program with @what unless @so is true. The fuzzer then keeps the input. */
void must(bool so, const char *what);

/*
 * read_into - reads @bytes into @model and sorts it. Returns false if @bytes are refused; then
 * the model is freed. Checks that a refusal has a reason.
 */
bool read_into(struct model *model, read_function *read, struct bytes bytes);

/* text_of, indexed_of - return a sorted model as a text or indexed profile. */
struct buffer text_of(struct model *model);
struct buffer indexed_of(const struct model *model, unsigned int version);
bool same(const struct buffer *a, const struct buffer *b);

/*
 * check_profile - reads @bytes. If they are accepted, it checks that the profile in each file format
 * reads back as the same, that shards join to the whole, and that section sums change nothing.
 * Returns whether @bytes are accepted.
 */
bool check_profile(read_function *read, struct bytes bytes);

/* For mutators: a repeatable sequence from the seed that libFuzzer gives. */
struct dice {
	uint64_t state;
};

/* dice_throw - returns a number below @sides, or 0 if @sides is 0. */
uint64_t dice_throw(struct dice *dice, uint64_t sides);
/* dice_number - returns a number that is likely to cause trouble in place of @old. */
uint64_t dice_number(struct dice *dice, uint64_t old, size_t file_size);
/* dice_bytes - returns at most @most bytes that libFuzzer made from @old. */
struct buffer dice_bytes(struct bytes old, size_t most);

/*
 * An input of two parts begins with 4 bytes, the size of the first part. Then both parts follow.
 * take_two - finds the parts. Returns false if the input is cut short. change_two - a mutator
 * that changes one of the parts and keeps the size right.
 */
bool take_two(struct bytes bytes, struct bytes *first, struct bytes *second);
size_t change_two(uint8_t *data, size_t size, size_t most, struct dice *dice);

/* change_blocks - a mutator for captures: changes a block and writes all of them again with right checksums. */
size_t change_blocks(uint8_t *data, size_t size, size_t most, unsigned int seed);

/* libFuzzer calls the first two functions, and defines the third one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
