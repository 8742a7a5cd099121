/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compress.c - compresses a text with several levels of zstd, expands what zstd and xz compressed, and compares the
 * result with the text. The load is the same in each run.
 */
#include "body.h"
#include "console.h"
#include "selftest.h"
#include "shim.h"

#include <linux/xz.h>
#include <linux/zstd.h>

/* text.S has the text, and the same text as xz compressed it on the host. */
extern const unsigned char body_text[], body_text_end[], body_xz[], body_xz_end[];

/* Boards with 4 MiB run only xz. */
#define MEMORY ((size_t)(COMPRESS_LOAD ? 12 << 20 : 512 << 10))
#define SPACE  ((size_t)160 << 10)

static unsigned char memory[MEMORY] __attribute__((aligned(64)));
static size_t used;
static unsigned char packed[SPACE], unpacked[SPACE];

/* Memory that is never freed. Each call of a compressor takes it back as a whole. */
void *body_allocate(size_t n)
{
	void *result = memory + used;

	n = (n + 63) & ~(size_t)63;
	if (n > sizeof(memory) - used) {
		console_printf("compress: no memory for %u bytes\n", (unsigned int)n);
		return NULL;
	}
	used += n;
	return result;
}

/* Linux gives xz this checksum in another file. */
u32 crc32_le(u32 crc, const unsigned char *p, size_t n)
{
	while (n--) {
		int bit;

		crc ^= *p++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

#if COMPRESS_LOAD
static void try_zstd(int level, size_t size)
{
	zstd_parameters p = zstd_get_params(level, size);
	size_t bound = zstd_cctx_workspace_bound(&p.cParams);
	void *space;
	size_t n, back;

	used = 0;
	p.fParams.checksumFlag = 1;
	space = body_allocate(bound);
	if (!space)
		return;
	n = zstd_compress_cctx(zstd_init_cctx(space, bound), packed, SPACE, body_text, size, &p);
	used = 0;
	bound = zstd_dctx_workspace_bound();
	back = zstd_decompress_dctx(zstd_init_dctx(body_allocate(bound), bound), unpacked, SPACE, packed, n);
	EXPECT(back == size && !memcmp(unpacked, body_text, size));
}
#endif

static void try_xz(enum xz_mode mode, size_t size)
{
	struct xz_buf b = {body_xz, 0, (size_t)(body_xz_end - body_xz), unpacked, 0, SPACE};
	struct xz_dec *s;

	used = 0;
	s = xz_dec_init(mode, 128 << 10);
	EXPECT(s && xz_dec_run(s, &b) == XZ_STREAM_END && b.out_pos == size && !memcmp(unpacked, body_text, size));
}

/* Tests count the instructions between these two functions. */
noinline void body_begin(void)
{
	__asm__ volatile("");
}

noinline void body_end(void)
{
	__asm__ volatile("");
}

void test_compress(void)
{
	size_t size = (size_t)(body_text_end - body_text);
	int i;

	body_begin();
#if COMPRESS_LOAD
	for (i = 1; i <= 13; i += 2)
		try_zstd(i, size);
#endif
	for (i = 0; i < (COMPRESS_LOAD ? 2 : 4); i++)
		try_xz(i % 2 ? XZ_PREALLOC : XZ_SINGLE, size);
	body_end();
}
