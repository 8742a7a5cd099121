/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.h - writes a file as a whole or not at all.
 */
#ifndef BAREPROF_HOST_OUTPUT_H
#define BAREPROF_HOST_OUTPUT_H

#include "bytes.h"
#include "error.h"

/*
 * output_write - writes @content to the file at @path. The file appears in one step when its
 * content is safely on disk. After an error an older file at @path is unchanged, and no
 * temporary file is left. If @path exists and is not a regular file (a device, a pipe), it is
 * written to directly. Errors: SYSTEM.
 */
enum status output_write(const char *path, struct bytes content, struct error *error);

/*
 * An output that is written in several steps: output_open(), any number of calls of output_put(),
 * output_close(). output_close() puts the file in place if all calls succeeded and its @status is
 * OK; otherwise it removes the file. "-" is standard output. After an error the other calls do
 * nothing and output_close() returns that error, so one check is enough.
 */
struct output {
	const char *path; /* owned by the caller */
	char *target; /* the file to replace: @path with links followed; NULL: written directly */
	char *temporary; /* name of the temporary file; NULL: written directly */
	struct buffer pending; /* bytes that are not written yet; after output_memory(): all bytes */
	uint64_t size; /* number of bytes put so far */
	bool memory; /* from output_memory(): there is no file */
	int fd;
	enum status status;
	struct error error;
};

void output_open(struct output *output, const char *path);
/* output_memory - opens an output to memory: until output_close(), output->pending has all bytes that were put. */
void output_memory(struct output *output);
void output_put(struct output *output, const void *data, size_t size);
/*
 * output_room - does the same as output_put() for @size bytes, which the caller stores at the
 * returned address before the next call.
 */
uint8_t *output_room(struct output *output, size_t size);
enum status output_close(struct output *output, enum status status, struct error *error);

/*
 * output_created - is called after a temporary file was created at @path. output_gone - is called
 * after that file got its final name or was removed; @path is freed after this call. The library
 * has versions of both that do nothing. A program that a signal may end defines its own, and
 * removes its temporary files in the signal handler. Signals are blocked in the thread from
 * before a file is created until output_created() returns.
 */
void output_created(const char *path);
void output_gone(const char *path);

/*
 * output_find - finds where an output called @path goes. It follows links, also to files that do
 * not exist yet, so that a link stays a link. For names of a stream that this process has open
 * ("-", /dev/stdout, /dev/fd/N, links to them) it returns the descriptor, because opening the
 * stream again would overwrite what other programs have written to it. The caller frees
 * place->path.
 */
struct output_place {
	char *path; /* NULL if there is a descriptor */
	int descriptor; /* -1: none */
	bool direct; /* a device or pipe: it is written to and not replaced */
};
void output_find(const char *path, struct output_place *place);

/*
 * output_same - returns whether writing the output @path would destroy the file @other: both are
 * the same file by device and inode, or neither exists yet and they have the same name in the same
 * folder. An open stream is the same as itself. Other devices and pipes are never destroyed.
 */
bool output_same(const char *path, const char *other);

/* output_name - returns how messages call @path: "-" is "standard output". */
const char *output_name(const char *path);

/*
 * output_possible - checks by permissions whether output_write() could write to @path. For
 * commands that take long or read what cannot be read twice. Errors: SYSTEM.
 */
enum status output_possible(const char *path, struct error *error);

#endif
