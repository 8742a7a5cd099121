/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bytes.h - views of memory, growing buffers, and a cursor that never leaves
 * the view it was given.
 */
#ifndef BAREPROF_HOST_BYTES_H
#define BAREPROF_HOST_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
/* buffer_exactly - the same for what will not grow any more: no room beyond that. */
void buffer_exactly(struct buffer *buffer, size_t n);
void buffer_add(struct buffer *buffer, const void *data, size_t n);
void buffer_add_text(struct buffer *buffer, const char *text);
/* buffer_add_uleb - append a number as ULEB128. */
void buffer_add_uleb(struct buffer *buffer, uint64_t value);
/* buffer_printf - append formatted text. */
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* buffer_string - the content with a zero byte after it, owned by the buffer. */
const char *buffer_string(struct buffer *buffer);
void buffer_free(struct buffer *buffer);

/* allocate - zeroed memory for @count elements of @size; never NULL. */
void *allocate(size_t count, size_t size);
/* array_grow - make room for one element more than @count in the array at @array. */
void *array_grow(void *array, size_t count, size_t *room, size_t size);
/* format - formatted text that the caller frees; never NULL. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/*
 * bytes_slice - @size bytes of @whole from @offset on; false if they are not there.
 * load_uint - an integer of @width bytes (at most 8) at @p, in either byte order.
 * store_uint - the lower @width bytes of @value at @p. Here and not in bytes.c, because
 * readers and writers spend their time in them; the common widths become one
 * instruction.
 */
static inline bool bytes_slice(struct bytes whole, uint64_t offset, uint64_t size, struct bytes *result)
{
	if (offset > whole.size || size > whole.size - offset)
		return false;
	result->data = size ? whole.data + offset : whole.data;
	result->size = (size_t)size;
	return true;
}

static inline uint64_t load_uint(const uint8_t *p, unsigned int width, bool big)
{
	uint64_t value = 0;
	uint32_t half;
	unsigned int i;

	switch (width) {
	case 8:
		memcpy(&value, p, 8);
		return big ? be64toh(value) : le64toh(value);
	case 4:
		memcpy(&half, p, 4);
		return big ? be32toh(half) : le32toh(half);
	default:
		for (i = 0; i < width; i++)
			value |= (uint64_t)p[i] << 8 * (big ? width - 1 - i : i);
		return value;
	}
}

static inline void store_uint(uint8_t *p, uint64_t value, unsigned int width, bool big)
{
	unsigned int i;

	if (width == 8) {
		value = big ? htobe64(value) : htole64(value);
		memcpy(p, &value, 8);
		return;
	}
	for (i = 0; i < width; i++)
		p[i] = (uint8_t)(value >> 8 * (big ? width - 1 - i : i));
}

/* bytes_line - take the first line off @text, without its end. bytes_after - take @word off, if @text starts with it. */
struct bytes bytes_line(struct bytes *text);
bool bytes_after(struct bytes *text, const char *word);

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
