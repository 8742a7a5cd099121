/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_read.h - every form of profile: told apart, and read into a model.
 */
#ifndef BAREPROF_HOST_PROFILE_READ_H
#define BAREPROF_HOST_PROFILE_READ_H

#include "add_options.h"
#include "dump_receiver.h"
#include "model.h"

enum file_format {
	FORMAT_EMPTY,
	FORMAT_RAW, /* .profraw, of any version, width and byte order */
	FORMAT_INDEXED, /* .profdata */
	FORMAT_ELF, /* given by mistake */
	FORMAT_UNKNOWN, /* .proftext, a capture, or a log with dumps in it: only reading tells */
};

/* detect_format - by the first bytes. */
enum file_format detect_format(struct bytes bytes);

/*
 * profile_unpack - the raw profile of the dump that @bytes, of FORMAT_UNKNOWN, have in
 * them goes to dump->stream; that is empty for text. A log may look like text: a
 * dump is looked for first. Free @dump with dump_receiver_free(), also after an error.
 * Errors: INVALID_INPUT.
 */
enum status profile_unpack(struct dump_receiver *dump, struct bytes bytes, const struct completion_options *completion,
	struct error *error);

/* How to read. */
struct read_options {
	struct add_options add;
	struct completion_options completion; /* profiles that come without records */
	bool input_outlives_model; /* the bytes stay as long as the model does, which may alter them */
	bool add_dumps; /* of a log with several dumps add all, and not only the last one */
	struct section_sums
		*sums; /* sums up raw profiles of one image until raw_read_end(); NULL: each is added by itself */
};

/*
 * raw_read - add the raw profiles in @bytes to @model. After an error the model may
 * hold a part of it: read into a model of its own what must be all or nothing.
 * Errors: INVALID_INPUT, with offset or function.
 */
enum status raw_read(struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/* raw_read_end - add what options->sums has summed up; it is empty after it. Errors: INVALID_INPUT. */
enum status raw_read_end(struct model *model, const struct read_options *options, struct error *error);

/* profile_read - any form, captures unpacked. Errors: SYSTEM, INVALID_INPUT. */
enum status profile_read(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/*
 * profile_raw - the raw profiles in @bytes: *@raw becomes these, or what of a
 * capture or log is appended to @stream. Errors: INVALID_INPUT, other forms among them.
 */
enum status profile_raw(struct bytes bytes, const struct completion_options *completion, struct buffer *stream,
	struct bytes *raw, struct error *error);

#endif
