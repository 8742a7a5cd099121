/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.h - write a file as a whole or not at all.
 */
#ifndef BAREPROF_HOST_OUTPUT_H
#define BAREPROF_HOST_OUTPUT_H

#include "bytes.h"
#include "error.h"

/*
 * output_write - put @content into the file at @path. It appears there in one
 * step when it is safely on disk; after an error whatever was there is as it
 * was, and nothing is left over. A path that exists and is no ordinary file (a
 * device, a pipe) is written to directly. Errors: SYSTEM.
 */
enum status output_write(const char *path, struct bytes content, struct error *error);

/*
 * The same in pieces: output_open(), then any number of output_put(), then
 * output_close(), which puts the file in place if all went well and @status is
 * OK, and else leaves nothing. "-" is standard output. After an error the other
 * calls do nothing and output_close() returns it, so that one check is enough.
 */
struct output {
	const char *path; /* of the caller */
	char *target; /* the file to replace: @path with links followed; NULL: written directly */
	char *temporary; /* NULL: written directly */
	struct buffer pending; /* in memory: all of it */
	uint64_t size; /* put so far */
	bool memory; /* no file at all */
	int fd;
	enum status status;
	struct error error;
};

void output_open(struct output *output, const char *path);
/* output_memory - the same into memory: output->pending has what was put, until output_close(). */
void output_memory(struct output *output);
void output_put(struct output *output, const void *data, size_t size);
/* output_room - the same for @size bytes that the caller stores where this says, before the next call. */
uint8_t *output_room(struct output *output, size_t size);
enum status output_close(struct output *output, enum status status, struct error *error);

/*
 * output_created - there is a temporary file at @path. output_gone - it has its final
 * name, or was removed; @path is freed after this. Both do nothing, and are for a
 * program to define: one that a signal may end removes its temporary files by them.
 * Signals are blocked in the thread while a file is made.
 */
void output_created(const char *path);
void output_gone(const char *path);

/*
 * output_find - where an output with the name @path goes. Links are followed, also to
 * files that do not exist yet: a link stays a link. Names of a stream that is open here
 * ("-", /dev/stdout, /dev/fd/N, links to them) give its descriptor, because to open it
 * again would write over what others wrote there. The caller frees place->path.
 */
struct output_place {
	char *path; /* NULL with a descriptor */
	int descriptor; /* -1: none */
	bool direct; /* a device or pipe, which is not replaced but written to */
};
void output_find(const char *path, struct output_place *place);

/*
 * output_same - would writing an output with the name @path destroy the file with the name
 * @other? The same file by device and inode, whatever its names; of two files that do
 * not exist yet, the same name in the same folder. A stream that is open here is the same as
 * itself; any other device or pipe is never destroyed.
 */
bool output_same(const char *path, const char *other);

/* output_name - what to call @path in a message. */
const char *output_name(const char *path);

/*
 * output_possible - will output_write() be able to, as far as permissions tell?
 * For what takes long or cannot be had twice. Errors: SYSTEM.
 */
enum status output_possible(const char *path, struct error *error);

#endif
