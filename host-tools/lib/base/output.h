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
 * The same in several steps: output_open(), any number of output_put(), output_close().
 * output_close() puts the file in place if all calls succeeded and its @status is OK;
 * otherwise it removes the file. "-" is standard output. After an error the other calls do
 * nothing and output_close() returns that error, so one check is enough.
 */
struct output {
	const char *path; /* owned by the caller */
	char *target; /* the file to replace: @path with links followed; NULL: written directly */
	char *temporary; /* name of the temporary file; NULL: written directly */
	struct buffer pending; /* not written yet; output_memory(): everything */
	uint64_t size; /* bytes put so far */
	bool memory; /* from output_memory(): there is no file */
	int fd;
	enum status status;
	struct error error;
};

void output_open(struct output *output, const char *path);
/* output_memory - opens an output to memory: until output_close(), output->pending has everything that was put. */
void output_memory(struct output *output);
void output_put(struct output *output, const void *data, size_t size);
/* output_room - puts @size bytes that the caller stores at the returned address before the next call. */
uint8_t *output_room(struct output *output, size_t size);
enum status output_close(struct output *output, enum status status, struct error *error);

/*
 * output_created - is called after a temporary file was created at @path. output_gone - is
 * called after that file got its final name or was removed; @path is freed after this call.
 * Both do nothing here. A program that a signal may end defines its own and removes its
 * temporary files in the signal handler. Signals are blocked in the thread from before a file
 * is created until output_created() returns.
 */
void output_created(const char *path);
void output_gone(const char *path);

/*
 * output_find - finds where an output called @path goes. It follows links, also to files that do
 * not exist yet, so that a link stays a link. For names of a stream that this process has open
 * ("-", /dev/stdout, /dev/fd/N, links to them) it returns the descriptor, because opening it again
 * would overwrite what others have written there. The caller frees place->path.
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

/* output_name - returns the name of @path for messages. */
const char *output_name(const char *path);

/*
 * output_possible - checks by permissions whether output_write() could write to @path. For
 * commands that take long or read what cannot be read twice. Errors: SYSTEM.
 */
enum status output_possible(const char *path, struct error *error);

#endif
