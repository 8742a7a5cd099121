/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz.h - what the fuzz targets share. A target reads bytes in one way and
 * holds the program to what must be true of any profile that was read; libFuzzer
 * and the sanitizers judge the rest.
 */
#ifndef BAREPROF_TESTS_FUZZ_H
#define BAREPROF_TESTS_FUZZ_H

#include "profile_read.h"

typedef enum status read_function(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);
read_function read_text_profile;
read_function read_indexed_profile;

/* must - end the program with @what if it is not so: the fuzzer keeps the input. */
void must(bool so, const char *what);

/* read_into - read @bytes into the sorted model @model, which is free after a failure. A refusal has a reason. */
bool read_into(struct model *model, read_function *read, struct bytes bytes);

/* text_of, indexed_of - what is written of a sorted model. */
struct buffer text_of(struct model *model);
struct buffer indexed_of(const struct model *model, unsigned int version);
bool same(const struct buffer *a, const struct buffer *b);

/*
 * check_profile - read @bytes and, if they are accepted: what is written in each
 * form reads back as the same; shards join to the whole; reading in bulk changes
 * nothing. Is it accepted?
 */
bool check_profile(read_function *read, struct bytes bytes);

/* For mutators: a repeatable sequence from the seed that libFuzzer gives. */
struct dice {
	uint64_t state;
};

uint64_t dice_throw(struct dice *dice, uint64_t sides); /* below @sides; 0 if there are none */
/* dice_number - a number that is likely to harm where @old was. */
uint64_t dice_number(struct dice *dice, uint64_t old, size_t file_size);
/* dice_bytes - @old, changed by libFuzzer; at most @most bytes. */
struct buffer dice_bytes(struct bytes old, size_t most);

/* Inputs of two parts: size of the first in 4 bytes, first, second. change_two - one of them changes, sizes stay right. */
bool take_two(struct bytes bytes, struct bytes *first, struct bytes *second);
size_t change_two(uint8_t *data, size_t size, size_t most, struct dice *dice);

/* change_blocks - a mutator of captures: a block changes, and all are sent anew with checksums that hold. */
size_t change_blocks(uint8_t *data, size_t size, size_t most, unsigned int seed);

/* What libFuzzer calls and has. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
