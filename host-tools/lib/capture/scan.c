/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.c - finds blocks in any bytes. A capture file starts at its magic number. The bytes before
 * the magic number are divided into parts at zero bytes. Each part is read as a frame. If it is not
 * a frame, it is read as text.
 */
#include "scan.h"
#include "base64.h"
#include "cut_line.h"
#include "utf16.h"

#include <bareprof/wire.h>
#include <stdlib.h>
#include <string.h>

#define MARKER_SIZE (sizeof(BAREPROF_TEXT_MARKER) - 1)
/* The size of the smallest block: type, image, index, tag, length, CRC. */
#define BLOCK_MIN 12u
/*
 * After damaged bytes, the search for the next block computes checksums of possible blocks. The search ends if it would
 * checksum more than EFFORT times the bytes of the capture file.
 */
#define EFFORT 16u
/* The first START bytes of a frame always contain the size of the block in the frame. */
#define START 40u

static void pass_text(struct scan *scan, const uint8_t *from, const uint8_t *to)
{
	if (scan->text && to > from)
		scan->text(scan->text_context, (struct bytes){from, (size_t)(to - from)});
}

static bool is_magic(const uint8_t *p, const uint8_t *end)
{
	return end - p >= (ptrdiff_t)BAREPROF_FILE_MAGIC_SIZE &&
	       !memcmp(p, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
}

/*
 * Decodes the COBS frame from @p to @end into @result. Returns false if the frame is cut short. Even then, @result has
 * the bytes that could be decoded.
 */
static bool decode_cobs(struct buffer *result, const uint8_t *p, const uint8_t *end)
{
	result->size = 0;
	buffer_reserve(result, (size_t)(end - p));
	while (p < end) {
		uint8_t code = *p++;

		if (code - 1 > end - p) {
			buffer_add(result, p, (size_t)(end - p));
			return false;
		}
		buffer_add(result, p, (size_t)code - 1);
		p += code - 1;
		if (code < 255 && p < end)
			buffer_add(result, "", 1);
	}
	return true;
}

static void pass_block(struct scan *scan, const struct block *block)
{
	scan->blocks++;
	scan->block(scan->context, block);
}

static bool pass_if_block(struct scan *scan)
{
	struct block block;

	if (!block_read(&block, (struct bytes){scan->scratch.data, scan->scratch.size}))
		return false;
	pass_block(scan, &block);
	return true;
}

static const uint8_t *find_marker(const uint8_t *p, const uint8_t *end)
{
	return memmem(p, (size_t)(end - p), BAREPROF_TEXT_MARKER, MARKER_SIZE);
}

void scan_line(struct scan *scan, struct bytes line)
{
	const uint8_t *end = line.data + line.size;
	const uint8_t *first = find_marker(line.data, end);
	const uint8_t *rest = line.data;
	const uint8_t *mark;
	bool good = false;
	bool damaged = false;

	/*
	 * A line may have several markers, because a newline between two lines can get lost. If no base64 follows a
	 * marker, the marker is treated as text.
	 */
	for (mark = first; mark; mark = find_marker(rest, end)) {
		rest = base64_decode(&scan->scratch, mark + MARKER_SIZE, end);
		if (pass_if_block(scan))
			good = true;
		else if (rest > mark + MARKER_SIZE)
			damaged = true;
	}
	if (damaged) {
		scan->damaged_lines++;
		/*
		 * A damaged line may contain log text, so scan->text() gets the text before the first marker and the
		 * text after the last base64 digits.
		 */
		pass_text(scan, line.data, first);
		pass_text(scan, rest, end);
	} else if (!good) {
		pass_text(scan, line.data, end);
	}
}

bool scan_may_be_frame(struct scan *scan, struct bytes piece)
{
	const uint8_t *end = piece.data + (piece.size < START ? piece.size : START);
	size_t max;

	if (memchr(piece.data, 0, piece.size))
		return false;
	decode_cobs(&scan->scratch, piece.data, end);
	max = block_announced((struct bytes){scan->scratch.data, scan->scratch.size});
	/* COBS adds one byte for each 254 bytes, and one byte at the start. */
	return max == SIZE_MAX || (max && piece.size <= max + max / 254 + 2);
}

static const uint8_t *next_line(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *line_end = memchr(p, '\n', (size_t)(end - p));

	return line_end ? line_end + 1 : end;
}

/*
 * Joins the line at @p with the lines after it. Returns the address after the block in these lines,
 * or NULL if the line was not cut or the block is not complete.
 */
static const uint8_t *join_lines(struct cut_line *cut, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *next = next_line(p, end);
	enum cut_state state = CUT_NONE;
	size_t used = 0;

	/*
	 * This quick test avoids most calls of cut_line_start(). Most lines of a dump were not cut, so the line after
	 * them does not start with a base64 digit.
	 */
	if (next < end && base64_is_digit(*next))
		state = cut_line_start(cut, (struct bytes){p, (size_t)(next - p)});
	while (state == CUT_MORE && next < end) {
		p = next;
		next = next_line(p, end);
		state = cut_line_add(cut, (struct bytes){p, (size_t)(next - p)}, &used);
	}
	return state == CUT_COMPLETE ? p + used : NULL;
}

/*
 * If the line at @p was cut and its parts make a block, passes that block to scan->block() and returns the address of
 * the line after the parts. Otherwise returns NULL.
 */
static const uint8_t *scan_cut_line(struct scan *scan, const uint8_t *p, const uint8_t *end)
{
	struct cut_line cut = {0};
	const uint8_t *after = join_lines(&cut, p, end);
	const uint8_t *mark = p + cut.mark;
	const uint8_t *stop;

	if (after)
		base64_decode(&scan->scratch, cut.base64.data, cut.base64.data + cut.base64.size);
	cut_line_free(&cut);
	if (!after || !pass_if_block(scan))
		return NULL;
	/* The line may contain another block before the joined block, and text after the joined block. */
	if (find_marker(p, mark))
		scan_line(scan, (struct bytes){p, (size_t)(mark - p)});
	stop = next_line(after, end);
	if (cut_line_text((struct bytes){after, (size_t)(stop - after)}).size)
		pass_text(scan, after, stop);
	return stop;
}

void scan_lines(struct scan *scan, struct bytes lines)
{
	const uint8_t *end = lines.data + lines.size;
	const uint8_t *p = lines.data;

	while (p < end) {
		const uint8_t *next = scan_cut_line(scan, p, end);

		if (!next) {
			next = next_line(p, end);
			scan_line(scan, (struct bytes){p, (size_t)(next - p)});
		}
		p = next;
	}
}

static bool looks_like_text(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *c;

	for (c = p; c < end; c++)
		if (*c < 0x20 && !strchr("\t\n\r\f\b\x1b", *c))
			return false;
	return true;
}

void scan_piece(struct scan *scan, struct bytes piece)
{
	const uint8_t *end = piece.data + piece.size;

	if (piece.size > BLOCK_MIN && decode_cobs(&scan->scratch, piece.data, end) && pass_if_block(scan)) {
		scan->frames++;
		return;
	}
	if (piece.size && !looks_like_text(piece.data, end))
		scan->damaged_frames++;
	scan_lines(scan, piece);
}

/* Scans the bytes from @p to @end. The parts between zero bytes are frames or text. */
static void scan_pieces(struct scan *scan, const uint8_t *p, const uint8_t *end)
{
	while (p < end) {
		const uint8_t *zero = memchr(p, 0, (size_t)(end - p));
		const uint8_t *piece_end = zero ? zero : end;

		scan_piece(scan, (struct bytes){p, (size_t)(piece_end - p)});
		p = zero ? zero + 1 : end;
	}
}

/*
 * Searches for the next block or magic number after damaged bytes. The search starts at @p. Returns the
 * address of the block or magic number.
 * Returns @end if there is no such address, or if the search would checksum more than *@effort bytes.
 * Subtracts from *@effort the number of bytes that it checksummed.
 */
static const uint8_t *next_sound(const uint8_t *p, const uint8_t *end, uint64_t *effort)
{
	struct block block;

	for (; p < end; p++) {
		struct bytes rest = {p, (size_t)(end - p)};
		size_t claimed;

		if (is_magic(p, end))
			return p;
		claimed = block_claim(rest);
		if (!claimed)
			continue;
		if (claimed > *effort)
			return end;
		*effort -= claimed;
		if (block_read(&block, rest))
			return p;
	}
	return end;
}

/*
 * Skips the damaged bytes at @p, which may contain frames or text. Returns the address of the
 * next block or magic number.
 */
static const uint8_t *skip_damage(struct scan *scan, const uint8_t *p, const uint8_t *end, uint64_t *effort)
{
	const uint8_t *sound = next_sound(p + 1, end, effort);
	size_t before = scan->blocks;

	scan_pieces(scan, p, sound);
	if (scan->blocks == before)
		scan->damaged_bytes += (size_t)(sound - p);
	return sound;
}

/*
 * Scans a capture file from the magic number at @p on. A capture file consists of blocks, and damaged bytes or text may
 * be between them.
 */
static void scan_file(struct scan *scan, const uint8_t *p, const uint8_t *end)
{
	uint64_t effort = ((uint64_t)(end - p) + 65536) * EFFORT;
	struct block block;

	while (p < end) {
		if (is_magic(p, end)) {
			p += BAREPROF_FILE_MAGIC_SIZE;
		} else if (block_read(&block, (struct bytes){p, (size_t)(end - p)})) {
			pass_block(scan, &block);
			p += block.size;
		} else {
			p = skip_damage(scan, p, end, &effort);
		}
	}
}

void scan_bytes(struct scan *scan, struct bytes bytes)
{
	const uint8_t *end = bytes.data + bytes.size;
	const uint8_t *file = NULL;

	if (!bytes.size)
		return;
	if (utf16_is_text(bytes)) {
		struct buffer text = {0};

		utf16_decode(&text, bytes);
		scan_lines(scan, (struct bytes){text.data, text.size});
		buffer_free(&text);
		return;
	}
	file = memmem(bytes.data, bytes.size, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
	scan_pieces(scan, bytes.data, file ? file : end);
	if (file) {
		scan->magic_at = (size_t)(file - bytes.data);
		scan_file(scan, file, end);
	}
}

void scan_free(struct scan *scan)
{
	buffer_free(&scan->scratch);
}
