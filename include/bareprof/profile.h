/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - libbareprof: reads, adds up, inspects and writes LLVM instrumentation
 * profiles.
 *
 * The library is for programs on a host. (A kernel includes bareprof.h instead.) It reads
 * raw profiles of versions 5 to 11, of either byte order and pointer width, indexed profiles
 * of versions 1 to 13, text, and captures or logs of bareprof's runtime. It writes indexed
 * profiles of versions 5 to 13 and text, and converts raw profiles to other versions.
 *
 *	struct bareprof_profile *profile = bareprof_profile_new();
 *	struct bareprof_message why;
 *
 *	if (bareprof_profile_read(profile, "default.profraw", 1, &why) ||
 *		bareprof_profile_write_indexed(profile, "out.profdata", 0, &why))
 *		fprintf(stderr, "%s\n", why.text);
 *	bareprof_profile_free(profile);
 *
 * Errors. Functions that can fail return an enum bareprof_status, 0 for success. After an
 * error they write a sentence to the caller's struct bareprof_message, if that is not NULL.
 * Inputs may be hostile: no input makes the library crash, hang, or use memory out of
 * proportion to the size of the input.
 *
 * Memory. The library calls bareprof_out_of_memory() if there is no memory left. Pointers
 * that the library returns point to memory of the profile. They are valid until the profile
 * changes or is freed, unless a comment says otherwise.
 *
 * Threads. The library keeps no state of its own. Several threads may use it at the same
 * time, each with its own profiles. Only one thread at a time may use a profile, even to
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
		1, /* the input is damaged, of the wrong kind, or contains something that the output cannot hold */
	BAREPROF_STATUS_USAGE = 2, /* the call is wrong, whatever the input */
	BAREPROF_STATUS_SYSTEM = 3, /* a file cannot be opened, read or written */
};

/*
 * One English sentence without its subject, which is the file of the call, and without a
 * full stop: "is cut short in the header". It ends with a zero byte, and contains no control
 * characters from hostile files.
 */
struct bareprof_message {
	char text[4000];
};

/* Bytes that something else owns. Text in them has no zero byte at its end. */
struct bareprof_bytes {
	const uint8_t *data;
	size_t size;
};

/* Bytes that the caller owns and frees with bareprof_memory_free(). */
struct bareprof_memory {
	uint8_t *data;
	size_t size;
};

/* A profile in memory: functions with their counts, summed over all inputs that were read. */
struct bareprof_profile;

/*
 * bareprof_profile_new - returns an empty profile, never NULL. Free it with
 * bareprof_profile_free(), which also frees all that the profile owns and accepts NULL.
 */
struct bareprof_profile *bareprof_profile_new(void);
void bareprof_profile_free(struct bareprof_profile *profile);

/*
 * Captures of counters, and profiles of programs compiled with -profile-correlate=...,
 * contain no names and no records. The library takes these from the program's ELF file. Call
 * one of the first two functions before you read such an input:
 *
 * bareprof_profile_elf - gives the library the ELF file at @path. If there are several, the
 * library uses the one with the build id of the input. Errors: INVALID_INPUT, SYSTEM.
 *
 * bareprof_profile_elf_dir - gives the library the folder at @path, for example a build
 * folder or a debugger's .build-id. The library searches it and all folders below for an ELF
 * file with the build id of the input. Errors: SYSTEM.
 *
 * bareprof_profile_partial - sets whether captures of counters may lack blocks. If
 * @partial, functions that did not arrive completely are left out (never counted as 0), and
 * so are all values. If not, which is the default, such a capture is an error.
 *
 * bareprof_profile_left_out - returns the name of the next function that was left out, of
 * any input, or NULL if there are no more. Set *at to 0 before the first call.
 */
enum bareprof_status bareprof_profile_elf(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);
enum bareprof_status bareprof_profile_elf_dir(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);
void bareprof_profile_partial(struct bareprof_profile *profile, bool partial);
const char *bareprof_profile_left_out(const struct bareprof_profile *profile, size_t *at);

/*
 * bareprof_profile_read - adds the profile, or profiles, in the file at @path ("-": standard
 * input) to @profile. All counts are multiplied by @weight, at least 1.
 * bareprof_profile_read_memory - does the same with @size bytes at @data, which the library
 * does not need after the call. Either the whole input is added or, after an error, nothing.
 *
 * Sums do not depend on the order of inputs, and saturate at 2^64 - 3. If inputs disagree
 * about the shape of a function, such as its number of counters, the larger shape is used;
 * see bareprof_profile_note().
 *
 * Errors: INVALID_INPUT (the message has the offset or the function, or says that the kind
 * of the input does not mix with earlier inputs); SYSTEM; USAGE if @weight is 0, or if the
 * profile was already looked at or written. (Looking at a profile, or writing it, drops the
 * values that files cannot hold, so nothing can be added any more.) After OK, @message is
 * empty or has a warning, for example that the input is partial or that its build id was
 * not checked. All dumps of a log or capture are added, except a dump whose counts are also
 * in a later dump of the same boot.
 */
