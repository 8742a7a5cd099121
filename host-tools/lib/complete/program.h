/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.h - what the ELF file of a program has of its profiles: records, names
 * and where everything was linked to. It is read once, its records too, for however
 * many inputs need it, by however many threads.
 */
#ifndef BAREPROF_HOST_PROGRAM_H
#define BAREPROF_HOST_PROGRAM_H

#include "image.h"
#include "record_table.h"

#include <bareprof/layout.h>
#include <pthread.h>

/* What became of a section. All zeros: there is none. */
struct elf_section_copy {
	uint64_t address;
	uint64_t size;
	uint64_t alignment;
	bool moves; /* with the image, as it is loaded */
	struct bytes content; /* what the file has of it, as a loader would leave it */
};

struct program {
	char *path;
	struct image image;
	struct buffer build_id;
	unsigned int clang; /* newest that compiled any of it; 0: not told */
	uint64_t declared; /* version word; 0: none */
	/* Of the file, by enum bareprof_section; the build id is not among them. */
	struct elf_section_copy section[BAREPROF_SECTIONS];
	struct elf_section_copy list_heads; /* of lists of values */
	bool correlated; /* the records are of -profile-correlate=binary: their pointers are absolute */
	struct buffer relocated; /* content of the records */
	struct buffer vtables;
	struct record_table *table;
	pthread_mutex_t lock;
};

/* program_open - read the ELF file at @path; free it with program_close(), also after an error. Errors: SYSTEM, INVALID_INPUT. */
enum status program_open(struct program *program, const char *path, struct error *error);
void program_close(struct program *program);

/* program_records - the functions by @version_word, a profile's or a capture's. Errors: INVALID_INPUT. */
enum status program_records(
	struct program *program, uint64_t version_word, const struct record_table **table, struct error *error);

/* program_has - does the file have what makes a profile of counters? Debug information is not looked at. */
bool program_has(const struct program *program);

/* program_fits - are pointers, byte order and the size of the counters the file's? Errors: INVALID_INPUT. */
enum status program_fits(
	const struct program *program, unsigned int width, bool big, uint64_t counters, struct error *error);

/* id_text - append a build id in digits; id_is_zero - is it one that nobody filled in? */
void id_text(struct bytes id, struct buffer *text);
bool id_is_zero(struct bytes id);

#endif
