/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bytes.h - views of memory, growing buffers, and a cursor that never leaves
 * the view it was given.
 */
#ifndef BAREPROF_HOST_BYTES_H
#define BAREPROF_HOST_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A view: somebody else owns the memory. */
struct bytes {
	const uint8_t *data;
	size_t size;
};

/* A buffer that grows; starts as all zeros, ends with buffer_free(). */
struct buffer {
	uint8_t *data;
	size_t size;
	size_t room;
};

/* buffer_reserve - make room for @n bytes more; buffer_add - append @n bytes. Ends the program if there is no memory. */
void buffer_reserve(struct buffer *buffer, size_t n);
void buffer_add(struct buffer *buffer, const void *data, size_t n);
void buffer_add_text(struct buffer *buffer, const char *text);
/* buffer_printf - append formatted text. */
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* buffer_string - the content with a zero byte after it, owned by the buffer. */
const char *buffer_string(struct buffer *buffer);
void buffer_free(struct buffer *buffer);

/* allocate - zeroed memory for @count elements of @size; never NULL. */
void *allocate(size_t count, size_t size);
/* grow - make room for one element more than @count in the array at @array. */
void *grow(void *array, size_t count, size_t *room, size_t size);
/* format - formatted text that the caller frees; never NULL. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* part - @size bytes of @whole from @offset on; false if they are not there. */
bool part(struct bytes whole, uint64_t offset, uint64_t size, struct bytes *result);

/* bytes_line - take the first line off @text, without its end. bytes_after - take @word off, if @text starts with it. */
struct bytes bytes_line(struct bytes *text);
bool bytes_after(struct bytes *text, const char *word);

/* load - an integer of @width bytes (at most 8) at @p, in either byte order. */
uint64_t load(const uint8_t *p, unsigned int width, bool big);

/*
 * A cursor over bytes. Each take_ function moves it; one that finds too little
 * sets @failed, returns 0 and leaves every later one to fail as well, so that a
 * whole structure is read first and checked once.
 */
struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool failed;
};

struct cursor cursor_of(struct bytes bytes);
uint64_t take_fixed(struct cursor *cursor, unsigned int width);
/* At most 10 bytes and no value above 2^64-1, as the capture format says. */
uint64_t take_uleb(struct cursor *cursor);
struct bytes take_bytes(struct cursor *cursor, uint64_t size);

#endif