enum bareprof_status bareprof_profile_read(
	struct bareprof_profile *profile, const char *path, uint64_t weight, struct bareprof_message *message);
enum bareprof_status bareprof_profile_read_memory(struct bareprof_profile *profile, const void *data, size_t size,
	uint64_t weight, struct bareprof_message *message);

/* One of many inputs. The caller sets the first two fields, the library the other four. */
struct bareprof_input {
	const char *path;
	uint64_t weight;

	enum bareprof_status status;
	const char *error; /* a sentence if status is not OK; it belongs to the profile */
	const char *warning; /* NULL, or a sentence, for example that the input is partial; it belongs to the profile */
	const char *note; /* NULL, or a sentence though nothing is wrong, for example that a log has several dumps */
};

/* How to read many inputs. All zeros is a good choice. */
struct bareprof_read_options {
	unsigned int jobs; /* number of threads; 0: the library chooses */
	bool keep_going; /* leave out bad inputs; otherwise the first bad input ends the call */
	unsigned int shard; /* read only functions whose name hash modulo shards is this number */
	unsigned int shards; /* 0: read all functions */
	/*
	 * If not NULL: called after each input, with context and with the size of the input in
	 * bytes. Any of the threads may call it, but only one at a time.
	 */
	void (*progress)(void *context, uint64_t bytes);
	void *context;
};

/*
 * bareprof_profile_read_files - reads @count files, @inputs, faster than one call for each.
 *
 * Errors: those of bareprof_profile_read(). With @how->keep_going, bad inputs are left out,
 * and the call fails only if all of them are bad or if their kinds do not mix. Without it,
 * the call fails with the error of the first bad input. If the call fails, nothing is
 * added. Afterwards each input has its own status, error and warning, except if the kinds of
 * the inputs do not mix, or after USAGE.
 */
enum bareprof_status bareprof_profile_read_files(struct bareprof_profile *profile, struct bareprof_input *inputs,
	size_t count, const struct bareprof_read_options *how, struct bareprof_message *message);

/*
 * Functions with which a program maps a large file into memory instead of reading it. They
 * belong to the program because a mapped file that someone truncates raises a signal, and
 * the library must not handle the program's signals.
 */
struct bareprof_file_maps {
	/*
	 * Maps the raw profile at @path, private and writable, until the profile is freed, and
	 * sets *bytes to it. Returns false if the library should read the file instead.
	 */
	bool (*map)(const char *path, struct bareprof_bytes *bytes);
	/* Checks that the mapped file is still whole. Called before its contents are written. Errors: SYSTEM. */
	enum bareprof_status (*check)(struct bareprof_message *message);
};

/*
 * bareprof_profile_map_files - lets bareprof_profile_read_files() map a file that is its only
 * input, without keep_going. *maps must stay in place until @profile is freed.
 */
void bareprof_profile_map_files(struct bareprof_profile *profile, const struct bareprof_file_maps *maps);

/* Notes: events while inputs were added up. */
enum bareprof_note {
	BAREPROF_NOTE_OVERFLOW, /* a count reached its maximum and stays there */
	BAREPROF_NOTE_COUNTERS, /* inputs have different numbers of counters for one function and hash */
	BAREPROF_NOTE_BITMAP, /* inputs have different sizes of the bitmap for one function and hash */
	BAREPROF_NOTE_SITES, /* inputs have different numbers of value sites for one function and hash */
	/*
	 * Weak duplicates: definitions that the linker discarded because another object
	 * defines the same weak function. They never ran. This is their number in the one input
	 * that has the most of them, not a sum.
	 */
	BAREPROF_NOTE_WEAK_DUPLICATES,
	BAREPROF_NOTES
};

/*
 * bareprof_profile_note - returns how often @note happened. If @function is not NULL, it is
 * set to the name of a function to which @note happened, the first one by name; its size is
 * 0 if there is none.
 */
uint64_t bareprof_profile_note(
	const struct bareprof_profile *profile, enum bareprof_note note, struct bareprof_bytes *function);

/* The kind of a profile. */
struct bareprof_kind {
	bool ir; /* IR instrumentation; false: front-end instrumentation */
	bool context_sensitive;
	bool entry_first; /* the first counter of every function counts its entries */
	bool loop_entries; /* entries of loops have counters too */
	bool byte_coverage; /* a count is the number of inputs in which the code ran, not how often */
	bool entry_only; /* one counter for each function */
	bool temporal; /* the profile has traces, see bareprof_profile_trace() */
};

