/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - libbareprof: LLVM instrumentation profiles in, out and through.
 *
 * For programs on a host. (What a kernel includes is bareprof.h.) It reads raw
 * profiles of versions 5 to 11, of either byte order and pointer width, indexed
 * ones of versions 1 to 13, text, and captures or logs of bareprof's runtime; it
 * adds them up, lets you look at every function, and writes indexed profiles of
 * versions 5 to 13, text, and raw profiles of other versions.
 *
 *	struct bareprof_profile *profile = bareprof_profile_new();
 *	struct bareprof_message why;
 *
 *	if (bareprof_profile_read(profile, "default.profraw", 1, &why) ||
 *		bareprof_profile_write_indexed(profile, "out.profdata", 0, &why))
 *		fprintf(stderr, "%s\n", why.text);
 *	bareprof_profile_free(profile);
 *
 * Errors. Functions that can fail return a status, 0 if all went well, and put
 * what went wrong into the caller's struct bareprof_message, which may be NULL.
 * Inputs may be hostile; none makes it crash, hang, or take memory out of
 * proportion to its size.
 *
 * Memory. When there is none left, bareprof_out_of_memory() is called, see there.
 *
 * Threads. The library keeps no state of its own. Threads may use it at the same
 * time, each its own profiles; a profile is for one thread at a time, also to
 * look at it.
 */
#ifndef BAREPROF_PROFILE_H
#define BAREPROF_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bareprof_status {
	BAREPROF_STATUS_OK = 0,
	BAREPROF_STATUS_INVALID_INPUT =
		1, /* the input is damaged, of the wrong kind, or has what the output cannot hold */
	BAREPROF_STATUS_USAGE = 2, /* the call makes no sense, whatever the input */
	BAREPROF_STATUS_SYSTEM = 3, /* a file cannot be opened, read or written */
};

/*
 * One sentence in English without its subject, which is the file that the call
 * was about, and without a full stop: "is cut short in the header". Control
 * characters of hostile files are not in it.
 */
struct bareprof_message {
	char text[4000];
};

/* Bytes that something else owns, and text that has no zero at its end. */
struct bareprof_bytes {
	const uint8_t *data;
	size_t size;
};

/* Bytes that the caller gets, and frees with bareprof_memory_free(). */
struct bareprof_memory {
	uint8_t *data;
	size_t size;
};

/* A profile in memory: functions with their counts, the sum of all that was read. */
struct bareprof_profile;

/* bareprof_profile_new - an empty one; never NULL. bareprof_profile_free - and all that points into it; NULL is fine. */
struct bareprof_profile *bareprof_profile_new(void);
void bareprof_profile_free(struct bareprof_profile *profile);

/*
 * For captures of counters, and profiles of -profile-correlate=..., which come without
 * names and records: these are in the program's ELF file.
 *
 * bareprof_profile_elf - take them from the ELF file at @path for what is read after
 * this. Of several the one with the build id is taken. bareprof_profile_elf_dir - look
 * for ELF files by build id in the folder at @path and all below, such as a build's or
 * a debugger's .build-id. Errors: BAD, SYSTEM.
 *
 * bareprof_profile_partial - may captures of counters lack blocks? Then functions of
 * which not all came are left out, never counted as 0, and all values. bareprof_profile_left_out - the
 * name of the next such function, of any input; *@at starts as 0. NULL: no more.
 */
enum bareprof_status bareprof_profile_elf(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);
enum bareprof_status bareprof_profile_elf_dir(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);
void bareprof_profile_partial(struct bareprof_profile *profile, bool partial);
const char *bareprof_profile_left_out(const struct bareprof_profile *profile, size_t *at);

