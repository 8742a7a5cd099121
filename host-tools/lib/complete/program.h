/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.h - what the ELF file of a program tells about its profiles: records,
 * names and addresses. The file and its records are read once for all inputs and
 * threads that need them.
 */
#ifndef BAREPROF_HOST_PROGRAM_H
#define BAREPROF_HOST_PROGRAM_H

#include "image.h"
#include "record_table.h"

#include <bareprof/layout.h>
#include <pthread.h>

/* A section of the program. All zeros: there is none. */
struct elf_section_copy {
	uint64_t address; /* the address that the linker gave it */
	uint64_t size;
	uint64_t alignment;
	bool moves; /* it is loaded, so its address changes with that of the image */
	struct bytes content; /* from the file, with relocations applied */
};

struct program {
	char *path;
	struct image image;
	struct buffer build_id;
	unsigned int clang; /* newest release that compiled a part of it; 0: not known */
	uint64_t declared; /* version word that the image declares; 0: none */
	/* By enum bareprof_section, without the build id. */
	struct elf_section_copy section[BAREPROF_SECTIONS];
	struct elf_section_copy list_heads; /* heads of the value lists */
	bool correlated; /* compiled with -profile-correlate=binary, so pointers in the records are absolute */
	struct buffer relocated; /* content of the section of records, with relocations applied */
	struct buffer vtables; /* content of the section of vtable records, with relocations applied */
	struct record_table *table; /* a list: one table for each version word that was asked for */
	pthread_mutex_t lock;
};

/*
 * program_open - reads the ELF file at @path. Free it with program_close(), also after an error.
 * Errors: SYSTEM, INVALID_INPUT.
 */
enum status program_open(struct program *program, const char *path, struct error *error);
void program_close(struct program *program);

/*
 * program_records - sets *@table to the records of the program, read for the @version_word of a
 * profile or capture. @program owns the table. Errors: INVALID_INPUT.
 */
enum status program_records(
	struct program *program, uint64_t version_word, const struct record_table **table, struct error *error);

/* program_has - returns whether the file has the sections of records and names. Debug information does not count. */
bool program_has(const struct program *program);

/*
 * program_fits - checks that the program has pointers of @width bytes, this byte order and
 * @counters bytes of counters. Errors: INVALID_INPUT.
 */
enum status program_fits(
	const struct program *program, unsigned int width, bool big, uint64_t counters, struct error *error);

/*
 * id_text - appends a build id in hex digits. id_is_zero - returns whether a build id is all
 * zeros, because it has not been stamped yet.
 */
void id_text(struct bytes id, struct buffer *text);
bool id_is_zero(struct bytes id);

#endif
