/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_read.h - detects the file format of a profile and reads the profile into a model.
 */
#ifndef BAREPROF_HOST_PROFILE_READ_H
#define BAREPROF_HOST_PROFILE_READ_H

#include "add_options.h"
#include "dump_receiver.h"
#include "model.h"

enum file_format {
	FORMAT_EMPTY,
	FORMAT_RAW, /* .profraw of any raw version, pointer width and byte order */
	FORMAT_INDEXED, /* .profdata */
	FORMAT_ELF, /* an ELF file, which is not a profile */
	FORMAT_UNKNOWN, /* .proftext, a capture, or a log with dumps; profile_unpack() distinguishes them */
};

/* detect_format - returns the file format that the first bytes of @bytes show. */
enum file_format detect_format(struct bytes bytes);

/*
 * profile_unpack - finds the dump in @bytes and rebuilds its raw profile into dump->stream.
 * detect_format() must return FORMAT_UNKNOWN for @bytes. If @bytes are a text profile, dump->stream
 * stays empty. A dump is looked for first, because a log may look like a text profile. The caller
 * frees @dump with dump_receiver_free(), also after an error. Errors: INVALID_INPUT.
 */
enum status profile_unpack(struct dump_receiver *dump, struct bytes bytes, const struct completion_options *completion,
	struct error *error);

/* Options for reading profiles. */
struct read_options {
	struct add_options add;
	struct completion_options completion; /* options for profiles without records */
	/* true: the model may point into the bytes of the input, and may change these bytes */
	bool input_outlives_model;
	bool add_dumps; /* true: all dumps of a log are added; false: only the last dump */
	/* raw_read() adds profiles to these sums; raw_read_end() adds the sums to the model. NULL: not used */
	struct section_sums *sums;
};

/*
 * raw_read - adds the raw profiles in @bytes to @model. After an error, @model may contain a part
 * of their functions. A caller that needs either all functions or none must read into a model of
 * its own. Errors: INVALID_INPUT; the text names an offset or a function.
 */
enum status raw_read(struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/* raw_read_end - adds the sums in options->sums to @model, and frees them. Errors: INVALID_INPUT. */
enum status raw_read_end(struct model *model, const struct read_options *options, struct error *error);

/*
 * profile_read - adds a profile to @model. The profile may have any file format, and may be in a
 * capture or a log. Errors: SYSTEM, INVALID_INPUT.
 */
enum status profile_read(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/*
 * profile_raw - sets *@raw to the raw profiles in @bytes. If @bytes are a capture or a log, appends the rebuilt raw
 * profile to @stream, and sets *@raw to the content of @stream. Errors: INVALID_INPUT, also if @bytes have any other
 * file format.
 */
enum status profile_raw(struct bytes bytes, const struct completion_options *completion, struct buffer *stream,
	struct bytes *raw, struct error *error);

#endif
