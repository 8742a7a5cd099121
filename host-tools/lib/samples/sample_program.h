/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_program.h - the ELF file to which samples belong: its build id, its code and its functions.
 */
#ifndef BAREPROF_HOST_SAMPLE_PROGRAM_H
#define BAREPROF_HOST_SAMPLE_PROGRAM_H

#include "image.h"
#include "samples.h"

/* A function, or a label of assembly code that is in no function. */
struct sample_function {
	uint64_t address; /* first, so that compare_numbers() finds it */
	uint64_t end; /* address after the last byte */
	const char *name; /* the best name of several at this address; the image owns it */
	const char *file; /* source file of a local symbol, as in struct image_symbol */
	size_t alias; /* index of the first symbol at this address in sample_program.symbols */
	size_t aliases; /* number of symbols at this address; at least 1 */
	bool sized; /* the symbol table has the size; otherwise the function ends at the next symbol or section */
};

/* The code of the image: an executable section. */
struct sample_code {
	uint64_t address; /* first, so that compare_numbers() finds it */
	uint64_t end;
};

struct sample_program {
	const char *path; /* The caller owns this string. */
	struct image image;
	struct buffer build_id; /* empty: the file has none */
	uint64_t build_id_address; /* link address of the bytes of the build id */
	bool build_id_loaded; /* the build id has an address */
	unsigned int clang; /* as in struct elf_info */
	struct sample_function *functions; /* sorted by address; no two have the same address */
	uint64_t *reach; /* for each function, the largest end of it and of all functions before it */
	size_t function_count;
	const struct image_symbol **symbols; /* the symbols of code, sorted by address, the best name first */
	size_t symbol_count;
	struct sample_code *code; /* sorted by address */
	size_t code_count;
};

/*
 * sample_program_open - reads the ELF file at @path. The caller frees @program with sample_program_close(), also after
 * an error. Errors: SYSTEM, INVALID_INPUT, also if the file is a module, or its build id is all zeros.
 */
enum status sample_program_open(struct sample_program *program, const char *path, struct error *error);
void sample_program_close(struct sample_program *program);

/* sample_program_is_code - returns whether @address is in the code of the image. */
bool sample_program_is_code(const struct sample_program *program, uint64_t address);

/*
 * sample_program_function - returns the function that contains @address, or NULL if none does. If functions overlap,
 * returns the one that starts last. Clears the Thumb bit of @address first if the image is for 32-bit Arm.
 */
const struct sample_function *sample_program_function(const struct sample_program *program, uint64_t address);

/*
 * sample_program_keep_code - removes the samples that are not in the code of @program, adds their number to
 * samples->outside, and returns it. Keeps a counter of a histogram if it stands for at least one byte of code.
 */
uint64_t sample_program_keep_code(const struct sample_program *program, struct samples *samples);

/*
 * sample_program_fits - checks that the build ids of @samples and @program are equal, if both are known. Errors:
 * INVALID_INPUT.
 */
enum status sample_program_fits(
	const struct sample_program *program, const struct samples *samples, struct error *error);

#endif
