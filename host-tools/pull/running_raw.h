/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * running_raw.h - checks the bytes that a running image gives: a raw profile, or a raw machine profile (.mipraw). The
 * first bytes tell which of the two it is.
 */
#ifndef BAREPROF_HOST_RUNNING_RAW_H
#define BAREPROF_HOST_RUNNING_RAW_H

#include "raw_stream.h"

/* Starts as all zeros. */
struct running_raw {
	uint64_t size; /* number of bytes that were added so far */
	bool machine; /* it is a raw machine profile; valid when some bytes were added */
	struct raw_stream stream; /* the check of a raw profile, which may be larger than memory */
	struct buffer whole; /* a raw machine profile, which is small */
};

/* running_raw_is_machine - returns whether @start, the first bytes of a stream, begins a raw machine profile. */
bool running_raw_is_machine(struct bytes start);

/*
 * running_raw_add - adds the next bytes. If the first call has less than 8 bytes, they are no machine profile.
 * running_raw_end - checks that nothing is missing and nothing follows. running_raw_free - frees all memory.
 * Errors: INVALID_INPUT.
 */
enum status running_raw_add(struct running_raw *raw, struct bytes bytes, struct error *error);
enum status running_raw_end(const struct running_raw *raw, struct error *error);
void running_raw_free(struct running_raw *raw);

#endif
