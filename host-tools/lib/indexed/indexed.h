/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed.h - the indexed format (.profdata), versions 1 to 13, as reader and
 * writer share it. Little-endian always.
 *
 * A file is: header, summary, summary of context-sensitive records (if the
 * profile has them), a hash table from function names to records with its
 * buckets in front and their index after them, then what the header's further
 * offsets point to. The records are read without the index, one bucket after
 * the other: the first must begin where the summary ends.
 */
#ifndef BAREPROF_HOST_INDEXED_H
#define BAREPROF_HOST_INDEXED_H

#include "add_options.h"
#include "model.h"
#include "output.h"

#define INDEXED_MAGIC   0x8169666f72706cffull
#define INDEXED_OLDEST  1u
#define INDEXED_NEWEST  13u
#define INDEXED_WRITTEN 5u /* the oldest that is written */

/* Variants that only indexed profiles have. */
#define INDEXED_VARIANT_MEMPROF (1ull << 62)

/* What came with which version. */
#define INDEXED_SUMMARY   4u
#define INDEXED_VALUES    3u
#define INDEXED_MEMPROF   8u
#define INDEXED_BUILD_IDS 9u
#define INDEXED_TRACES    10u
#define INDEXED_BITMAPS   11u
#define INDEXED_LOOPS     11u /* releases that know no more than 10 refuse the flag of counted loop entries */
#define INDEXED_VTABLES   12u
#define INDEXED_HASH_V4   13u /* front-end hashes without their upper 4 bits: clang 22 */

/* The header: 64-bit words in the order of the file, with the first version that has each. */
#define INDEXED_HEADER_WORDS(X)                                                                                        \
	X(MAGIC, 1)                                                                                                    \
	X(VERSION, 1)                                                                                                  \
	X(UNUSED, 1)                                                                                                   \
	X(HASH_TYPE, 1) /* 0: MD5 */                                                                                   \
	X(HASH_OFFSET, 1)                                                                                              \
	X(MEMPROF_OFFSET, 8)                                                                                           \
	X(BUILD_ID_OFFSET, 9)                                                                                          \
	X(TRACES_OFFSET, 10)                                                                                           \
	X(VTABLE_NAMES_OFFSET, 12)

enum indexed_word {
#define NAME(name, since) INDEXED_WORD_##name,
	INDEXED_HEADER_WORDS(NAME)
#undef NAME
	INDEXED_WORDS
};

/* indexed_words - how many @version has. */
static inline unsigned int indexed_words(unsigned int version)
{
	unsigned int words = 0;

#define COUNT(name, since) words += version >= (since);
	INDEXED_HEADER_WORDS(COUNT)
#undef COUNT
	return words;
}

/* A summary: so many fields, then so many cutoffs with a minimum and a number of blocks. */
#define SUMMARY_FIELDS  6u
#define SUMMARY_CUTOFFS 16u
#define SUMMARY_SIZE    (8u * (2u + SUMMARY_FIELDS + 3u * SUMMARY_CUTOFFS))

/* A context-sensitive record is marked in its function's hash. */
#define HASH_CONTEXT_SENSITIVE (1ull << 60)

/*
 * indexed_read - add the profile in @bytes to @model. After an error the model may
 * hold a part of it: read into a model of its own what must be all or nothing.
 * Errors: INVALID_INPUT, with offset or function.
 */
enum status indexed_read(
	struct model *model, struct bytes bytes, const struct add_options *options, struct error *error);

/* indexed_write - put a sorted model out. Returns the status of @output. */
enum status indexed_write(const struct model *model, unsigned int version, struct output *output);

/* indexed_table_end - how many bytes indexed_write() puts out up to the end of its hash table. */
uint64_t indexed_table_end(const struct model *model, unsigned int version);

#endif
