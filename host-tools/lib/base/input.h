/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h - a whole input as one slice of memory.
 */
#ifndef BAREPROF_HOST_INPUT_H
#define BAREPROF_HOST_INPUT_H

#include "bytes.h"
#include "error.h"

struct input {
	struct bytes bytes;
	struct buffer buffer;
};

/*
 * input_read - reads the file at @path to its end; "-" is standard input. The caller frees
 * @input with input_free(). Errors: SYSTEM.
 */
enum status input_read(struct input *input, const char *path, struct error *error);
/*
 * input_again - does the same as input_read() and reuses the memory of @input, which input_read()
 * has filled before or which is all zeros.
 */
enum status input_again(struct input *input, const char *path, struct error *error);
void input_free(struct input *input);

/* input_name - returns how messages call @path: "-" is "standard input". */
const char *input_name(const char *path);

#endif
