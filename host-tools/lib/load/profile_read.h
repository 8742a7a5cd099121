/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_read.h - detects the format of a profile and reads it into a model.
 */
#ifndef BAREPROF_HOST_PROFILE_READ_H
#define BAREPROF_HOST_PROFILE_READ_H

#include "add_options.h"
#include "dump_receiver.h"
#include "model.h"

enum file_format {
	FORMAT_EMPTY,
	FORMAT_RAW, /* .profraw of any version, width and byte order */
	FORMAT_INDEXED, /* .profdata */
	FORMAT_ELF, /* not a profile */
	FORMAT_UNKNOWN, /* .proftext, a capture, or a log with dumps in it: profile_unpack() finds out */
};

/* detect_format - returns the format that the first bytes of @bytes have. */
enum file_format detect_format(struct bytes bytes);

/*
 * profile_unpack - finds the dump in @bytes, which have FORMAT_UNKNOWN, and puts its raw profile
 * into dump->stream. dump->stream is empty if @bytes are a text profile. A log may look like
 * text, so a dump is looked for first. Free @dump with dump_receiver_free(), also after an
 * error. Errors: INVALID_INPUT.
 */
enum status profile_unpack(struct dump_receiver *dump, struct bytes bytes, const struct completion_options *completion,
	struct error *error);

/* Options for reading profiles. */
struct read_options {
	struct add_options add;
	struct completion_options completion; /* for profiles without records */
	bool input_outlives_model; /* the model may keep the bytes of the input, and change them */
	bool add_dumps; /* add all dumps of a log, and not only the last one */
	struct section_sums *sums; /* sums of raw profiles, until raw_read_end(); NULL: none */
};

/*
 * raw_read - adds the raw profiles in @bytes to @model. After an error the model may have a part
 * of their functions; a caller that needs all or nothing reads into a separate model. Errors:
 * INVALID_INPUT; the message names an offset or a function.
 */
enum status raw_read(struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/* raw_read_end - adds the sums of options->sums to @model. After that options->sums is empty. Errors: INVALID_INPUT. */
enum status raw_read_end(struct model *model, const struct read_options *options, struct error *error);

/* profile_read - adds a profile of any format to @model. It unpacks captures. Errors: SYSTEM, INVALID_INPUT. */
enum status profile_read(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/*
 * profile_raw - sets *@raw to the raw profiles in @bytes. The profile of a capture or log is first
 * appended to @stream. Errors: INVALID_INPUT, also for all other formats.
 */
enum status profile_raw(struct bytes bytes, const struct completion_options *completion, struct buffer *stream,
	struct bytes *raw, struct error *error);

#endif
