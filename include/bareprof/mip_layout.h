/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_layout.h - the layouts of machine profiles. No other file repeats these constants.
 * docs/SPEC.md defines the formats and explains these constants.
 *
 * Target and host share this header, which contains only constants. A machine profile needs
 * three files: the .mipraw from the target (which functions ran), the .mipmap from the link
 * (which function each byte of the .mipraw belongs to), and the .mip (the profile).
 */
#ifndef BAREPROF_MIP_LAYOUT_H
#define BAREPROF_MIP_LAYOUT_H

/* The magic number of all three files: the bytes FB 4D 49 50 on a little-endian machine. */
#define BAREPROF_MIP_MAGIC 0x50494dfbu

/* The versions. Version 8 is the version of LLVM's review D104060, version 9 is bareprof's own. */
#define BAREPROF_MIP_V8 8u
#define BAREPROF_MIP_V9 9u

/* The types of a file or record. */
#define BAREPROF_MIP_TYPE_RAW     1u
#define BAREPROF_MIP_TYPE_MAP     2u
#define BAREPROF_MIP_TYPE_PROFILE 3u

/* The bits of "kinds", which say what the code records. */
#define BAREPROF_MIP_KIND_COVERAGE 0x01u /* whether a function ran */
#define BAREPROF_MIP_KIND_BLOCKS   0x02u /* whether each block of code ran */
#define BAREPROF_MIP_KIND_ORDER    0x04u /* the order in which functions first ran */
#define BAREPROF_MIP_KIND_COUNT    0x08u /* the number of calls */
#define BAREPROF_MIP_KIND_RETURNS  0x10u /* samples of return addresses */
#define BAREPROF_MIP_KIND_WRAPS    0x20u /* block counters that are 0 again after 256 runs; only in .mip files */
#define BAREPROF_MIP_KIND_FULL     0x40u /* block bytes that start as 0xff instead of 0; only in .mip files */
#define BAREPROF_MIP_KIND_CALLS    (BAREPROF_MIP_KIND_ORDER | BAREPROF_MIP_KIND_COUNT)
#define BAREPROF_MIP_KIND_SAMPLED  (BAREPROF_MIP_KIND_CALLS | BAREPROF_MIP_KIND_RETURNS)

/*
 * The sections. The bounds of the raw sections have symbols of other names (BAREPROF_MIP_BOUNDS_...).
 * If a symbol __start_NAME existed for a section NAME, GNU ld would keep the bytes of functions that
 * --gc-sections drops.
 */
#define BAREPROF_MIP_SECTION_COVERAGE "__llvm_mipraw_cov"
#define BAREPROF_MIP_SECTION_CALLS    "__llvm_mipraw_calls"
#define BAREPROF_MIP_SECTION_BLOCKS   "__llvm_mipraw_blk"
#define BAREPROF_MIP_SECTION_SAMPLES  "__llvm_mipraw_smp"
#define BAREPROF_MIP_SECTION_MAP      "__llvm_mipmap"
#define BAREPROF_MIP_SECTION_PCS      "__llvm_mippcs" /* the table of blocks */
#define BAREPROF_MIP_BOUNDS_COVERAGE  "bareprof_mip_cov" /* after __start_ and __stop_ */
#define BAREPROF_MIP_BOUNDS_CALLS     "bareprof_mip_calls"
#define BAREPROF_MIP_BOUNDS_BLOCKS    "bareprof_mip_blk"
#define BAREPROF_MIP_BOUNDS_SAMPLES   "bareprof_mip_smp"
#define BAREPROF_MIP_BOUNDS_WRAPS     "bareprof_mip_wraps" /* the part of the block bytes that wraps */

/*
 * The start value of the block bytes of `bareprof mip cc`. A block ran exactly if its byte has another
 * value. They come before __start_bareprof_mip_wraps. The bytes after this symbol are those of clang's own
 * flags. They start as 0, and a block ran if its byte is not 0.
 */
#define BAREPROF_MIP_BLOCKS_START 0xffu

/*
 * The sections that clang makes for -fsanitize-coverage=bb,pc-table. The linker script puts the first
 * two among the block bytes, and the third into the table of blocks. The counters of the first section
 * wrap.
 */
#define BAREPROF_MIP_SANCOV_COUNTERS "__sancov_cntrs"
#define BAREPROF_MIP_SANCOV_FLAGS    "__sancov_bools"
#define BAREPROF_MIP_SANCOV_PCS      "__sancov_pcs"

