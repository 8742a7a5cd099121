/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * capture_blocks.c - builds the parts of a block. docs/SPEC.md, part 1, describes the
 * format.
 */
#include "capture_blocks.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER     BAREPROF_ORDER_BIG
#define LITTLE(x) __builtin_bswap32(x)
#else
#define ORDER     BAREPROF_ORDER_LITTLE
#define LITTLE(x) (x)
#endif

uint8_t *bareprof_put_uleb128(uint8_t *p, const size_t *number, unsigned int n)
{
	do {
		size_t value = *number++;

		for (; value >= 0x80; value >>= 7)
			*p++ = (uint8_t)(value | 0x80);
		*p++ = (uint8_t)value;
	} while (--n);
	return p;
}

struct unaligned_32 {
	uint32_t value;
} __attribute__((packed, may_alias));

static void put_32(uint8_t *p, uint32_t value)
{
	((struct unaligned_32 *)p)->value = LITTLE(value);
}

uint8_t *bareprof_put_begin(uint8_t *p, const size_t *version, unsigned int n, const void *id)
{
	size_t size = version[n - 1];

	p[0] = BAREPROF_WIRE_VERSION;
	p[1] = sizeof(uintptr_t);
	p[2] = ORDER;
	p = bareprof_put_uleb128(p + 3, version, n);
	bareprof_copy(p, id, size);
	return p + size;
}

uint8_t *bareprof_start_block(void *buf, const size_t field[BAREPROF_FIELDS], uint32_t tag)
{
	/*
	 * In the wire format the type is one byte. All types are below 0x80, so the ULEB128
	 * of a type is the same byte.
	 */
	uint8_t *p = bareprof_put_uleb128(buf, field, BAREPROF_FIELDS);

	put_32(p, tag);
	return p + 6;
}

size_t bareprof_finish_block(void *buf, uint8_t *payload, uint8_t *end)
{
	uint8_t *start = buf;
	size_t size = (size_t)(end - payload);

	/*
	 * The payload's size is known only now. Two bytes were left free for the size, so
	 * the ULEB128 of the size always takes two bytes.
	 */
	payload[-2] = (uint8_t)(size | 0x80);
	payload[-1] = (uint8_t)(size >> 7);
	size = (size_t)(end - start);
	put_32(end, bareprof_crc32c(0, buf, size));
	return size + 4;
}
