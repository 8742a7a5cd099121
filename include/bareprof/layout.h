/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.h - the raw profile layouts, versions 5 to 11, stated once.
 *
 * Target and host share this header: the runtime learns and writes by it, the
 * host program reads by it. It holds constants only. The facts are those of
 * LLVM's profile/InstrProfData.inc of each version (docs/SPEC.md, part 2).
 */
#ifndef BAREPROF_LAYOUT_H
#define BAREPROF_LAYOUT_H

/* The raw versions known here, with what came with each. */
#define BAREPROF_RAW_V5     5u
#define BAREPROF_RAW_V6     6u /* never released; records as in 5 and 7 */
#define BAREPROF_RAW_V7     7u /* build ids */
#define BAREPROF_RAW_V8     8u /* relative counter pointers */
#define BAREPROF_RAW_V9     9u /* MC/DC bitmaps */
#define BAREPROF_RAW_V10    10u /* vtables */
#define BAREPROF_RAW_V11    11u /* uniform counters of GPUs */
#define BAREPROF_RAW_OLDEST BAREPROF_RAW_V5
#define BAREPROF_RAW_NEWEST BAREPROF_RAW_V11

/*
 * Which releases of LLVM write each, and read no other: the oldest, the newest (0: there
 * is none newer) and both in words. All else that has to know it is derived from this.
 */
#define BAREPROF_RAW_RELEASES(X)                                                                                       \
	X(5, 10, 12, "10 to 12")                                                                                       \
	X(7, 13, 13, "13")                                                                                             \
	X(8, 14, 17, "14 to 17")                                                                                       \
	X(9, 18, 18, "18")                                                                                             \
	X(10, 19, 22, "19 to 22")                                                                                      \
	X(11, 23, 0, "23 and later")

/* The version word: the number in the low half, variant bits in the high. */
#define BAREPROF_VERSION_NUMBER          0xffffffffull
#define BAREPROF_VARIANT_LOOP_ENTRIES    (1ull << 55)
#define BAREPROF_VARIANT_IR              (1ull << 56)
#define BAREPROF_VARIANT_CSIR            (1ull << 57)
#define BAREPROF_VARIANT_ENTRY_FIRST     (1ull << 58)
#define BAREPROF_VARIANT_DEBUG_CORRELATE (1ull << 59)
#define BAREPROF_VARIANT_BYTE_COVERAGE   (1ull << 60)
#define BAREPROF_VARIANT_ENTRY_ONLY      (1ull << 61)
#define BAREPROF_VARIANT_TEMPORAL        (1ull << 63)
/* Temporal, and function entries alone, as bytes: clang makes no timestamps where all of these are set. */
#define BAREPROF_VARIANTS_TIMELESS                                                                                     \
	(BAREPROF_VARIANT_TEMPORAL | BAREPROF_VARIANT_ENTRY_ONLY | BAREPROF_VARIANT_BYTE_COVERAGE)

/* The magic, in the byte order of the producer; 'r' or 'R' by pointer width. */
#define BAREPROF_RAW_MAGIC_64 0xff6c70726f667281ull
#define BAREPROF_RAW_MAGIC_32 0xff6c70726f665281ull

/*
 * The sections of an image, in the order in which a .profraw has them. (The
 * uniform counters of version 11 are a GPU's; on a CPU there are none.)
 */
enum bareprof_section {
	BAREPROF_BUILD_ID, /* the build id's bytes, without the note around them */
	BAREPROF_DATA, /* __llvm_prf_data: a record per function */
	BAREPROF_CNTS, /* __llvm_prf_cnts: counters, 8 bytes or 1 byte each */
	BAREPROF_BITS, /* __llvm_prf_bits: MC/DC bitmaps */
	BAREPROF_NAMES, /* __llvm_prf_names */
	BAREPROF_VTAB, /* __llvm_prf_vtab: a record per vtable */
	BAREPROF_VNAMES, /* __llvm_prf_vns */
	BAREPROF_SECTIONS, /* so many are in a file */
	/* Where values are noted (values.h). */
	BAREPROF_VALS = BAREPROF_SECTIONS, /* __llvm_prf_vals: a pointer for each site */
	BAREPROF_VNDS, /* __llvm_prf_vnds: room for values */
	BAREPROF_ALL_SECTIONS
};

/*
 * The header: 64-bit words in the order of the file, with the first version
 * that has each. The order never changed, words were only put between. (Version
 * 6 had its build id word last; nothing that writes or reads it was released.)
 */
