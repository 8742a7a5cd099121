/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * indexed.h - the indexed file format (.profdata), index versions 1 to 13, for the reader and the writer. All numbers
 * in this file format are little-endian. A file starts with a header and a summary. If the profile is
 * context-sensitive, a second summary follows. Then follow a hash table from names to records, and other data whose
 * offsets are in the header. The hash table consists of its buckets and then an index with their offsets. The reader
 * reads the buckets one after the other and does not need the index to find them. The first bucket must begin where the
 * last summary ends.
 */
#ifndef BAREPROF_HOST_INDEXED_H
#define BAREPROF_HOST_INDEXED_H

#include "add_options.h"
#include "cutoffs.h"
#include "model.h"
#include "output.h"

#define INDEXED_MAGIC   0x8169666f72706cffull
#define INDEXED_OLDEST  1u
#define INDEXED_NEWEST  13u
#define INDEXED_WRITTEN 5u /* the oldest version that indexed_write() can write */

/* The variant of profiles that contain a memory profile. Only indexed profiles have it. */
#define INDEXED_VARIANT_MEMPROF (1ull << 62)

/* The first index version that can hold each kind of data. */
#define INDEXED_SUMMARY   4u
#define INDEXED_VALUES    3u
#define INDEXED_MEMPROF   8u
#define INDEXED_BUILD_IDS 9u
#define INDEXED_TRACES    10u
#define INDEXED_BITMAPS   11u
#define INDEXED_LOOPS     11u /* LLVM releases that read at most version 10 refuse profiles that count loop entries */
#define INDEXED_VTABLES   12u
#define INDEXED_HASH_V4   13u /* front-end hashes of clang 22, whose upper 4 bits are always 0 */

/*
 * The 64-bit words of the header in the order of the file. The number after each word is the first
 * index version that has the word.
 */
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

/* indexed_words - returns the number of header words in index version @version. */
static inline unsigned int indexed_words(unsigned int version)
{
	unsigned int words = 0;

#define COUNT(name, since) words += version >= (since);
	INDEXED_HEADER_WORDS(COUNT)
#undef COUNT
	return words;
}

/*
 * The sizes of a summary. A summary consists of the number of fields, the number of cutoffs, the
 * fields, and the cutoffs. Each field is a number, and each cutoff consists of three numbers. All
 * numbers have 8 bytes.
 */
#define SUMMARY_FIELDS 6u
#define SUMMARY_SIZE   (8u * (2u + SUMMARY_FIELDS + 3u * SUMMARY_CUTOFFS))

/* This bit in the structural hash of a function marks a context-sensitive record. */
#define HASH_CONTEXT_SENSITIVE (1ull << 60)

/*
 * indexed_read - adds the profile in @bytes to @model. After an error, @model may contain a part of
 * the functions. A caller that needs either all functions or none must read into a model of its
 * own. Errors: INVALID_INPUT; the text names an offset or a function.
 */
enum status indexed_read(
	struct model *model, struct bytes bytes, const struct add_options *options, struct error *error);

/* indexed_write - writes a sorted model in index version @version. Returns the status of @output. */
enum status indexed_write(const struct model *model, unsigned int version, struct output *output);

/* indexed_table_end - returns the offset of the end of the hash table in the file that indexed_write() writes. */
uint64_t indexed_table_end(const struct model *model, unsigned int version);

#endif