/*
 * bareprof_profile_read - add the profile, or profiles, in the file at @path
 * ("-": standard input), with all counts multiplied by @weight, at least 1.
 * bareprof_profile_read_memory - the same from @size bytes at @data, which are not
 * needed after it. All of the input is added or, after an error, nothing.
 *
 * Sums do not depend on the order and stop at 2^64 - 3. Where inputs disagree
 * about the shape of a function, the larger shape wins: bareprof_profile_note().
 * Errors: BAD (with the offset or function; or a kind that does not mix with
 * what was read before), SYSTEM, USAGE (the profile was looked at or written
 * already: values are cut to what files can hold then, and cannot grow). After OK
 * @message is empty or has a warning: it is partial, its build id was not checked.
 */
enum bareprof_status bareprof_profile_read(
	struct bareprof_profile *profile, const char *path, uint64_t weight, struct bareprof_message *message);
enum bareprof_status bareprof_profile_read_memory(struct bareprof_profile *profile, const void *data, size_t size,
	uint64_t weight, struct bareprof_message *message);

/* One of many inputs: the caller fills in the upper part, the library the lower. */
struct bareprof_input {
	const char *path;
	uint64_t weight;

	enum bareprof_status status;
	const char *error; /* if status is not OK; the profile's */
	const char *warning; /* not wrong, but worth to be told: it is partial, its build id was not checked; or NULL */
};

/* How to read many. All zeros is a good choice. */
struct bareprof_read_options {
	unsigned int jobs; /* threads; 0: as many as are worth it */
	bool keep_going; /* leave out inputs that are bad; if not, the first one ends it */
	unsigned int shard; /* only functions whose name hash modulo shards is this; */
	unsigned int shards; /* 0: all */
	/*
	 * If not NULL, called with context each time that an input was read, with
	 * its size in bytes: from any of the threads, from one at a time.
	 */
	void (*progress)(void *context, uint64_t bytes);
	void *context;
};

/*
 * bareprof_profile_read_files - the same for @count @inputs, faster than one after
 * the other. Errors: as above, the first bad input's if not keep_going, and if
 * all are bad; then nothing was added, and the inputs say more.
 */
enum bareprof_status bareprof_profile_read_files(struct bareprof_profile *profile, struct bareprof_input *inputs,
	size_t count, const struct bareprof_read_options *how, struct bareprof_message *message);

/*
 * How a program can have a large file in memory without reading it. Who cuts such a file
 * short meanwhile raises a signal, and signals are the program's: so this is, too.
 */
struct bareprof_file_maps {
	/* Map the raw profile at @path until the profile is freed. False: it is to be read instead. */
	bool (*map)(const char *path, struct bareprof_bytes *bytes);
	/* Is all of the mapped file as it was? Asked before its contents are written. Errors: SYSTEM. */
	enum bareprof_status (*check)(struct bareprof_message *message);
};

/* bareprof_profile_map_files - let @profile map a file that is read alone. @maps outlasts it. */
void bareprof_profile_map_files(struct bareprof_profile *profile, const struct bareprof_file_maps *maps);

/* What was noticed while adding up. */
enum bareprof_note {
	BAREPROF_NOTE_OVERFLOW, /* a count reached the highest number, and stays there */
	BAREPROF_NOTE_COUNTERS, /* inputs have different numbers of counters for one function and hash */
	BAREPROF_NOTE_BITMAP, /* ... sizes of the bitmap */
	BAREPROF_NOTE_SITES, /* ... numbers of value sites */
	/*
	 * A definition that is not in use of a function that is defined weak more than
	 * once: it never ran. So many are in the profile that has most of them.
	 */
	BAREPROF_NOTE_WEAK_DUPLICATES,
	BAREPROF_NOTES
};

/* bareprof_profile_note - how often that was; @function, if not NULL, gets the name of the first such, in order. */
uint64_t bareprof_profile_note(
	const struct bareprof_profile *profile, enum bareprof_note note, struct bareprof_bytes *function);

/* What kind of profile it is; without @ir, of front-end instrumentation. */
struct bareprof_kind {
	bool ir;
	bool context_sensitive;
	bool entry_first; /* every function's entry has a counter, the first */
	bool loop_entries; /* and so have the entries of loops */
	bool byte_coverage; /* counts say only whether it ran: 1 for each input in which it did */
	bool entry_only; /* one counter for each function */
	bool temporal; /* it has traces */
};