/*
 * The table of blocks has an entry of two pointers for each block byte, in the same order, in the
 * target's byte order: the address of the block, and flags. The bytes of a function follow each
 * other, and its entry block comes first.
 */
#define BAREPROF_MIP_PCS_FUNCTION 1u /* flag: the block is the entry of a function */
#define BAREPROF_MIP_PCS_DELETED  1u /* instead of an address: the compiler deleted the block */

/*
 * The start value of a coverage byte. A function ran exactly if its byte has another value. Only
 * AArch64 starts with 0xff, because it has a register that is always 0 and none that is never 0.
 */
#define BAREPROF_MIP_COVERAGE_START_AARCH64 0xffu
#define BAREPROF_MIP_COVERAGE_START         0x00u

/* The entry of a function in mode "calls": two words in the target's byte order. All bytes start as 0xff. */
#define BAREPROF_MIP_CALLS_SIZE  8u
#define BAREPROF_MIP_CALLS_START 0xffu
#define BAREPROF_MIP_CALLS_COUNT 0u /* u32, number of calls minus 1, less 2^31 for each overflow */
#define BAREPROF_MIP_CALLS_ORDER 4u /* u32, BAREPROF_MIP_ORDER_NONE, or the order and the number of overflows */
/*
 * The lower 24 bits of an order word are the order. The first function has the order 1. All
 * functions after number 0xfffffe have the order 0xfffffe. The upper 8 bits are the number of
 * overflows: how many times 2^31 was taken off the count. This number stops at 255. So a
 * function with an order was called count + 1 + overflows * 2^31 times.
 */
#define BAREPROF_MIP_ORDER_NONE     0xffffffffu /* the function was not called, or its first call is not complete */
#define BAREPROF_MIP_ORDER_MASK     0x00ffffffu
#define BAREPROF_MIP_ORDER_MAX      0x00fffffeu
#define BAREPROF_MIP_OVERFLOW_SHIFT 24u
#define BAREPROF_MIP_OVERFLOW_MAX   255u
#define BAREPROF_MIP_OVERFLOW_CALLS 0x80000000u /* number of calls for which one overflow stands */

/*
 * The entry of a function in mode "calls,sample=N" has two words more. All bytes start as 0xff. The
 * count is the negative distance to the next sample, and `drawn` is the sum of all distances drawn so
 * far, minus 1. So the function was called drawn + count + 2 times (modulo 2^64).
 */
#define BAREPROF_MIP_SAMPLED_SIZE 16u
#define BAREPROF_MIP_CALLS_DRAWN  8u /* u64 */
#define BAREPROF_MIP_SAMPLE_N_MAX 65536u

/* The symbol of a byte that tells the target the mean distance N: it is 31 - log2(N). */
#define BAREPROF_MIP_PERIOD "__bareprof_mip_period"

/*
 * The ring of samples: a header and then slots, in the target's byte order. A slot is {u32 callee, u32
 * site}. The callee is the offset of the function's entry in the section of call entries, plus 1; 0
 * means that the slot is empty. The site is the return address (without the Thumb bit) minus the start
 * of the section of call entries, as a signed number; 0 means that the distance does not fit into 32
 * bits. A sample with the number n, which begins at 0, goes into the slot n modulo the number of slots,
 * which is a power of two.
 */
#define BAREPROF_MIP_SAMPLES_HEADER 8u
#define BAREPROF_MIP_SAMPLES_TAKEN  0u /* u32, number of samples that were taken, modulo 2^32; then a u32 0 */
#define BAREPROF_MIP_SAMPLE_SIZE    8u
#define BAREPROF_MIP_SAMPLE_CALLEE  0u
#define BAREPROF_MIP_SAMPLE_SITE    4u

/*
 * A map record of version 9. All fields are little-endian on every target. A record starts with
 * its own magic number, so the section of the map is the same as the .mipmap file. Offsets in
 * bytes:
 */