#define BAREPROF_HEADER_WORDS(X)                                                                                       \
	X(MAGIC, 5)                                                                                                    \
	X(VERSION, 5)                                                                                                  \
	X(BINARY_IDS_SIZE, 7)                                                                                          \
	X(NUM_DATA, 5)                                                                                                 \
	X(PAD_BEFORE_COUNTERS, 5)                                                                                      \
	X(NUM_COUNTERS, 5)                                                                                             \
	X(PAD_AFTER_COUNTERS, 5)                                                                                       \
	X(NUM_BITMAP_BYTES, 9)                                                                                         \
	X(PAD_AFTER_BITMAP, 9)                                                                                         \
	X(NUM_UNIFORM_COUNTERS, 11)                                                                                    \
	X(PAD_AFTER_UNIFORM_COUNTERS, 11)                                                                              \
	X(UNIFORM_COUNTERS_DELTA, 11)                                                                                  \
	X(NAMES_SIZE, 5)                                                                                               \
	X(COUNTERS_DELTA, 5)                                                                                           \
	X(BITMAP_DELTA, 9)                                                                                             \
	X(NAMES_DELTA, 5)                                                                                              \
	X(NUM_VTABLES, 10)                                                                                             \
	X(VNAMES_SIZE, 10)                                                                                             \
	X(VALUE_KIND_LAST, 5)

enum bareprof_header_word {
#define BAREPROF_HEADER_ENUM(name, since) BAREPROF_HEADER_##name,
	BAREPROF_HEADER_WORDS(BAREPROF_HEADER_ENUM)
#undef BAREPROF_HEADER_ENUM
	BAREPROF_HEADER_MAX
};

/*
 * The record of a function. @version is the raw version, @width the width of a pointer
 * in bytes (4 or 8). NameRef, FuncHash and CounterPtr stand first and never
 * moved; every other offset follows from how many pointers and value kinds the
 * version has. All are constant expressions if their arguments are.
 */
#define BAREPROF_RECORD_NAME_REF                     0u
#define BAREPROF_RECORD_FUNC_HASH                    8u
#define BAREPROF_RECORD_COUNTER_PTR                  16u
#define BAREPROF_RECORD_BITMAP_PTR(version, width)   ((version) >= 9u ? 16u + (width) * ((version) >= 11u ? 2u : 1u) : 0u)
#define BAREPROF_RECORD_POINTERS(version)            ((version) >= 11u ? 5u : (version) >= 9u ? 4u : 3u)
#define BAREPROF_RECORD_FUNCTION_PTR(version, width) (16u + (width) * (BAREPROF_RECORD_POINTERS(version) - 2u))
#define BAREPROF_RECORD_VALUES_PTR(version, width)   (16u + (width) * (BAREPROF_RECORD_POINTERS(version) - 1u))
#define BAREPROF_RECORD_NUM_COUNTERS(version, width) (16u + (width)*BAREPROF_RECORD_POINTERS(version))
#define BAREPROF_VALUE_KINDS_OF(version)             ((version) >= 10u ? 3u : 2u)
#define BAREPROF_RECORD_VALUE_SITES(version, width)  (BAREPROF_RECORD_NUM_COUNTERS(version, width) + 4u)
#define BAREPROF_RECORD_SITES_END(version, width)                                                                      \
	(BAREPROF_RECORD_VALUE_SITES(version, width) +                                                                 \
		2u * (BAREPROF_VALUE_KINDS_OF(version) + ((version) >= 11u ? 1u : 0u)))
#define BAREPROF_RECORD_BITMAP_BYTES(version, width)                                                                   \
	((version) >= 9u ? (BAREPROF_RECORD_SITES_END(version, width) + 3u) & ~3u : 0u)
/* Where the last field ends: i386 objects stop there, short of the size. */
#define BAREPROF_RECORD_END(version, width)                                                                            \
	((version) >= 9u ? BAREPROF_RECORD_BITMAP_BYTES(version, width) + 4u                                           \
			 : BAREPROF_RECORD_SITES_END(version, width))
#define BAREPROF_RECORD_SIZE(version, width) ((BAREPROF_RECORD_END(version, width) + 7u) & ~7u)

/* CounterPtr and BitmapPtr are relative to their record from version 8 on. */
#define BAREPROF_RECORD_RELATIVE(version) ((version) >= 8u)

/* The record of a vtable: u64 name hash, pointer, u32 size, to 8 bytes. */
#define BAREPROF_VTABLE_SIZE(width) ((width) == 8u ? 24u : 16u)

/* Value data: two numbers of 32 bits start a block, and each kind in it; then pairs of a value and its count. */
#define BAREPROF_VALUE_HEAD 8u
#define BAREPROF_VALUE_PAIR 16u

/* Bytes of zero that follow @n bytes of a section in the file. */
#define BAREPROF_PAD8(n) (-(n)&7u)

#endif
