/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewrite.h - adds machine-profile code to the assembly text that a compiler wrote.
 *
 * The rewriter adds an entry sequence to each function, which records that the function ran. It also adds the byte or
 * words of that record, and a map record that tells the host to which function these belong. All other lines stay as
 * they are. include/bareprof/mip_layout.h contains the layouts.
 */
#ifndef BAREPROF_REWRITE_H
#define BAREPROF_REWRITE_H

#include <bareprof/mip_layout.h>

#include "bytes.h"
#include "error.h"

/* The processors whose code the rewriter knows. REWRITE_ANY: the rewriter recognizes the processor from the text. */
enum rewrite_target {
	REWRITE_ANY,
	REWRITE_X86_64,
	REWRITE_AARCH64, /* little-endian */
	REWRITE_BIG_ENDIAN, /* not supported: the text does not show the byte order, so the caller says it */
	REWRITE_ARM, /* Armv6-M, Armv7 and later in Arm or Thumb state, little-endian */
};

enum rewrite_mode {
	REWRITE_COVERAGE, /* one byte: whether the function ran */
	REWRITE_CALLS, /* two words: the number of calls, and the order of the first calls */
};

/*
 * A zeroed struct means: coverage, no function is too small, no other exclusions than the default ones. @exclude,
 * @exclude_sections and @discarded_sections are lists of patterns as in fnmatch(3), which end with NULL; a list may be
 * NULL. The names of functions are the names of symbols, so C++ names are mangled.
 */
struct rewrite_options {
	enum rewrite_mode mode;
	enum rewrite_target target;
	uint32_t sample; /* mode calls: samples every Nth call, a power of two; 0: samples no calls */
	bool atomic; /* mode calls: counts with atomic instructions */
	bool position_independent; /* -fPIC or -fPIE; matters only on Arm, where instructions contain addresses */
	uint64_t min_size; /* leave out functions with fewer instructions */
	const char *const *exclude;
	const char *const *exclude_sections;
	/*
	 * Sections that the linker script discards. Their functions are left out, and have no map record, because
	 * linkers refuse a map record of discarded code.
	 */
	const char *const *discarded_sections;
};

/* Patterns of the sections and functions that are always left out or always discarded. The lists end with NULL. */
extern const char *const rewrite_default_sections[];
extern const char *const rewrite_default_names[];
extern const char *const rewrite_discarded_sections[];

struct rewrite_counts {
	uint64_t functions; /* functions that got an entry sequence */
	uint64_t left_out[BAREPROF_MIP_REASON_SMALL + 1]; /* number of functions for each reason */
	/*
	 * The text was passed unchanged, because it is written by hand, or was rewritten before. The text of a compiler
	 * begins with a directive .file, which names a source that is not assembly.
	 */
	bool by_hand;
	bool rewritten_before;
};

/* The end of each line that the rewriter adds, before the newline. */
#define REWRITE_MARK "/*bareprof*/"

/*
 * rewrite - appends @assembly with the additions to @result, and sets @counts. @path is the name of the source in
 * messages; a message contains the number of the line in @assembly. After an error, @result is unchanged. Errors:
 * INVALID_INPUT if @assembly contains something that the rewriter does not understand, LLVM bitcode or gcc's LTO data,
 * or code of an unknown processor.
 */
enum status rewrite(struct bytes assembly, const char *path, const struct rewrite_options *options,
	struct buffer *result, struct rewrite_counts *counts, struct error *error);

#endif
