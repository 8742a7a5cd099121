/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_profile.h - a machine profile in memory. It has an entry for each function of the image: where its raw bytes
 * are, and what the merged raw profiles say about it. A map is a machine profile into which no raw profile was merged
 * yet.
 */
#ifndef BAREPROF_HOST_MIP_PROFILE_H
#define BAREPROF_HOST_MIP_PROFILE_H

#include "arena.h"
#include "bytes.h"
#include "error.h"

#include <bareprof/mip_layout.h>

/* The raw sections of an image. */
enum mip_section {
	MIP_COVERAGE, /* a byte for each function in mode "coverage" */
	MIP_CALLS, /* 8 bytes for each function in mode "calls", or 16 if it takes samples */
	MIP_BLOCKS, /* a byte for each block of code, also for the entry of each function */
	MIP_SAMPLES, /* samples of return addresses; they belong to no function */
	MIP_SECTIONS,
};

/* A block of code in a function, but not the entry block. */
struct mip_block {
	uint32_t offset; /* offset of the block in the function, in bytes */
	/*
	 * Position of its byte among the block bytes of the function. The entry block has the position 0. A position
	 * without a block belongs to a block that the compiler deleted.
	 */
	uint32_t index;
	bool ran;
};

/* An edge of the call graph: how often samples show that a function was called from one call site. */
struct mip_edge {
	uint32_t callee; /* index of the function that was called */
	uint64_t site; /* address of the instruction after the call; 0: not known */
	uint64_t samples;
};

struct mip_function {
	struct bytes name;
	/* without the Thumb bit; if mip_profile.relative is true, the distance from the start of the raw section */
	uint64_t address;
	uint32_t size; /* size of the code in bytes */
	uint32_t kinds; /* BAREPROF_MIP_KIND_*; 0: the function is left out */
	uint8_t reason; /* why the function is left out, enum bareprof_mip_reason */
	uint8_t start; /* start value of the raw bytes */
	uint64_t raw; /* offset of the raw bytes in their section; 0 if the function is left out */
	uint64_t runs; /* number of raw profiles in which the function ran */
	uint64_t calls; /* sum of the numbers of calls; stays at 2^64-1 */
	bool at_least; /* the number of calls may be higher: a raw profile had the maximum number of overflows */
	uint64_t order_sum; /* sum of the function's orders in all raw profiles; a raw profile may lack the order */
	uint64_t orders; /* number of raw profiles whose order is in @order_sum, so that the mean can be computed */
	uint32_t signature; /* version 8: signature of the control flow graph; 0: none */
	/*
	 * Offset of the byte of the entry block in the section of block bytes. The bytes of @blocks follow. In a
	 * profile of version 8 it is 0, and the bytes of @blocks follow the raw bytes of the function.
	 */
	uint64_t block_raw;
	uint64_t raw_v8; /* offset of the raw bytes in a .mipraw of version 8; set by mip_profile_check() */
	uint32_t block_count; /* number of blocks without the entry block */
	struct mip_block *blocks;
};

/* Address and size of a raw section. */
struct mip_extent {
	uint64_t address;
	uint64_t size;
};

/* A machine profile. Before its first use it is all zeros; mip_profile_free() frees its memory. */
struct mip_profile {
	unsigned int version; /* version of the file from which the profile was read, 8 or 9 */
	unsigned int width; /* bytes of a pointer; 0: not known */
	unsigned int machine; /* number of the machine in the ELF header; 0: not known */
	uint32_t kinds; /* the kinds of all functions together */
	uint32_t module; /* version 8: hash of the name of the link unit */
	/*
	 * true: the profile comes from a file of version 8, which has no addresses. All addresses are distances from
	 * the start of the raw section. The offsets of raw bytes count from that start too, and include the header.
	 */
	bool relative;
	bool guessed; /* true: @section was computed from the records, because the map came without its ELF file */
	/*
	 * true: the offsets of raw bytes only number the functions, because the profile was made from counters of
	 * clang, or from profiles of several producers
	 */
	bool numbered;
	struct buffer id; /* build id; empty: not known */
	/* the raw sections at the addresses to which they were linked; for a module, all addresses are 0 */
	struct mip_extent section[MIP_SECTIONS];
	uint64_t size_v8; /* size of a .mipraw of version 8; set by mip_profile_check() */
	uint64_t merged; /* number of raw profiles that were merged */
	struct mip_function *functions; /* in the order of the map */
	size_t count;
	size_t room;
	struct mip_edge *edges;
	size_t edge_count;
	size_t edge_room;
	struct arena arena; /* names and blocks */
};

