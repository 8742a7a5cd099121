/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * z.c - the harness of body Z: compresses and decompresses a text with each algorithm and several levels, compares the
 * result with the text, and prints a checksum of the compressed bytes.
 */
#include "body.h"
#include "shim.h"

#include <linux/lz4.h>
#include <linux/xxhash.h>
#include <linux/xz.h>
#include <linux/zlib.h>
#include <linux/zstd.h>

/* input.S contains the text, and the same text as xz compressed it on the host. */
extern const unsigned char body_text[], body_text_end[], body_xz[], body_xz_end[];

#define SPACE ((size_t)256 << 10)
static unsigned char packed[SPACE], unpacked[SPACE];
static size_t size;
static int failed;

/* Linux gives xz this checksum in another file, which is not part of the body. */
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

static void report(const char *name, size_t n, size_t back)
{
	if (back != size || memcmp(unpacked, body_text, size)) {
		failed = 1;
		body_print("wrong", back);
	}
	body_print(name, body_checksum(n, packed, n));
	memset(unpacked, 0, size);
	body_free_all();
}

static void try_zstd(int level)
{
	zstd_parameters p = zstd_get_params(level, size);
	size_t n = zstd_cctx_workspace_bound(&p.cParams);
	zstd_cctx *c = zstd_init_cctx(body_allocate(n), n);
	zstd_dctx *d;
	size_t back;

	p.fParams.checksumFlag = 1;
	n = zstd_compress_cctx(c, packed, SPACE, body_text, size, &p);
	d = zstd_init_dctx(body_allocate(zstd_dctx_workspace_bound()), zstd_dctx_workspace_bound());
	back = zstd_decompress_dctx(d, unpacked, SPACE, packed, n);
	report("zstd", n, back);
}

static void try_zstd_stream(int level)
{
	zstd_parameters p = zstd_get_params(level, size);
	size_t bound = zstd_cstream_workspace_bound(&p.cParams), window = (size_t)1 << p.cParams.windowLog, rest = 1;
	zstd_cstream *c = zstd_init_cstream(&p, size, body_allocate(bound), bound);
	zstd_out_buffer out = {packed, SPACE, 0};
	zstd_in_buffer in = {body_text, size / 3, 0};
	zstd_dstream *d;
	size_t n;

	while (in.pos < in.size && !zstd_is_error(zstd_compress_stream(c, &out, &in)))
		;
	zstd_flush_stream(c, &out);
	in.size = size;
	while (in.pos < in.size && !zstd_is_error(zstd_compress_stream(c, &out, &in)))
		;
	while (rest && !zstd_is_error(rest))
		rest = zstd_end_stream(c, &out);
	n = out.pos;
	bound = zstd_dstream_workspace_bound(window);
	d = zstd_init_dstream(window, body_allocate(bound), bound);
	in = (zstd_in_buffer){packed, n, 0};
	out = (zstd_out_buffer){unpacked, SPACE, 0};
	while (in.pos < in.size && !zstd_is_error(zstd_decompress_stream(d, &out, &in)))
		;
	report("zstd stream", n, out.pos);
}

static void try_lz4(int level)
{
	void *work = body_allocate(LZ4HC_MEM_COMPRESS > LZ4_MEM_COMPRESS ? LZ4HC_MEM_COMPRESS : LZ4_MEM_COMPRESS);
	const char *text = (const char *)body_text;
	char *to = (char *)packed, *back = (char *)unpacked;
	int n = level ? LZ4_compress_HC(text, to, (int)size, (int)SPACE, level, work)
	              : LZ4_compress_default(text, to, (int)size, (int)SPACE, work);

	report("lz4", (size_t)n, (size_t)LZ4_decompress_safe(to, back, n, (int)SPACE));
	LZ4_decompress_fast(to, back, (int)size);
	report("lz4 fast", (size_t)n, size);
}

static void try_zlib(int level)
{
	z_stream s = {0};
	size_t n;

	s.workspace = body_allocate((size_t)zlib_deflate_workspacesize(MAX_WBITS, MAX_MEM_LEVEL));
	zlib_deflateInit2(&s, level, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
	s.next_in = body_text;
	s.avail_in = size;
	s.next_out = packed;
	s.avail_out = SPACE;
	zlib_deflate(&s, Z_FINISH);
	n = s.total_out;
	zlib_deflateEnd(&s);
	s = (z_stream){0};
	s.workspace = body_allocate((size_t)zlib_inflate_workspacesize());
	zlib_inflateInit2(&s, MAX_WBITS);
	s.next_in = packed;
	s.avail_in = n;
	s.next_out = unpacked;
	s.avail_out = SPACE;
	zlib_inflate(&s, Z_FINISH);
	report("zlib", n, s.total_out);
}

static void try_xz(enum xz_mode mode)
{
	struct xz_dec *s = xz_dec_init(mode, 1 << 20);
	struct xz_buf b = {body_xz, 0, (size_t)(body_xz_end - body_xz), unpacked, 0, SPACE};

	if (xz_dec_run(s, &b) != XZ_STREAM_END)
		failed = 1;
	xz_dec_end(s);
	memcpy(packed, unpacked, 4096);
	report("xz", 4096, b.out_pos);
}

int body_main(void)
{
	int level;

	size = (size_t)(body_text_end - body_text);
	body_begin();
	for (level = 1; level <= 11; level += 2)
		try_zstd(level);
	try_zstd_stream(3);
	try_zstd_stream(7);
	for (level = 0; level <= 9; level += 3)
		try_lz4(level);
	for (level = 1; level <= 9; level += 4)
		try_zlib(level);
	try_xz(XZ_SINGLE);
	try_xz(XZ_DYNALLOC);
	body_print("xxh64", xxh64(body_text, size, 1));
	body_print("xxh32", xxh32(body_text, size, 1));
	body_end();
	/* These levels make many more calls than the rest, because they spend their time in a few small functions. */
	try_zstd(16);
	try_zstd(19);
	body_end_of_slow();
	return failed;
}
