/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.h - writes a file as a whole or not at all.
 */
#ifndef BAREPROF_HOST_OUTPUT_H
#define BAREPROF_HOST_OUTPUT_H

#include "bytes.h"
#include "error.h"

/*
 * output_write - writes @content to the file at @path. The file appears in one step, after its
 * content is safely on disk. After an error, an older file at @path is unchanged, and no temporary
 * file is left. If @path exists and is not a regular file but a device or a pipe, @content is
 * written to it directly. Errors: SYSTEM.
 */
enum status output_write(const char *path, struct bytes content, struct error *error);

/*
 * An output that is written in several steps: output_open(), any number of calls of output_put(),
 * then output_close(). If all calls succeeded and the @status of output_close() is OK,
 * output_close() gives the file its final name. Otherwise it removes the file. The path "-" means
 * standard output. After an error, further calls of output_put() write nothing and output_close()
 * returns that error, so callers need to check only the result of output_close().
 */
struct output {
	const char *path; /* The caller owns this string. */
	char *target; /* path of the file to replace, after links were followed; NULL: the data is written directly */
	char *temporary; /* name of the temporary file; NULL: the data is written directly */
	struct buffer pending; /* bytes that are not written yet; if @memory is true: all bytes that were put */
	uint64_t size; /* number of bytes put so far */
	bool memory; /* opened by output_memory(), so there is no file */
	int fd;
	enum status status;
	struct error error;
};

void output_open(struct output *output, const char *path);
/* output_memory - opens an output to memory: until output_close(), output->pending has all bytes that were put. */
void output_memory(struct output *output);
void output_put(struct output *output, const void *data, size_t size);
/*
 * output_room - appends @size bytes, like output_put(). The caller stores these bytes at the
 * returned address before the next call.
 */
uint8_t *output_room(struct output *output, size_t size);
enum status output_close(struct output *output, enum status status, struct error *error);

/*
 * output_created - is called when the library has created a temporary file at @path.
 * output_gone - is called when the temporary file got its final name or was removed. The library
 * frees @path afterwards.
 * In the library, output_created() and output_gone() do nothing. A program can define its own
 * versions of both functions, to know its temporary files. If a signal ends the program, its signal
 * handler can then remove these files. Signals are blocked in the calling thread from before a file
 * is created until output_created() returns.
 */
void output_created(const char *path);
void output_gone(const char *path);

/*
 * output_find - finds the file or stream to which the output name @path leads. Follows links, even
 * if the file at their end does not exist yet, so that the link itself is not replaced. @path can
 * also name a stream that this process has open: "-", /dev/stdout, /dev/fd/N, or a link to one of
 * these. Then output_find() returns the descriptor of that stream, because opening it again would
 * overwrite the data that other programs have written to it. The caller frees place->path.
 */
struct output_place {
	char *path; /* NULL if there is a descriptor */
	int descriptor; /* -1: there is no descriptor */
	bool direct; /* a device or pipe: data is written to it, and it is not replaced */
};
void output_find(const char *path, struct output_place *place);

/*
 * output_same - returns whether writing the output @path would destroy the file @other. There are three cases in which
 * this is true. In the first case, both paths lead to the same file, which is compared by device and inode. In the
 * second case, neither file exists yet, and both have the same name in the same folder. In the third case, both paths
 * name the same open stream. Other devices and pipes are never destroyed.
 */
bool output_same(const char *path, const char *other);

/* output_name - returns the name of @path in messages: "standard output" if @path is "-", otherwise @path. */
const char *output_name(const char *path);

/*
 * output_possible - checks permissions to predict whether output_write() can write to @path. Commands that take long,
 * or whose input cannot be read a second time, call it before they begin. Errors: SYSTEM.
 */
enum status output_possible(const char *path, struct error *error);

#endif
