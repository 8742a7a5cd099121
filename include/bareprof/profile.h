/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.h - libbareprof: reads, adds up, inspects and writes LLVM instrumentation
 * profiles.
 *
 * The library is for programs on a host. (A kernel includes bareprof.h instead.) The library
 * reads raw profiles of versions 5 to 11, of either byte order and pointer width. It also
 * reads indexed profiles of versions 1 to 13, text profiles, and captures or logs of
 * bareprof's runtime. The library writes indexed profiles of versions 5 to 13 and text
 * profiles, and converts raw profiles to other versions.
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
 * error such a function writes a sentence to the caller's struct bareprof_message. The
 * pointer to this struct may be NULL; then no sentence is written. Inputs may be hostile. No
 * input makes the library crash or hang, or makes it use memory out of proportion to the
 * size of the input.
 *
 * Memory. The library calls bareprof_out_of_memory() if there is no memory left. A pointer
 * that the library returns points to memory of the profile. It is valid until the profile
 * changes or is freed, unless a comment says otherwise.
 *
 * Threads. The library keeps no state of its own. Several threads may use the library at
 * the same time, each with profiles of its own. Only one thread at a time may use a
 * profile, even if it only reads the profile.
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
	BAREPROF_STATUS_USAGE = 2, /* an argument is wrong, or the function must not be called any more */
	BAREPROF_STATUS_SYSTEM = 3, /* a file cannot be opened, read or written */
};

/*
 * One English sentence without subject and full stop, for example "is cut short in the
 * header". The subject is the file that was passed to the call. The text ends with a zero
 * byte, and contains no control characters from hostile files.
 */
struct bareprof_message {
	char text[4000];
};

/* Bytes that belong to another object. Text has no zero byte at its end. */
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
 * bareprof_profile_new - returns an empty profile, never NULL. Free the profile with
 * bareprof_profile_free(), which also frees everything that the profile owns.
 * bareprof_profile_free() accepts NULL.
 */
struct bareprof_profile *bareprof_profile_new(void);
void bareprof_profile_free(struct bareprof_profile *profile);

/*
 * Captures of counters, and profiles of programs compiled with -profile-correlate=...,
 * contain no names and no records. The library takes names and records from the program's
 * ELF file. Before you read such an input, call bareprof_profile_elf() or
 * bareprof_profile_elf_dir():
 *
 * bareprof_profile_elf - gives the library the ELF file at @path. If you call this function
 * several times, the library uses the ELF file that has the build id of the input. Errors:
 * INVALID_INPUT, SYSTEM.
 *
 * bareprof_profile_elf_dir - gives the library the folder at @path, for example a build
 * folder or a debugger's .build-id. The library searches this folder and all folders below
 * it for an ELF file with the build id of the input. Errors: SYSTEM.
 *
 * bareprof_profile_partial - sets whether a capture of counters may lack blocks. If @partial
 * is true, functions that did not arrive completely are left out (they are not read as 0),
 * and all values are left out too. If @partial is false, which is the default, such a
 * capture is an error.
 *
 * bareprof_profile_left_out - returns the name of the next function that was left out of
 * some input, or NULL after the last name. Set *at to 0 before the first call.
 */
enum bareprof_status bareprof_profile_elf(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);
enum bareprof_status bareprof_profile_elf_dir(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);
void bareprof_profile_partial(struct bareprof_profile *profile, bool partial);
const char *bareprof_profile_left_out(const struct bareprof_profile *profile, size_t *at);

/*
 * bareprof_profile_read - adds all profiles in the file at @path ("-": standard input)
 * to @profile. Multiplies all counts by @weight, which is at least 1.
 * bareprof_profile_read_memory - does the same with @size bytes at @data. The library does
 * not need these bytes after the call.
 *
 * After an error, neither function has added anything.
 *
 * Sums do not depend on the order of inputs, and saturate at 2^64 - 3. Two inputs may
 * disagree about the number of counters or value sites of a function, or about the size of
 * its bitmap. The larger number or size is then used; see bareprof_profile_note().
 *
 * If the input is a log or capture, all its dumps are added, except each dump whose counts
 * are also in a later dump of the same boot.
 *
 * Errors: INVALID_INPUT (the message has the offset or the function, or says that the kind
 * of the input cannot be added to the kind of earlier inputs); SYSTEM; USAGE if @weight is
 * 0, or if the profile was already inspected or written. (Nothing can be added then, because
 * the library has already dropped the values that files cannot hold.) After OK, @message is
 * empty or has a warning, for example that the input is partial or that its build id was not
 * checked.
 */
enum bareprof_status bareprof_profile_read(
	struct bareprof_profile *profile, const char *path, uint64_t weight, struct bareprof_message *message);
