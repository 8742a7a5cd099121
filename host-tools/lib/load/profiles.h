/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profiles.h - every form of profile: told apart, read into a model, written
 * from one.
 */
#ifndef BAREPROF_HOST_PROFILES_H
#define BAREPROF_HOST_PROFILES_H

#include "dump.h"
#include "model.h"
#include "output.h"

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
 * Errors: BAD.
 */
enum status profile_unpack(
	struct dump *dump, struct bytes bytes, const struct completing *completing, struct error *error);

/* How to read. */
struct reading {
	uint64_t weight; /* of every count; 1 as a rule */
	struct completing completing; /* profiles that come without records */
	unsigned int shard; /* keep functions whose reference % shards is this; */
	unsigned int shards; /* 0: all */
	bool stays; /* the bytes stay as long as the model does, which may alter them */
	struct bulk *bulk; /* sums up raw profiles of one image until raw_end(); NULL: each is added by itself */
};

/* reading_takes - does this shard get the function @reference? And what belongs to none: the first gets that. */
static inline bool reading_takes(const struct reading *reading, uint64_t reference)
{
	return !reading->shards || reference % reading->shards == reading->shard;
}

static inline bool reading_takes_rest(const struct reading *reading)
{
	return !reading->shard;
}

/*
 * raw_add, indexed_add, text_add - add the profiles in @bytes to @model. After an
 * error the model may hold a part of it: read into a model of its own what must
 * be all or nothing. Errors: BAD, with offset or function.
 */
enum status raw_add(struct model *model, struct bytes bytes, const struct reading *reading, struct error *error);
enum status indexed_add(struct model *model, struct bytes bytes, const struct reading *reading, struct error *error);
enum status text_add(struct model *model, struct bytes bytes, const struct reading *reading, struct error *error);

/* raw_end - add what reading->bulk has summed up; it is empty after it. Errors: BAD. */
enum status raw_end(struct model *model, const struct reading *reading, struct error *error);

/* profile_add - any form, captures unpacked. Errors: SYSTEM, BAD. */
enum status profile_add(struct model *model, struct bytes bytes, const struct reading *reading, struct error *error);

/*
 * profile_raw - the raw profiles in @bytes: *@raw becomes these, or what of a
 * capture or log is appended to @stream. Errors: BAD, other forms among them.
 */
enum status profile_raw(struct bytes bytes, const struct completing *completing, struct buffer *stream,
	struct bytes *raw, struct error *error);

/* indexed_write, text_write - put a sorted model out. Returns the status of @output. */
enum status indexed_write(const struct model *model, unsigned int version, struct output *output);
enum status text_write(struct model *model, struct output *output);

/* indexed_table_end - how many bytes indexed_write() puts out up to the end of its hash table. */
uint64_t indexed_table_end(const struct model *model, unsigned int version);

#endif
