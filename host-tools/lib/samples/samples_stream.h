/* SPDX-License-Identifier: BSD-2-Clause */
/* samples_stream.h - reads the samples in a dump (docs/SPEC.md, 5.2). */
#ifndef BAREPROF_HOST_SAMPLES_STREAM_H
#define BAREPROF_HOST_SAMPLES_STREAM_H

#include "sample_program.h"

/* The bytes of a stream, and the properties of the target that sent it. */
struct samples_stream {
	struct bytes bytes;
	bool big; /* the target is big-endian */
	unsigned int width; /* pointer width of the target in bytes */
	struct bytes build_id; /* empty: the image has none */
};

/*
 * samples_stream_read - reads the samples in @stream into @samples, which must be empty, and sorts them. If the loader
 * moved the image, only the ELF file tells how far: then @program must not be NULL. Errors: INVALID_INPUT, also if the
 * build id is not that of @program.
 */
enum status samples_stream_read(struct samples *samples, const struct samples_stream *stream,
	const struct sample_program *program, struct error *error);

#endif