void bareprof_profile_kind(const struct bareprof_profile *profile, struct bareprof_kind *kind);

/* Kinds of values, and of value sites. */
enum bareprof_value_kind {
	BAREPROF_VALUE_CALL, /* targets of indirect calls: hashes of their names, 0: unknown */
	BAREPROF_VALUE_SIZE, /* sizes of memory operations, in bytes */
	BAREPROF_VALUE_VTABLE, /* vtables: hashes of their names, 0: unknown */
	BAREPROF_VALUE_KINDS
};

/* A function. All that it points to is the profile's. */
struct bareprof_function {
	struct bareprof_bytes name; /* mangled; of a static function "file:name" or "file;name" */
	uint64_t name_hash; /* the lower 8 bytes of the name's MD5 */
	uint64_t hash; /* of the structure: with the name it tells functions apart */
	const uint64_t *counters;
	size_t counter_count;
	const uint8_t *bitmap; /* MC/DC test vectors that were seen, a bit each; NULL: none */
	size_t bitmap_size; /* bytes */
	size_t sites[BAREPROF_VALUE_KINDS]; /* number of value sites of each kind */
	const void *inner; /* for bareprof_function_values() */
};

struct bareprof_value {
	uint64_t value;
	uint64_t count;
};

/*
 * To look at a profile, when all is read:
 *
 * bareprof_profile_functions - how many functions it has; bareprof_profile_function -
 * the one with @index, in the order of files: by the bytes of their names, then by
 * hash. False if there is none.
 *
 * bareprof_function_values - how many values there are of a function's site
 * (@site less than function->sites[kind]); those from the first, the most
 * frequent, on go to @values, @room of them at most. A site has 255 at most.
 *
 * bareprof_profile_name - the name of a function whose name has the @hash; of
 * size 0 if it is not in the profile.
 */
size_t bareprof_profile_functions(struct bareprof_profile *profile);
bool bareprof_profile_function(struct bareprof_profile *profile, size_t index, struct bareprof_function *function);
size_t bareprof_function_values(const struct bareprof_function *function, enum bareprof_value_kind kind, size_t site,
	struct bareprof_value *values, size_t room);
struct bareprof_bytes bareprof_profile_name(struct bareprof_profile *profile, uint64_t hash);

/*
 * bareprof_profile_build_id - the next build id of the programs that were run,
 * in order; *@at starts as 0. False if there is none left.
 */
bool bareprof_profile_build_id(struct bareprof_profile *profile, size_t *at, struct bareprof_bytes *id);

/* The order in which functions were called first in one run, or in several that had the same. */
struct bareprof_trace {
	uint64_t weight;
	const uint64_t *name_hashes;
	size_t count;
};

/* bareprof_profile_trace - the trace with @index; false if there is none. */
bool bareprof_profile_trace(struct bareprof_profile *profile, size_t index, struct bareprof_trace *trace);

/*
 * bareprof_profile_drop_zero - forget functions of which nothing ran. bareprof_profile_
 * drop_build_ids - forget where it came from. bareprof_profile_hashes_to_v4 - turn
 * the functions' hashes of clang 11 to 21 into those of clang 22, for its
 * -fprofile-instr-use; llvm-cov does not match them with an older clang's program.
 */
void bareprof_profile_drop_zero(struct bareprof_profile *profile);
void bareprof_profile_drop_build_ids(struct bareprof_profile *profile);
void bareprof_profile_hashes_to_v4(struct bareprof_profile *profile);

/* How the functions' hashes were made, which clang's -fprofile-instr-use has to know. */
enum bareprof_hashes {
	BAREPROF_HASHES_ANY, /* no matter: an IR profile, or too few functions to tell */
	BAREPROF_HASHES_V3, /* clang 11 to 21: it finds them in index versions 6 to 12 only */
	BAREPROF_HASHES_V4, /* clang 22: it finds them in index version 13 only */
	BAREPROF_HASHES_BOTH, /* of both, merged: V3 | V4 */
};

