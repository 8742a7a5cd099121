/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bytes.h - slices of memory, growing buffers, and a cursor that never leaves
 * its slice.
 */
#ifndef BAREPROF_HOST_BYTES_H
#define BAREPROF_HOST_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A slice. Other code owns its memory. */
struct bytes {
	const uint8_t *data;
	size_t size;
};

/* A buffer that grows. Before its first use it is all zeros; buffer_free() frees its memory. */
struct buffer {
	uint8_t *data;
	size_t size;
	size_t room;
};

/*
 * buffer_reserve - makes room for @n more bytes. If there is no memory, all functions of this
 * header end the program.
 * buffer_enlarge - does so, even if there is room already. Only buffer_reserve() calls it.
 */
void buffer_enlarge(struct buffer *buffer, size_t n);

static inline void buffer_reserve(struct buffer *buffer, size_t n)
{
	if (!buffer->data || n > buffer->room - buffer->size)
		buffer_enlarge(buffer, n);
}

/*
 * buffer_exactly - makes room for exactly @n more bytes. Use it for a buffer that will not grow any more. In contrast,
 * buffer_reserve() may make more room than requested.
 */
void buffer_exactly(struct buffer *buffer, size_t n);
/* buffer_add - appends @n bytes. */
void buffer_add(struct buffer *buffer, const void *data, size_t n);
void buffer_add_text(struct buffer *buffer, const char *text);
/* buffer_add_uleb - appends a number as ULEB128. */
void buffer_add_uleb(struct buffer *buffer, uint64_t value);
/* buffer_add_hex - appends two hexadecimal digits for each byte of @bytes. */
void buffer_add_hex(struct buffer *buffer, struct bytes bytes);
/* buffer_add_number - appends @value in base 10 or 16. It is much faster than buffer_printf(). */
void buffer_add_number(struct buffer *buffer, uint64_t value, unsigned int base);
/* buffer_printf - appends formatted text. */
void buffer_printf(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* buffer_add_clause - appends formatted text, behind "; " if @buffer is not empty. */
void buffer_add_clause(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * buffer_string - returns the content of @buffer as a string with a zero byte at its end. The
 * memory still belongs to @buffer.
 */
const char *buffer_string(struct buffer *buffer);
void buffer_free(struct buffer *buffer);

/* allocate - returns memory for @count elements of @size bytes, all zeros. The result is never NULL. */
void *allocate(size_t count, size_t size);
/*
 * array_reserve - makes room for @n more elements in @array, which has @count elements of @size bytes. *@room is the
 *	number of elements that fit into the memory of @array. If there is room, returns @array. Otherwise frees @array,
 *	returns a larger copy of it, and updates *@room.
 * array_grow - does so for one more element.
 * array_enlarge - always makes a larger copy. Only the functions above and array_renew() call it.
 */
void *array_enlarge(void *array, size_t count, size_t *room, size_t size);

static inline void *array_reserve(void *array, size_t count, size_t n, size_t *room, size_t size)
{
	return n <= *room && count <= *room - n ? array : array_enlarge(array, count + n, room, size);
}

static inline void *array_grow(void *array, size_t count, size_t *room, size_t size)
{
	return count < *room ? array : array_enlarge(array, count, room, size);
}

/*
 * array_renew - makes room for @count elements. The elements lose their values, and are not zero. New memory has room for
 * twice as many, because new memory takes time.
 */
void *array_renew(void *array, size_t count, size_t *room, size_t size);
/*
 * lower_bound - returns the index of the first element of the sorted @array that is not below *@key, or @count if all
 * are below. @array has @count elements of @size bytes. @compare is the function with which @array was sorted, as for
 * bsearch(). Use it where bsearch() is not enough, because several elements may have the same key or none has it.
 */
size_t lower_bound(const void *key, const void *array, size_t count, size_t size,
	int (*compare)(const void *left, const void *right));
/*
 * upper_bound - returns the index of the first element of the sorted @array that is above *@key, or @count if none is.
 * The element before it, if there is one, is the last that is not above *@key. The parameters are those of lower_bound().
 */
size_t upper_bound(const void *key, const void *array, size_t count, size_t size,
	int (*compare)(const void *left, const void *right));
/* format - returns formatted text, which the caller frees. The result is never NULL. */
char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* compare_uint - returns -1, 0 or 1 if @a is below, equal to or above @b, for functions that qsort() calls. */
static inline int compare_uint(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/*
 * compare_numbers - compares the numbers of type uint64_t at @left and @right, for functions like qsort(). Elements
 * that start with such a number can be searched by it.
 */
int compare_numbers(const void *left, const void *right);

/* add_saturating - returns @a + @b, or 2^64-1 if the sum is larger. */
static inline uint64_t add_saturating(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* starts_with - returns whether @text begins with @prefix. */
static inline bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/*
 * parse_address - returns whether @text is a number as in C, such as 0x1000, of at most 64 bits. If it is, stores the
 * number in *@address. A number with a minus sign is taken modulo 2^64.
 */
bool parse_address(const char *text, uint64_t *address);

/* digit_value - returns the value of @c as a digit of a base up to 16, or 99 if @c is no such digit. */
static inline unsigned int digit_value(uint8_t c)
{
	return c >= '0' && c <= '9'   ? (unsigned int)c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10u
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10u
	                              : 99;
}

/* bytes_equal - returns whether @a and @b have the same content. */
static inline bool bytes_equal(struct bytes a, struct bytes b)
{
	return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size));
}

/* bytes_are_zero - returns whether all bytes of @bytes are zero. The result is also true if @bytes has no bytes. */
static inline bool bytes_are_zero(struct bytes bytes)
{
	while (bytes.size && !bytes.data[bytes.size - 1])
		bytes.size--;
	return !bytes.size;
}

/*
 * bytes_slice - sets @result to the @size bytes of @whole from @offset on. Returns false if @whole
 * ends before offset @offset + @size.
 * load_uint - returns the integer of @width bytes (1 to 8) at @p, in big-endian order if @big is
 * true, otherwise in little-endian order.
 * store_uint - stores the lower @width bytes of @value at @p. @big selects the byte order, as in
 * load_uint().
 * These functions are inline because readers and writers spend most of their time in them, and a
 * call with a usual width becomes one instruction.
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

/*
 * bytes_line - removes the first line from @text and returns that line without its newline.
 * bytes_after - removes @word from the start of @text. Returns false if @text does not start
 * with @word.
 */
struct bytes bytes_line(struct bytes *text);
bool bytes_after(struct bytes *text, const char *word);

/*
 * A cursor over bytes. Each function take_X() moves the cursor. If too few bytes are left, the function sets @failed
 * and returns 0. After that, all further calls fail too. Therefore callers can read a whole structure and check @failed
 * once.
 */
struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool failed;
};

struct cursor cursor_of(struct bytes bytes);
uint64_t take_fixed(struct cursor *cursor, unsigned int width);
/*
 * take_uleb - reads a number in ULEB128. Fails if the number has more than 10 bytes or is above
 * 2^64-1. The capture format does not allow such numbers.
 */
uint64_t take_uleb(struct cursor *cursor);
/* take_sleb - reads a number in SLEB128. Fails if the number has more than 10 bytes. */
int64_t take_sleb(struct cursor *cursor);
struct bytes take_bytes(struct cursor *cursor, uint64_t size);

#endif