/* bareprof_profile_kind - sets *kind to the kind of @profile. */
void bareprof_profile_kind(const struct bareprof_profile *profile, struct bareprof_kind *kind);

/* The kinds of values, and of value sites. */
enum bareprof_value_kind {
	BAREPROF_VALUE_CALL, /* targets of indirect calls: hashes of function names, 0: unknown */
	BAREPROF_VALUE_SIZE, /* sizes of memory operations, in bytes */
	BAREPROF_VALUE_VTABLE, /* vtables: hashes of vtable names, 0: unknown */
	BAREPROF_VALUE_KINDS
};

/* A function. Everything that it points to belongs to the profile. */
struct bareprof_function {
	struct bareprof_bytes name; /* mangled; for a static function "file:name" or "file;name" */
	uint64_t name_hash; /* the lower 8 bytes of the name's MD5 */
	uint64_t hash; /* structural hash; with the name it identifies the function */
	const uint64_t *counters;
	size_t counter_count;
	const uint8_t *bitmap; /* the MC/DC test vectors that were seen, one bit each; NULL: none */
	size_t bitmap_size; /* bytes */
	size_t sites[BAREPROF_VALUE_KINDS]; /* number of value sites of each kind */
	const void *inner; /* for bareprof_function_values() */
};

struct bareprof_value {
	uint64_t value;
	uint64_t count;
};

/*
 * Call these functions after all inputs were read. They put the profile into its final
 * order, and nothing can be added afterwards.
 *
 * bareprof_profile_functions - returns the number of functions.
 *
 * bareprof_profile_function - sets *function to the function with @index, counted from 0, in
 * the order of profile files: by the bytes of the name, then by hash. Returns false if there
 * is none.
 *
 * bareprof_function_values - copies the values of a site, @site less than
 * function->sites[kind], to @values, at most @room of them, the most frequent first. Returns
 * the number of values that the site has, at most 255, which may be more than @room.
 *
 * bareprof_profile_name - returns the function name that has the name hash @hash, size 0 if
 * no function of the profile has it.
 */
size_t bareprof_profile_functions(struct bareprof_profile *profile);
bool bareprof_profile_function(struct bareprof_profile *profile, size_t index, struct bareprof_function *function);
size_t bareprof_function_values(const struct bareprof_function *function, enum bareprof_value_kind kind, size_t site,
	struct bareprof_value *values, size_t room);
struct bareprof_bytes bareprof_profile_name(struct bareprof_profile *profile, uint64_t hash);

/*
 * bareprof_profile_build_id - sets *id to the next build id of the programs that were run.
 * Set *at to 0 before the first call. Returns false if there are no more. Nothing can be
 * added to the profile afterwards.
 */
bool bareprof_profile_build_id(struct bareprof_profile *profile, size_t *at, struct bareprof_bytes *id);

/* The order in which functions were first called, in one run or in several runs with the same order. */
struct bareprof_trace {
	uint64_t weight;
	const uint64_t *name_hashes; /* belong to the profile */
	size_t count;
};

/*
 * bareprof_profile_trace - sets *trace to the trace with @index, counted from 0. Returns false
 * if there is none. Nothing can be added to the profile afterwards.
 */
bool bareprof_profile_trace(struct bareprof_profile *profile, size_t index, struct bareprof_trace *trace);

/*
 * bareprof_profile_drop_zero - removes the functions that never ran. Functions with the same
 * name and different hashes are removed only if none of them ran.
 *
 * bareprof_profile_drop_build_ids - removes all build ids.
 *
 * bareprof_profile_hashes_to_v4 - changes structural hashes of clang 11 to 21 to those of
 * clang 22, for its -fprofile-instr-use. Afterwards llvm-cov does not match the profile with
 * a program compiled by an older clang.
 */
void bareprof_profile_drop_zero(struct bareprof_profile *profile);
void bareprof_profile_drop_build_ids(struct bareprof_profile *profile);
void bareprof_profile_hashes_to_v4(struct bareprof_profile *profile);

/* The kind of structural hashes, which must fit the index version for clang's -fprofile-instr-use. */
enum bareprof_hashes {
	BAREPROF_HASHES_ANY, /* it does not matter: an IR profile, or too few functions to tell */
	BAREPROF_HASHES_V3, /* of clang 11 to 21; clang finds them only in index versions 6 to 12 */
	BAREPROF_HASHES_V4, /* of clang 22; clang finds them only in index version 13 */
	BAREPROF_HASHES_BOTH, /* a merged profile with both: V3 | V4 */
};