enum bareprof_status bareprof_profile_read_memory(struct bareprof_profile *profile, const void *data, size_t size,
	uint64_t weight, struct bareprof_message *message);

/* One of many inputs. The caller sets the first two fields, and the library sets the other four. */
struct bareprof_input {
	const char *path;
	uint64_t weight;

	enum bareprof_status status;
	const char *error; /* if status is not OK: a sentence, which belongs to the profile */
	const char *warning; /* NULL, or a sentence that belongs to the profile, for example: the input is partial */
	const char *note; /* NULL, or a sentence that is only information, for example: a log has several dumps */
};

/* Options for reading many inputs. A struct of zeros is a good choice. */
struct bareprof_read_options {
	unsigned int jobs; /* number of threads; 0: the library chooses */
	bool keep_going; /* leave out bad inputs; false: the first bad input ends the call */
	unsigned int shard; /* read only functions whose name hash modulo shards is this number */
	unsigned int shards; /* number of shards; 0: read all functions */
	/*
	 * If this function is not NULL, the library calls it after each input, with context
	 * and with the size of the input in bytes. Any thread may call the function, but
	 * only one thread at a time.
	 */
	void (*progress)(void *context, uint64_t bytes);
	void *context;
};

/*
 * bareprof_profile_read_files - reads the @count files in @inputs, faster than one call for
 * each file.
 *
 * Errors: those of bareprof_profile_read(). If @how->keep_going is true, bad inputs are
 * left out. The call then fails only if all inputs are bad or if their kinds do not mix.
 * If @how->keep_going is false, the call fails with the error of the first bad input. If the
 * call fails, nothing is added. After the call, the status, error and warning of each input
 * are set. The exceptions are calls that return USAGE, and inputs whose kinds do not mix.
 */
enum bareprof_status bareprof_profile_read_files(struct bareprof_profile *profile, struct bareprof_input *inputs,
	size_t count, const struct bareprof_read_options *how, struct bareprof_message *message);

/*
 * Functions with which the program maps a large file into memory, so that the library need
 * not read it. The program defines them, because access to a mapped file that was truncated
 * raises a signal, and the library must not handle the program's signals.
 */
struct bareprof_file_maps {
	/*
	 * Maps the raw profile at @path, private and writable, and sets *bytes to the
	 * mapped bytes. They stay mapped until the profile is freed. Returns false if the
	 * library should read the file instead.
	 */
	bool (*map)(const char *path, struct bareprof_bytes *bytes);
	/*
	 * Checks that the mapped file was not truncated. The library calls this function
	 * before it writes contents of the file to an output. Errors: SYSTEM.
	 */
	enum bareprof_status (*check)(struct bareprof_message *message);
};

/*
 * bareprof_profile_map_files - lets bareprof_profile_read_files() map its input, if there
 * is only one input and keep_going is false. *maps must stay in place until @profile is
 * freed.
 */
void bareprof_profile_map_files(struct bareprof_profile *profile, const struct bareprof_file_maps *maps);

/* The notes: events that can happen while inputs are added up. */
enum bareprof_note {
	BAREPROF_NOTE_OVERFLOW, /* a count reached its maximum and stays there */
	BAREPROF_NOTE_COUNTERS, /* for the same function and hash, inputs have different numbers of counters */
	BAREPROF_NOTE_BITMAP, /* for the same function and hash, inputs have different sizes of the bitmap */
	BAREPROF_NOTE_SITES, /* for the same function and hash, inputs have different numbers of value sites */
	/*
	 * Weak duplicates: definitions that the linker discarded because another object
	 * defines the same weak function. These definitions never ran. For this note,
	 * bareprof_profile_note() does not return a sum over all inputs. It returns the
	 * number of weak duplicates in the input that has most of them.
	 */
	BAREPROF_NOTE_WEAK_DUPLICATES,
	BAREPROF_NOTES
};

/*
 * bareprof_profile_note - returns the number of times that @note happened. If @function is
 * not NULL, *@function is set to the name of a function to which @note happened. If there
 * are several such functions, *@function is the name that is first in the order of names.
 * If there is no such function, the size of *@function is 0.
 */
uint64_t bareprof_profile_note(
	const struct bareprof_profile *profile, enum bareprof_note note, struct bareprof_bytes *function);

