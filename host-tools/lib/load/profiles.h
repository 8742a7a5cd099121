/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profiles.h - every form of profile: told apart, and read into a model.
 */
#ifndef BAREPROF_HOST_PROFILES_H
#define BAREPROF_HOST_PROFILES_H

#include "add_options.h"
#include "dump.h"
#include "model.h"

enum form {
	FORM_EMPTY,
	FORM_RAW, /* .profraw, of any version, width and byte order */
	FORM_INDEXED, /* .profdata */
	FORM_ELF, /* given by mistake */
	FORM_OTHER, /* .proftext, a capture, or a log with dumps in it: only reading tells */
};

/* form_of - by the first bytes. */
enum form form_of(struct bytes bytes);

/*
 * profile_unpack - the raw profile of the dump that @bytes, of FORM_OTHER, have in
 * them goes to dump->stream; that is empty for text. A log may look like text: a
 * dump is looked for first. Free @dump with dump_free(), also after an error.
 * Errors: INVALID_INPUT.
 */
enum status profile_unpack(
	struct dump *dump, struct bytes bytes, const struct completing *completing, struct error *error);

/* How to read. */
struct read_options {
	struct add_options add;
	struct completing completing; /* profiles that come without records */
	bool stays; /* the bytes stay as long as the model does, which may alter them */
	struct bulk *bulk; /* sums up raw profiles of one image until raw_end(); NULL: each is added by itself */
};

/*
 * raw_add - add the raw profiles in @bytes to @model. After an error the model may
 * hold a part of it: read into a model of its own what must be all or nothing.
 * Errors: INVALID_INPUT, with offset or function.
 */
enum status raw_add(struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/* raw_end - add what options->bulk has summed up; it is empty after it. Errors: INVALID_INPUT. */
enum status raw_end(struct model *model, const struct read_options *options, struct error *error);

/* profile_add - any form, captures unpacked. Errors: SYSTEM, INVALID_INPUT. */
enum status profile_add(
	struct model *model, struct bytes bytes, const struct read_options *options, struct error *error);

/*
 * profile_raw - the raw profiles in @bytes: *@raw becomes these, or what of a
 * capture or log is appended to @stream. Errors: INVALID_INPUT, other forms among them.
 */
enum status profile_raw(struct bytes bytes, const struct completing *completing, struct buffer *stream,
	struct bytes *raw, struct error *error);

#endif
