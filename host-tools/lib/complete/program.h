/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.h - the records, names and addresses in the ELF file of a program. The file and its
 * records are read only once, for all inputs and all threads that need them.
 */
#ifndef BAREPROF_HOST_PROGRAM_H
#define BAREPROF_HOST_PROGRAM_H

#include "image.h"
#include "record_table.h"
#include "records.h"

#include <bareprof/layout.h>
#include <pthread.h>

/* A section of the program. If all members are zero, the program does not have it. */
struct elf_section_copy {
	uint64_t address; /* the address to which the section was linked */
	uint64_t size;
	uint64_t alignment;
	bool moves; /* true: the section is loaded, so it moves with the image */
	struct bytes content; /* bytes from the file; in loaded sections of records, relocations are applied */
};

struct program {
	char *path;
	struct image image;
	struct buffer build_id; /* empty: the file has no build id, or @unstamped is true */
	uint64_t build_id_address; /* link address of the bytes of @build_id, if @build_id_loaded is true */
	bool build_id_loaded; /* the build id is in memory when the image runs */
	bool unstamped; /* true: the build id is all zeros, because 'bareprof stamp' has not filled it in */
	unsigned int clang; /* newest clang release that compiled a part of the program; 0: not known */
	uint64_t declared; /* version word that the image declares; 0: none */
	/* The section for each number in enum bareprof_section. The entry of the build id is not used. */
	struct elf_section_copy section[BAREPROF_SECTIONS];
	struct elf_section_copy list_heads; /* the section of the heads of value lists */
	/* The program is an object file with several sections of records. @section has only the first of them. */
	bool scattered;
	bool correlated; /* true: compiled with -profile-correlate=binary, so pointers in the records are absolute */
	struct buffer relocated; /* content of the section of records, with relocations applied */
	struct buffer names; /* content of the section of names, if it was read from memory */
	struct buffer vtables; /* content of the section of vtable records, with relocations applied */
	/* a list of tables: one for each version word with which program_records() was called */
	struct record_table *table;
	pthread_mutex_t lock;
};

/* The end of each message about a scattered program. */
#define PROGRAM_SCATTERED                                                                                              \
	"is a relocatable object with several sections of records, which a link must join: give the linked program, "  \
	"or a module (ld -r -T) whose linker script joins them"

/*
 * The end of each message about functions without names. The format takes three arguments: the number of functions
 * without names, the number of all functions, and the path of the ELF file.
 */
#define PROGRAM_NAMELESS "%zu of %zu functions in the ELF file %s have no name; run 'bareprof check' on that file"

/*
 * program_open - reads the ELF file at @path. The caller frees @program with program_close(), also
 * after an error. Errors: SYSTEM, INVALID_INPUT.
 */
enum status program_open(struct program *program, const char *path, struct error *error);
void program_close(struct program *program);

/*
 * program_from_symbols - prepares a program of which only a list of symbols is at hand (see image_symbols()). It has the
 * bounds of sections, but no content: program_fill() must add it. The caller frees @program with program_close(), also
 * after an error. Errors: SYSTEM, INVALID_INPUT (the bounds are not in the list).
 * program_fill - adds the content of the records and names, which was read from memory, and takes ownership of it. Finds
 * out the pointer width and the byte order with which the records fit the counters. Errors: INVALID_INPUT.
 */
enum status program_from_symbols(struct program *program, const char *path, struct error *error);
enum status program_fill(struct program *program, struct buffer *records, struct buffer *names, struct error *error);

/*
 * program_records - sets *@table to the records of the program. @version_word is the version word
 * of the profile or capture for which the records are read. @program owns the table. Errors:
 * INVALID_INPUT.
 */
enum status program_records(
	struct program *program, uint64_t version_word, const struct record_table **table, struct error *error);

/*
 * program_undetected - returns the records of the program for records_detect_layout(). @names may be NULL. @declared is the
 * version word that the records should have, see records.h.
 */
struct records program_undetected(const struct program *program, const struct names *names, uint64_t declared);

/* program_named - checks that all functions in @table, which belongs to @program, have names. Errors: INVALID_INPUT. */
enum status program_named(const struct program *program, const struct record_table *table, struct error *error);

/*
 * program_has - returns whether the file has a section of records and a section of names. Returns false if the records
 * are only in debug information.
 */
bool program_has(const struct program *program);

/*
 * program_fits - checks that the program has pointers of @width bytes, the byte order @big,
 * and @counters bytes of counters. @counters may include padding of less than 8 bytes. Errors:
 * INVALID_INPUT.
 */
enum status program_fits(
	const struct program *program, unsigned int width, bool big, uint64_t counters, struct error *error);

#endif
