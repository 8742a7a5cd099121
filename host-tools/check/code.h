/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code.h - the functions of an image, sorted by address, and the references in their machine code. References are
 * direct calls, and addresses that the code computes. Other instructions are skipped, because references are enough to
 * follow calls. The machines x86, AArch64, Arm (A32 and Thumb) and RISC-V are known.
 */
#ifndef BAREPROF_HOST_CODE_H
#define BAREPROF_HOST_CODE_H

#include "instruction.h"

struct code_function {
	const struct image_symbol *symbol;
	uint64_t size; /* bytes */
	bool instrumented; /* the function has counters; only check_runtime.c sets and uses this field */
	bool seen; /* a search has already reached the function; only check_runtime.c sets and uses this field */
};

/* Call code_open() before the first use, and code_close() after the last use. The image must stay open. */
struct code {
	const struct image *image;
	struct code_function *functions; /* by address */
	size_t count;
	struct instruction_decoder *decoder; /* NULL: the machine is not known */
};

enum code_use {
	CODE_CALL,
	CODE_ADDRESS
};

/* A reference from the instruction at address @at to address @target. */
typedef void code_each(void *context, enum code_use use, uint64_t at, uint64_t target);

void code_open(struct code *code, const struct image *image);
void code_close(struct code *code);

/* code_at - returns the function that starts at @address, or NULL. */
struct code_function *code_at(const struct code *code, uint64_t address);
/* code_bytes - sets *@bytes to the code of @function. Returns false if the code is not in the file. */
bool code_bytes(const struct code *code, const struct code_function *function, struct bytes *bytes);
/* code_named - returns the function @name, or NULL. */
struct code_function *code_named(const struct code *code, const char *name);

/*
 * code_walk - calls @each for each reference of @function, in the order of addresses. Data between the instructions can
 * look like a reference, so @each must compare targets with the starts of functions. If the machine of the image is
 * unknown, no references are found.
 */
void code_walk(const struct code *code, const struct code_function *function, code_each *each, void *context);

#endif
