/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz.h - functions for the fuzz targets. Each target reads bytes with one reader, and checks what must be true for
 * every profile that the reader accepted. libFuzzer and the sanitizers notice crashes, leaks, and inputs that take
 * too much time or memory.
 */
#ifndef BAREPROF_TESTS_FUZZ_H
#define BAREPROF_TESTS_FUZZ_H

#include "profile_read.h"

typedef enum status read_function(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);
read_function read_text_profile;
read_function read_indexed_profile;

/* must - unless @so is true, prints @what and ends the program. The fuzzer then keeps the input. */
void must(bool so, const char *what);

/*
 * read_into - reads @bytes into @model and sorts the model. If the reader refuses @bytes, it must give a reason. Then
 * read_into() frees the model and returns false.
 */
bool read_into(struct model *model, read_function *read, struct bytes bytes);

/* text_of, indexed_of - return the sorted @model as a text profile or as an indexed profile. */
struct buffer text_of(struct model *model);
struct buffer indexed_of(const struct model *model, unsigned int version);
bool same(const struct buffer *a, const struct buffer *b);

/*
 * check_profile - reads a profile from @bytes. Returns false if the reader refuses @bytes. Otherwise, it checks three
 * things and returns true. First, the profile does not change when it is written in any file format and read again.
 * Second, its two shards, joined, are the whole profile. Third, a read with section sums gives the same result.
 */
bool check_profile(read_function *read, struct bytes bytes);

/* The state of the random numbers for mutators. The same seed from libFuzzer gives the same numbers. */
struct dice {
	uint64_t state;
};

/* dice_throw - returns a number below @sides, or 0 if @sides is 0. */
uint64_t dice_throw(struct dice *dice, uint64_t sides);
/*
 * dice_number - returns a number to replace @old. The number is likely to cause trouble. For example, it is near @old,
 * near a power of two, or near @file_size, the size of the file in bytes.
 */
uint64_t dice_number(struct dice *dice, uint64_t old, size_t file_size);
/* dice_bytes - lets libFuzzer change the bytes @old, and returns the result, which has at most @most bytes. */
struct buffer dice_bytes(struct bytes old, size_t most);

/*
 * An input of two parts begins with the size of the first part in 4 bytes. Then both parts follow.
 *
 * take_two - finds the two parts. Returns false if the input is cut short.
 *
 * change_two - a mutator that changes one of the parts and keeps the size right.
 */
bool take_two(struct bytes bytes, struct bytes *first, struct bytes *second);
size_t change_two(uint8_t *data, size_t size, size_t most, struct dice *dice);

/* change_blocks - a mutator for captures. It changes a block, and writes all blocks again with right checksums. */
size_t change_blocks(uint8_t *data, size_t size, size_t most, unsigned int seed);

/* change_lines - a mutator for texts. It removes, doubles, copies or replaces a line. */
size_t change_lines(uint8_t *data, size_t size, size_t most, unsigned int seed);

/*
 * in_memory - writes @bytes to a file in memory and returns its path. The path is needed because the code under test
 * opens files by path. The next call replaces the file.
 * change_elf - changes a number in the headers of a 64-bit ELF file, or the content of a section.
 */
const char *in_memory(struct bytes bytes);
void change_elf(uint8_t *elf, size_t size, struct dice *dice);

/* Each fuzz target defines the first two functions, which libFuzzer calls. libFuzzer defines the third. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

#endif