/* bareprof_profile_hashes - returns the kind of structural hashes that the functions of @profile have. */
enum bareprof_hashes bareprof_profile_hashes(struct bareprof_profile *profile);

/*
 * bareprof_index_version - returns the newest index version that LLVM release @release, 13
 * or later, reads (it also reads all older ones), or 0 if the release is not known.
 *
 * bareprof_raw_version - returns the raw version that LLVM release @release writes, which
 * is also the only one that it reads, or 0 if the release is not known.
 */
unsigned int bareprof_index_version(unsigned int release);
unsigned int bareprof_raw_version(unsigned int release);

/*
 * bareprof_profile_min_version - returns the index version that holds the whole profile and
 * that the most LLVM releases read.
 */
unsigned int bareprof_profile_min_version(struct bareprof_profile *profile);

/*
 * bareprof_profile_unsupported - checks whether index version @version, or text (0), can hold
 * the whole profile. If not, returns INVALID_INPUT, and @message lists in words what it
 * cannot hold. A file of that version leaves out what @message lists; names that do not fit
 * a line of text are read back as other names. Text never has build ids, names of vtables
 * or the entry-only flag; the list does not mention these.
 */
enum bareprof_status bareprof_profile_unsupported(
	struct bareprof_profile *profile, unsigned int version, struct bareprof_message *message);

/*
 * bareprof_profile_write_indexed - writes an indexed profile (.profdata) of index version
 * @version to the file at @path: 5 to 13, or 0 for bareprof_profile_min_version().
 *
 * bareprof_profile_write_text - writes text (.proftext), which has no build ids, to the file
 * at @path.
 *
 * The file appears at @path in one step, when it is complete and on the disk. After an error,
 * a file that was there before is unchanged. "-" is standard output. The bytes written do not
 * depend on the order in which the inputs were read. Errors: SYSTEM; USAGE if there is no
 * such version.
 */
enum bareprof_status bareprof_profile_write_indexed(
	struct bareprof_profile *profile, const char *path, unsigned int version, struct bareprof_message *message);
enum bareprof_status bareprof_profile_write_text(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);

/*
 * bareprof_profile_indexed, bareprof_profile_text - write the same bytes as the two
 * functions above, to memory. Free @memory with bareprof_memory_free(); after an error it
 * is empty. Errors: USAGE.
 */
enum bareprof_status bareprof_profile_indexed(struct bareprof_profile *profile, struct bareprof_memory *memory,
	unsigned int version, struct bareprof_message *message);
enum bareprof_status bareprof_profile_text(
	struct bareprof_profile *profile, struct bareprof_memory *memory, struct bareprof_message *message);

/* The output of bareprof_convert_raw(), and how to make it. */
struct bareprof_raw_target {
	unsigned int version; /* raw version: 5 or 7 to 11; 0: the version that release writes */
	unsigned int release; /* the LLVM release that will read it; 0: any release that reads the version */
	const char *elf; /* ELF file with the records for an input without records; NULL: none */
	const char *elf_dir; /* a folder in which to search for that file; NULL: none */
	bool partial; /* accept incomplete captures, see bareprof_profile_partial() */
	bool drop_build_ids; /* leave out build ids, which raw version 5 cannot hold */
};

/*
 * bareprof_convert_raw - converts the raw profiles in @size bytes at @data (a .profraw, a
 * capture or a log) to another raw version, because each llvm-profdata reads only one.
 * Nothing is left out silently: if the version cannot hold something, the call fails and the
 * message names it.
 *
 * Free @memory with bareprof_memory_free(); after an error it is empty. Errors:
 * INVALID_INPUT; SYSTEM (the ELF file); USAGE (no such version). After OK, @message is empty
 * or has a warning.
 */
enum bareprof_status bareprof_convert_raw(struct bareprof_memory *memory, const void *data, size_t size,
	const struct bareprof_raw_target *target, struct bareprof_message *message);

/* bareprof_memory_free - frees the bytes of @memory and makes it empty. */
void bareprof_memory_free(struct bareprof_memory *memory);

/*
 * bareprof_out_of_memory - the library calls this when there is no memory left. It must not
 * return. The library's own definition prints a line to standard error and aborts. If the
 * program defines a function of this name, that is called instead. It may end the program,
 * or leave the library by longjmp() or similar means. Then the profile of the interrupted
 * call must not be used or freed any more, and its memory is lost.
 */
#ifdef __GNUC__
__attribute__((noreturn))
#endif
void bareprof_out_of_memory(void);

#ifdef __cplusplus
}
#endif

#endif
