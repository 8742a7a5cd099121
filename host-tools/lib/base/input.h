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
 * input_read - reads the file at @path to its end. The path "-" means standard input. The caller
 * frees @input with input_free(). Errors: SYSTEM; INVALID_INPUT if more than 1 GiB arrives from a
 * pipe or device.
 */
enum status input_read(struct input *input, const char *path, struct error *error);
/*
 * input_again - does the same as input_read(), and reuses the memory of @input. Before the
 * call, @input must be all zeros or contain an input that was read earlier.
 */
enum status input_again(struct input *input, const char *path, struct error *error);
void input_free(struct input *input);

/* input_name - returns the name of @path in messages: "standard input" if @path is "-", otherwise @path. */
const char *input_name(const char *path);

#endif