/* The kind of a profile. */
struct bareprof_kind {
	bool ir; /* IR instrumentation; false: front-end instrumentation */
	bool context_sensitive;
	bool entry_first; /* the first counter of every function counts its entries */
	bool loop_entries; /* entries of loops have counters too */
	bool byte_coverage; /* true: a count is the number of inputs in which the code ran */
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

/* A function. The pointers in this struct point to memory of the profile. */
struct bareprof_function {
	struct bareprof_bytes name; /* mangled; for a static function "file:name" or "file;name" */
	uint64_t name_hash; /* the lower 8 bytes of the name's MD5 */
	uint64_t hash; /* structural hash; with the name it identifies the function */
	const uint64_t *counters;
	size_t counter_count;
	const uint8_t *bitmap; /* the MC/DC test vectors that were seen, one bit each; NULL: none */
	size_t bitmap_size; /* bytes */
	size_t sites[BAREPROF_VALUE_KINDS]; /* number of value sites of each kind */
	const void *inner; /* only bareprof_function_values() uses this pointer */
};

struct bareprof_value {
	uint64_t value;
	uint64_t count;
};

/*
 * Call the following functions after all inputs were read. Each of them puts the profile
 * into its final order. After that nothing can be added to the profile.
 *
 * bareprof_profile_functions - returns the number of functions.
 *
 * bareprof_profile_function - sets *function to the function with @index, counted from 0.
 * Functions are in the order of profile files, which is by the bytes of the name, then by
 * hash. Returns false if there is no function @index.
 *
 * bareprof_function_values - copies the values of site @site to @values, in the order of
 * their counts, the largest count first. @site is less than function->sites[kind]. Copies
 * at most @room values. Returns the number of values that the site has, which is at most
 * 255 and may be more than @room.
 *
 * bareprof_profile_name - returns the function name that has the name hash @hash. If no
 * function of the profile has this hash, the size of the result is 0.
 */
size_t bareprof_profile_functions(struct bareprof_profile *profile);
bool bareprof_profile_function(struct bareprof_profile *profile, size_t index, struct bareprof_function *function);
size_t bareprof_function_values(const struct bareprof_function *function, enum bareprof_value_kind kind, size_t site,
	struct bareprof_value *values, size_t room);
struct bareprof_bytes bareprof_profile_name(struct bareprof_profile *profile, uint64_t hash);

/*
 * bareprof_profile_build_id - sets *id to the next build id in the profile. Each build id
 * identifies a program that was run. Set *at to 0 before the first call. Returns false
 * after the last build id. After this call nothing can be added to the profile.
 */
bool bareprof_profile_build_id(struct bareprof_profile *profile, size_t *at, struct bareprof_bytes *id);

/* The order in which functions were first called, in one run or in several runs with the same order. */
struct bareprof_trace {
	uint64_t weight;
	const uint64_t *name_hashes; /* an array that belongs to the profile */
	size_t count;
};

/*
 * bareprof_profile_trace - sets *trace to the trace with @index, counted from 0. Returns
 * false if there is no trace @index. After this call nothing can be added to the profile.
 */
bool bareprof_profile_trace(struct bareprof_profile *profile, size_t index, struct bareprof_trace *trace);

/*
 * bareprof_profile_drop_zero - removes the functions that never ran. If several functions
 * have the same name and different hashes, they are removed only if none of them ran.
 *
 * bareprof_profile_filter - calls @keep with @context and the name of each function, and removes
 * the functions for which @keep returns false, also from the traces. Returns the number of
 * functions that are left.
 *
 * bareprof_profile_drop_build_ids - removes all build ids.
 *
 * bareprof_profile_hashes_to_v4 - changes the structural hashes of clang 11 to 21 to the
 * structural hashes of clang 22, for clang 22's -fprofile-instr-use. After this change
 * llvm-cov does not match the profile with a program compiled by an older clang.
 */
void bareprof_profile_drop_zero(struct bareprof_profile *profile);
size_t bareprof_profile_filter(
	struct bareprof_profile *profile, bool (*keep)(void *context, struct bareprof_bytes name), void *context);
void bareprof_profile_drop_build_ids(struct bareprof_profile *profile);
void bareprof_profile_hashes_to_v4(struct bareprof_profile *profile);

/* The kinds of structural hashes. For clang's -fprofile-instr-use, the kind must fit the index version. */
enum bareprof_hashes {
	BAREPROF_HASHES_ANY, /* any index version fits: an IR profile, or functions with equal V3 and V4 hashes */
	BAREPROF_HASHES_V3, /* hashes of clang 11 to 21; clang accepts them only in index versions 6 to 12 */
	BAREPROF_HASHES_V4, /* hashes of clang 22; clang accepts them only in index version 13 */
	BAREPROF_HASHES_BOTH, /* a merged profile that has hashes of both kinds: V3 | V4 */
};

/* bareprof_profile_hashes - returns the kind of structural hashes that the functions of @profile have. */
enum bareprof_hashes bareprof_profile_hashes(struct bareprof_profile *profile);

/*
 * bareprof_index_version - returns the newest index version that LLVM release @release
 * reads (the release also reads all older versions). Returns 0 if the release is below 13
 * or unknown.
 *
 * bareprof_raw_version - returns the raw version that LLVM release @release writes. The
 * release reads no other raw version. Returns 0 if the release is unknown.
 */
unsigned int bareprof_index_version(unsigned int release);
unsigned int bareprof_raw_version(unsigned int release);

/*
 * bareprof_profile_min_version - returns the oldest index version that can hold the whole
 * profile. More LLVM releases can read this version than any later version.
 */
unsigned int bareprof_profile_min_version(struct bareprof_profile *profile);

/*
 * bareprof_profile_unsupported - checks whether index version @version, or the text format
 * if @version is 0, can hold the whole profile. If it cannot, returns INVALID_INPUT,
 * and @message lists the contents that the version cannot hold. A file of that version lacks
 * these contents. For example, text leaves out each function whose name would be read as
 * a number or a comment. Text never has build ids, names of vtables or the entry-only
 * flag. @message does not list these three.
 */
enum bareprof_status bareprof_profile_unsupported(
	struct bareprof_profile *profile, unsigned int version, struct bareprof_message *message);

/*
 * bareprof_profile_write_indexed - writes an indexed profile (.profdata) of index
 * version @version to the file at @path. @version is 5 to 13, or 0 for the result of
 * bareprof_profile_min_version().
 *
 * bareprof_profile_write_text - writes text (.proftext), which has no build ids, to the file
 * at @path.
 *
 * The file appears at @path in one step, when it is complete and on the disk. After an
 * error, a file that already existed at @path is unchanged. The @path "-" means standard
 * output. The bytes written do not depend on the order in which the inputs were read.
 * Errors: SYSTEM; USAGE if there is no such version.
 */
enum bareprof_status bareprof_profile_write_indexed(
	struct bareprof_profile *profile, const char *path, unsigned int version, struct bareprof_message *message);
enum bareprof_status bareprof_profile_write_text(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message);

/*
 * bareprof_profile_indexed, bareprof_profile_text - write the same bytes as the two
 * functions above, but to @memory. Free @memory with bareprof_memory_free(). After an
 * error @memory is empty. Errors: USAGE.
 */
enum bareprof_status bareprof_profile_indexed(struct bareprof_profile *profile, struct bareprof_memory *memory,
	unsigned int version, struct bareprof_message *message);
enum bareprof_status bareprof_profile_text(
	struct bareprof_profile *profile, struct bareprof_memory *memory, struct bareprof_message *message);

/* Options of bareprof_convert_raw(). */
struct bareprof_raw_target {
	unsigned int version; /* raw version: 5 or 7 to 11; 0: the version that the LLVM release below writes */
	unsigned int release; /* the LLVM release that will read the output; 0: any release that reads the version */
	const char *elf; /* path of the ELF file with the records, for an input without records; NULL: no ELF file */
	const char *elf_dir; /* path of a folder in which to search for that ELF file; NULL: no folder */
	bool partial; /* accept incomplete captures, see bareprof_profile_partial() */
	bool drop_build_ids; /* leave out build ids, which raw version 5 cannot hold */
};

/*
 * bareprof_convert_raw - converts the raw profiles in @size bytes at @data (a .profraw, a
 * capture or a log) to another raw version. This is useful because each llvm-profdata reads
 * only one raw version. If the version cannot hold a part of the contents, the call fails,
 * and @message names this part.
 *
 * Free @memory with bareprof_memory_free(). After an error @memory is empty. Errors:
 * INVALID_INPUT; SYSTEM (the ELF file cannot be read); USAGE (the version or release is
 * unknown). After OK, @message is empty or has a warning.
 */
enum bareprof_status bareprof_convert_raw(struct bareprof_memory *memory, const void *data, size_t size,
	const struct bareprof_raw_target *target, struct bareprof_message *message);

/* bareprof_memory_free - frees the bytes of @memory and sets its size to 0. */
void bareprof_memory_free(struct bareprof_memory *memory);

/*
 * bareprof_out_of_memory - handles a lack of memory. The library calls this function when
 * there is no memory left. The library's own definition prints a line to standard error and
 * aborts. If the program defines a function of this name, the library calls the program's
 * function instead. The program's function must not return. It may end the program, or jump
 * out of the library by longjmp() or similar means. After such a jump, do not use or free
 * the profile of the interrupted call any more. The memory of this profile is lost.
 */
#ifdef __GNUC__
__attribute__((noreturn))
#endif
void bareprof_out_of_memory(void);

#ifdef __cplusplus
}
#endif

#endif