#define BAREPROF_MIP_MAP_MAGIC         0u /* u32 */
#define BAREPROF_MIP_MAP_VERSION       4u /* u16 */
#define BAREPROF_MIP_MAP_TYPE          6u /* u16 */
#define BAREPROF_MIP_MAP_SIZE          8u /* u32, bytes of the record with padding, a multiple of 8 */
#define BAREPROF_MIP_MAP_KINDS         12u /* u16, 0 if the function is left out */
#define BAREPROF_MIP_MAP_REASON        14u /* u8, enum bareprof_mip_reason */
#define BAREPROF_MIP_MAP_START         15u /* u8, the start value of the raw bytes */
#define BAREPROF_MIP_MAP_RAW           16u /* u64, address of the raw byte or entry; 0 if the function is left out */
#define BAREPROF_MIP_MAP_FUNCTION      24u /* u64, address of the function, without the Thumb bit */
#define BAREPROF_MIP_MAP_FUNCTION_SIZE 32u /* u32, bytes */
#define BAREPROF_MIP_MAP_NAME_SIZE     36u /* u32, bytes of the name, without a NUL */
#define BAREPROF_MIP_MAP_NAME          40u /* the name of the symbol, then zeros up to the end of the record */

/* Why a function is left out. X(number, NAME, "reason in words") */
#define BAREPROF_MIP_REASONS(X)                                                                                        \
	X(1, ASSEMBLY, "naked, or only inline assembly")                                                               \
	X(2, INTERRUPT, "interrupt function")                                                                          \
	X(3, SECTION, "in an excluded section")                                                                        \
	X(4, NAME, "excluded by name")                                                                                 \
	X(5, SMALL, "smaller than --min-size")

enum bareprof_mip_reason {
	BAREPROF_MIP_REASON_NONE, /* the function is not left out */
#define BAREPROF_MIP_REASON_ENUM(number, name, words) BAREPROF_MIP_REASON_##name = (number),
	BAREPROF_MIP_REASONS(BAREPROF_MIP_REASON_ENUM)
#undef BAREPROF_MIP_REASON_ENUM
};

/*
 * The 64-bit words at the start of a .mipraw of version 9, in the target's byte order. On a
 * little-endian machine the first three words have the same fields as the header of version 8.
 * After the header come the build id and the raw sections. Zeros fill each of them up to a multiple
 * of 8 bytes. The first BAREPROF_MIP_RAW_FIRST_WORDS words are the header of older files, which have
 * neither blocks nor samples.
 */
#define BAREPROF_MIP_RAW_WORDS(X)                                                                                      \
	X(MAGIC) /* magic number, version << 32, type << 48 */                                                         \
	X(KINDS) /* which of the sections are not empty, as kinds */                                                   \
	X(WIDTH) /* bytes of a pointer (4 or 8), bytes of the header << 32 */                                          \
	X(ID_SIZE) /* bytes of the build id */                                                                         \
	X(COVERAGE_SIZE) /* bytes of the section of coverage bytes */                                                  \
	X(CALLS_SIZE) /* bytes of the section of call entries */                                                       \
	X(COVERAGE_ADDRESS) /* run-time address of the section of coverage bytes */                                    \
	X(CALLS_ADDRESS) /* run-time address of the section of call entries */                                         \
	X(BLOCKS_SIZE) /* bytes of the section of block bytes */                                                       \
	X(BLOCKS_ADDRESS) /* run-time address of the section of block bytes */                                         \
	X(SAMPLES_SIZE) /* bytes of the samples */                                                                     \
	X(SAMPLES_ADDRESS) /* run-time address of the samples */

enum bareprof_mip_raw_word {
#define BAREPROF_MIP_RAW_ENUM(name) BAREPROF_MIP_RAW_##name,
	BAREPROF_MIP_RAW_WORDS(BAREPROF_MIP_RAW_ENUM)
#undef BAREPROF_MIP_RAW_ENUM
	BAREPROF_MIP_RAW_WORD_COUNT
};
#define BAREPROF_MIP_RAW_HEADER      (8u * BAREPROF_MIP_RAW_WORD_COUNT)
#define BAREPROF_MIP_RAW_FIRST_WORDS BAREPROF_MIP_RAW_BLOCKS_SIZE

/* Version 8: the bytes of the header that all three files have, and the offsets of its fields. */
#define BAREPROF_MIP_V8_HEADER      24u
#define BAREPROF_MIP_V8_KINDS       8u /* u32 */
#define BAREPROF_MIP_V8_MODULE      12u /* u32, hash of the link unit's name */
#define BAREPROF_MIP_V8_DATA_OFFSET 20u /* u32, offset of the data, which follow the header */

#endif
