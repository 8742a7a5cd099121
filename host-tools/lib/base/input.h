/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h - the whole of an input as one view of memory.
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
 * input_read - read the file at @path, or standard input if it is "-", to its
 * end. The caller frees @input with input_free(). Errors: SYSTEM.
 */
enum status input_read(struct input *input, const char *path, struct error *error);
/* input_again - the same, into the memory of an input that was read before; it starts as all zeros. */
enum status input_again(struct input *input, const char *path, struct error *error);
void input_free(struct input *input);

/* input_name - what to call @path in a message. */
const char *input_name(const char *path);

#endif
