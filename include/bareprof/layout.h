/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout.h - the layouts of raw profiles, versions 5 to 11. No other file repeats these
 * constants.
 *
 * Target and host share this header. The runtime uses this header to find out the layout of an
 * image and to write profiles. The host program uses this header to read profiles. The header
 * contains only constants. The source of the constants is LLVM's profile/InstrProfData.inc of
 * each version (docs/SPEC.md, part 2).
 */
#ifndef BAREPROF_LAYOUT_H
#define BAREPROF_LAYOUT_H

/* The raw versions that bareprof knows. Each comment names the feature that the version added. */
#define BAREPROF_RAW_V5     5u
#define BAREPROF_RAW_V6     6u /* never released; its records have the layout of versions 5 and 7 */
#define BAREPROF_RAW_V7     7u /* build ids */
#define BAREPROF_RAW_V8     8u /* relative counter pointers */
#define BAREPROF_RAW_V9     9u /* MC/DC bitmaps */
#define BAREPROF_RAW_V10    10u /* vtables */
#define BAREPROF_RAW_V11    11u /* uniform counters, for GPUs */
#define BAREPROF_RAW_OLDEST BAREPROF_RAW_V5
#define BAREPROF_RAW_NEWEST BAREPROF_RAW_V11

/*
 * A table with one row for each raw version: the raw version, the oldest and the newest LLVM
 * release that write it, and these releases in words. The newest release is 0 if the newest
 * LLVM still writes this raw version. The releases of a row read no other raw version. All
 * other tables of releases are derived from this table.
 */
#define BAREPROF_RAW_RELEASES(X)                                                                                       \
	X(5, 10, 12, "10 to 12")                                                                                       \
	X(7, 13, 13, "13")                                                                                             \
	X(8, 14, 17, "14 to 17")                                                                                       \
	X(9, 18, 18, "18")                                                                                             \
	X(10, 19, 22, "19 to 22")                                                                                      \
	X(11, 23, 0, "23 and later")

/* The version word. Its low half is the raw version, its high half has the variant bits. */
#define BAREPROF_VERSION_NUMBER          0xffffffffull
#define BAREPROF_VARIANT_LOOP_ENTRIES    (1ull << 55)
#define BAREPROF_VARIANT_IR              (1ull << 56)
#define BAREPROF_VARIANT_CSIR            (1ull << 57)
#define BAREPROF_VARIANT_ENTRY_FIRST     (1ull << 58)
#define BAREPROF_VARIANT_DEBUG_CORRELATE (1ull << 59)
#define BAREPROF_VARIANT_BYTE_COVERAGE   (1ull << 60)
#define BAREPROF_VARIANT_ENTRY_ONLY      (1ull << 61)
#define BAREPROF_VARIANT_TEMPORAL        (1ull << 63)
/* If an image has all three variants in this mask, clang makes no timestamps. */
#define BAREPROF_VARIANTS_TIMELESS                                                                                     \
	(BAREPROF_VARIANT_TEMPORAL | BAREPROF_VARIANT_ENTRY_ONLY | BAREPROF_VARIANT_BYTE_COVERAGE)

/*
 * The magic number, in the target's byte order. It contains an 'r' if pointers have 64
 * bits, and an 'R' if they have 32 bits.
 */
#define BAREPROF_RAW_MAGIC_64 0xff6c70726f667281ull
#define BAREPROF_RAW_MAGIC_32 0xff6c70726f665281ull

/*
 * The sections of an image, in the order of a .profraw. (The section of uniform counters,
 * new in version 11, exists only on GPUs, so it is not in this list.)
 */
enum bareprof_section {
	BAREPROF_BUILD_ID, /* the bytes of the build id, without the header of the ELF note */
	BAREPROF_DATA, /* __llvm_prf_data: one record for each function */
	BAREPROF_CNTS, /* __llvm_prf_cnts: counters of 8 bytes or 1 byte */
	BAREPROF_BITS, /* __llvm_prf_bits: MC/DC bitmaps */
	BAREPROF_NAMES, /* __llvm_prf_names: names of functions, usually compressed */
	BAREPROF_VTAB, /* __llvm_prf_vtab: one record for each vtable */
	BAREPROF_VNAMES, /* __llvm_prf_vns: names of vtables */
	BAREPROF_SECTIONS, /* the number of sections in a .profraw */
	/* The two sections with memory for values (values.h). The .profraw has the values in another format. */
	BAREPROF_VALS = BAREPROF_SECTIONS, /* __llvm_prf_vals: list heads, one pointer for each value site */
	BAREPROF_VNDS, /* __llvm_prf_vnds: memory for nodes */
	BAREPROF_ALL_SECTIONS
};

/*
 * The 64-bit words of the header, in the order of the file. The number after the name of a
 * word is the first version that has this word. New versions inserted words but never changed
 * the order. (Version 6 had the word for build ids at the end of the header. But no released
 * program writes or reads version 6.)
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
 * Offsets within the record of a function, in bytes. @version is the raw version, @width the
 * width of a pointer in bytes (4 or 8). NameRef, FuncHash and CounterPtr are the first
 * fields of every version; every other offset depends on the number of pointers and the
 * number of value kinds in that version. A macro is a constant expression if its arguments are
 * constants.
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
/*
 * The offset of the end of the last field. In i386 objects the last record ends at this
 * offset, without padding to the full size of a record.
 */
#define BAREPROF_RECORD_END(version, width)                                                                            \
	((version) >= 9u ? BAREPROF_RECORD_BITMAP_BYTES(version, width) + 4u                                           \
			 : BAREPROF_RECORD_SITES_END(version, width))
#define BAREPROF_RECORD_SIZE(version, width) ((BAREPROF_RECORD_END(version, width) + 7u) & ~7u)

/* From version 8 on, CounterPtr and BitmapPtr are relative to the start of their record. */
#define BAREPROF_RECORD_RELATIVE(version) ((version) >= 8u)

/* The record of a vtable: u64 name hash, pointer, u32 size, padding to a multiple of 8 bytes. */
#define BAREPROF_VTABLE_SIZE(width) ((width) == 8u ? 24u : 16u)

/*
 * Sizes in the value data, in bytes. HEAD is the size of a head, which has two u32. The value
 * data of a function start with a head, and the data of each kind of values start with a
 * further head. PAIR is the size of a u64 value with its u64 count.
 */
#define BAREPROF_VALUE_HEAD 8u
#define BAREPROF_VALUE_PAIR 16u

/* The number of zero bytes after a section of @n bytes in the file. */
#define BAREPROF_PAD8(n) (-(n)&7u)

#endif