enum bareprof_hashes bareprof_profile_hashes(struct bareprof_profile *profile);

/*
 * bareprof_index_version - the newest index version that LLVM release @release, 13
 * or later, reads; it reads those before as well. bareprof_raw_version - the raw
 * version that it writes, and the only one it reads. 0: not known.
 */
unsigned int bareprof_index_version(unsigned int release);
unsigned int bareprof_raw_version(unsigned int release);

/* bareprof_profile_min_version - the index version that most releases read of those that lose nothing. */
unsigned int bareprof_profile_min_version(struct bareprof_profile *profile);

/*
 * bareprof_profile_unsupported - what index @version, or text (0), cannot hold of the
 * profile; it is left out on writing, and of names that lines of text cannot hold
 * readers see others. BAD if there is such, and @message lists it in words.
 */
enum bareprof_status bareprof_profile_unsupported(
	struct bareprof_profile *profile, unsigned int version, struct bareprof_message *message);

/*
 * bareprof_profile_write_indexed - write an indexed profile (.profdata) of
 * @version, 5 to 13; 0: bareprof_profile_min_version().
 * bareprof_profile_write_text - write text (.proftext), which has no build ids.
 *
 * The file appears at @path in one step when it is whole and on the disk; after an
 * error whatever was there is as it was. "-" is standard output. The bytes do
 * not depend on the order in which the inputs were read. Errors: SYSTEM, USAGE.
 */
enum bareprof_status bareprof_profile_write_indexed(
	struct bareprof_profile *profile, const char *path, unsigned int version, struct bareprof_message *message);
enum bareprof_status bareprof_profile_write_text(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);

/* bareprof_profile_indexed, bareprof_profile_text - the same into memory. Errors: USAGE. */
enum bareprof_status bareprof_profile_indexed(struct bareprof_profile *profile, struct bareprof_memory *memory,
	unsigned int version, struct bareprof_message *message);
enum bareprof_status bareprof_profile_text(
	struct bareprof_profile *profile, struct bareprof_memory *memory, struct bareprof_message *message);

/* What bareprof_convert_raw() makes. */
struct bareprof_raw_target {
	unsigned int version; /* raw version: 5 or 7 to 11; 0: that of release */
	unsigned int release; /* of LLVM, which is to read it; 0: all that read the version */
	const char *elf; /* has the records of profiles that come without; NULL: none */
	const char *elf_dir; /* a folder to look for it in; NULL: none */
	bool partial; /* see bareprof_profile_partial() */
	bool drop_build_ids; /* leave them out: raw version 5 has none */
};

/*
 * bareprof_convert_raw - what the raw profiles in @size bytes at @data (a .profraw,
 * a capture or a log) are in another raw version: each llvm-profdata reads one.
 * Nothing is left out, what the version cannot hold is an error that names it.
 * Free @memory with bareprof_memory_free(); after an error it is empty.
 * Errors: BAD, SYSTEM (the ELF file), USAGE (no such version). After OK @message is
 * empty or has a warning.
 */
enum bareprof_status bareprof_convert_raw(struct bareprof_memory *memory, const void *data, size_t size,
	const struct bareprof_raw_target *target, struct bareprof_message *message);

void bareprof_memory_free(struct bareprof_memory *memory);

/*
 * bareprof_out_of_memory - called when there is no memory left; it must not
 * return. The library's own says so on standard error and aborts. A program that
 * defines this function gets its own called instead; it may end the program its
 * way, or leave the call by longjmp() or the like: then the profile that was
 * worked on may not be used or freed any more, and what it held is lost.
 */
#ifdef __GNUC__
__attribute__((noreturn))
#endif
void bareprof_out_of_memory(void);

#ifdef __cplusplus
}
#endif

#endif
