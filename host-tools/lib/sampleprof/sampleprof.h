/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof.h - a sample profile of LLVM in memory. clang optimizes with such a profile if it gets the option
 * -fprofile-sample-use. sampleprof_file.h reads and writes the files. docs/SPEC.md, 5.4, defines them.
 *
 * A profile consists of functions. A function has counts, each at a location. A location of a probe profile is the
 * index of a pseudo probe. A location of a line profile is the distance of a line from the first line of the function,
 * and a discriminator. If the compiler inlined a call, the function has an inlinee at the location of the call, with
 * counts of its own.
 */
#ifndef BAREPROF_HOST_SAMPLEPROF_H
#define BAREPROF_HOST_SAMPLEPROF_H

#include "arena.h"
#include "bytes.h"

/* The highest @offset of a location that LLVM reads. Distances of lines are modulo 2^16 for this reason. */
#define SAMPLEPROF_OFFSET_LAST 65535u
/* How deep inlinees may be nested. A function has the depth 0, its inlinees have the depth 1. */
#define SAMPLEPROF_DEPTH_LAST 500u
/* Bits of @attributes. LLVM reads no bit above 31. */
#define SAMPLEPROF_WAS_INLINED 1u /* the build that was sampled inlined this function here */
#define SAMPLEPROF_INLINE      2u /* the next build should inline it here */
#define SAMPLEPROF_IN_BASE     4u /* the counts of this inlinee are also in the function itself */

enum sampleprof_kind {
	SAMPLEPROF_LINES, /* for clang without pseudo probes */
	SAMPLEPROF_PROBES, /* for clang -fpseudo-probe-for-profiling; each function needs its hash */
};

/* In a probe profile, @discriminator is 0. */
struct sampleprof_location {
	uint32_t offset; /* at most SAMPLEPROF_OFFSET_LAST */
	uint32_t discriminator;
};

/* A name of functions. The profile owns it. */
struct sampleprof_name {
	struct bytes text; /* the name in the symbol table; empty: only the GUID is known */
	uint64_t guid; /* the first 8 bytes of the MD5 of the name, little-endian */
	size_t index; /* private to the writers */
};

/* A function that was called at a location, and how often. */
struct sampleprof_callee {
	struct sampleprof_name *name;
	uint64_t count;
};

/* How often the code at a location ran. If the code is a call, @callees may say what it called. */
struct sampleprof_count {
	struct sampleprof_location at;
	uint64_t count;
	struct sampleprof_callee **callees;
	size_t callee_count;
	size_t callee_room; /* private */
};

/* A function, or an inlinee. Callers may set @total, @head, @hash and @attributes. */
struct sampleprof_function {
	struct sampleprof_name *name;
	struct sampleprof_location at; /* inlinee: location of the call in the caller */
	unsigned int depth;
	uint32_t attributes; /* the sum of SAMPLEPROF_ bits; 0 unless a file had them */
	uint64_t total; /* samples in the function and in its inlinees; sampleprof_add_up() computes it */
	uint64_t head; /* number of calls of the function; files do not have it for inlinees */
	uint64_t hash; /* of the control flow, from the descriptor; LLVM calls it checksum; 0: not known */
	struct sampleprof_count **counts;
	size_t count_count;
	size_t count_room; /* private */
	struct sampleprof_function **inlinees;
	size_t inlinee_count;
	size_t inlinee_room; /* private */
};

/*
 * A sample profile. Before its first use, it is all zeros except @kind; sampleprof_free() frees it. Objects that the
 * functions below return belong to the profile, and stay where they are until then.
 */
struct sampleprof {
	enum sampleprof_kind kind;
	struct sampleprof_function **functions;
	size_t function_count;
	/*
	 * The names of all functions of the program, for the ext-binary file. The compiler then takes functions that
	 * are listed here and have no counts for cold. It takes functions that are not listed for new. May be empty.
	 */
	struct sampleprof_name **symbols;
	size_t symbol_count;
	/* private */
	size_t function_room;
	size_t symbol_room;
	struct arena arena;
	struct sampleprof_names {
		struct sampleprof_name **list;
		size_t count;
		size_t room;
	} names;
	struct sampleprof_slot *slots;
	size_t slot_count;
	size_t slots_used;
};

/*
 * sampleprof_name - returns the name @text, and adds it if it is new. Copies @text. Two names with the same GUID are
 * the same name for LLVM, and also here: the first text is kept.
 * sampleprof_name_of_guid - does the same for a name of which only the GUID is known. If one name of a profile has no
 * text, the ext-binary file contains only GUIDs. clang finds functions by GUID too.
 */
struct sampleprof_name *sampleprof_name(struct sampleprof *profile, struct bytes text);
struct sampleprof_name *sampleprof_name_of_guid(struct sampleprof *profile, uint64_t guid);

/*
 * sampleprof_function - returns the function @name of @profile, and adds it without counts if it is new.
 * sampleprof_inlinee - returns the inlinee @name at the location @at of @caller, and adds it if it is new. Several
 * functions may be inlined at one location, because an indirect call has several callees. Returns NULL if the inlinee
 * would be deeper than SAMPLEPROF_DEPTH_LAST; the caller then drops the samples, or counts them in @caller.
 */
struct sampleprof_function *sampleprof_function(struct sampleprof *profile, struct sampleprof_name *name);
struct sampleprof_function *sampleprof_inlinee(struct sampleprof *profile, struct sampleprof_function *caller,
	struct sampleprof_location at, struct sampleprof_name *name);

/*
 * sampleprof_add - adds @count to the count at @at of @function. Adding 0 makes a location that is known to be cold.
 * sampleprof_add_callee - adds @count to the calls of @name from the location @at. Does not change the count of @at.
 * All sums saturate at 2^64-1.
 */
void sampleprof_add(struct sampleprof *profile, struct sampleprof_function *function, struct sampleprof_location at,
	uint64_t count);
void sampleprof_add_callee(struct sampleprof *profile, struct sampleprof_function *function,
	struct sampleprof_location at, struct sampleprof_name *name, uint64_t count);

/* sampleprof_add_symbol - adds @name to @symbols. A name may be added more than once. */
void sampleprof_add_symbol(struct sampleprof *profile, struct sampleprof_name *name);

/*
 * sampleprof_add_up - sets @total of each function and inlinee to the sum of its counts and of the totals of its
 * inlinees, as llvm-profgen does.
 */
void sampleprof_add_up(struct sampleprof *profile);

/*
 * sampleprof_sort - sorts the profile in the order of the files: functions by total, the highest first, and by name;
 * counts by location; inlinees by location and name; callees by count, the highest first, and by name. A name without
 * text comes before the names with text. The writers call this function.
 */
void sampleprof_sort(struct sampleprof *profile);

void sampleprof_free(struct sampleprof *profile);

#endif