void mip_profile_free(struct mip_profile *profile);

/*
 * mip_profile_add - appends a copy of @function, with copies of its name and its blocks. Returns the copy, which is
 * valid until the next call.
 */
struct mip_function *mip_profile_add(struct mip_profile *profile, const struct mip_function *function);

/*
 * mip_copy_blocks - gives @to, a function of @profile, a copy of the blocks of @from.
 * mip_add_results - adds what the raw profiles of @from say to @to: its runs, calls and orders, and which blocks ran.
 * Blocks are left out if the functions do not have the same number of them.
 */
void mip_copy_blocks(struct mip_profile *profile, struct mip_function *to, const struct mip_function *from);
void mip_add_results(struct mip_function *to, const struct mip_function *from);

/* mip_profile_add_edge - appends an edge of the call graph. */
void mip_profile_add_edge(struct mip_profile *profile, const struct mip_edge *edge);

/*
 * mip_section_of - returns the raw section that has the raw bytes of a function of the given @kinds.
 * mip_raw_size - returns the number of raw bytes of @function. In version 8, the bytes of its blocks are among them.
 * mip_block_size - returns the number of bytes that @function has in the section of block bytes.
 */
enum mip_section mip_section_of(uint32_t kinds);
uint64_t mip_raw_size(const struct mip_profile *profile, const struct mip_function *function);
uint64_t mip_block_size(const struct mip_profile *profile, const struct mip_function *function);

/* mip_section_kinds - returns the kinds of functions that have bytes in @section. */
uint32_t mip_section_kinds(enum mip_section section);

/* mip_section_what - returns what the bytes of @section are, for example "coverage bytes". */
const char *mip_section_what(enum mip_section section);

/*
 * mip_profile_check - checks a profile that was read: it has functions, their raw bytes are within the raw sections,
 * and no two functions have a raw byte in common. Also sets profile->kinds, and where the raw bytes are in version 8.
 * Errors: INVALID_INPUT, with the names of the functions.
 */
enum status mip_profile_check(struct mip_profile *profile, struct error *error);

/* mip_ran - returns whether the function ran in at least one raw profile. */
static inline bool mip_ran(const struct mip_function *function)
{
	return function->runs > 0;
}

/* mip_shown_size - returns how many bytes of the function's name a message shows, for printf()'s "%.*s". */
int mip_shown_size(const struct mip_function *function);

/* mip_reason_text - returns the words for a reason why functions are left out. */
const char *mip_reason_text(unsigned int reason);

/* The kinds that say how the blocks of a function are recorded. */
#define MIP_KINDS_OF_BLOCKS ((uint32_t)(BAREPROF_MIP_KIND_BLOCKS | BAREPROF_MIP_KIND_WRAPS | BAREPROF_MIP_KIND_FULL))

/*
 * mip_kinds_valid - returns whether a function can have these kinds. 0 is valid, and means "left out".
 * mip_kinds_without_blocks - returns @kinds without those of block coverage.
 */
bool mip_kinds_valid(uint32_t kinds);
static inline uint32_t mip_kinds_without_blocks(uint32_t kinds)
{
	return kinds & ~MIP_KINDS_OF_BLOCKS;
}

/* mip_run_known - returns whether it is known if the function ran. A counter that wraps and is 0 does not tell. */
static inline bool mip_run_known(const struct mip_function *function)
{
	return mip_ran(function) || !(function->kinds & BAREPROF_MIP_KIND_WRAPS) ||
	       mip_kinds_without_blocks(function->kinds);
}

#endif
