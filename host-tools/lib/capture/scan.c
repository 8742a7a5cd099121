/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.c - finds blocks in any bytes. A capture file starts at its magic number. All bytes before
 * it are divided at zero bytes, and a part that is not a frame is read as text.
 */
#include "scan.h"
#include "utf16.h"

#include <bareprof/wire.h>
#include <stdlib.h>
#include <string.h>

#define MARKER_SIZE (sizeof(BAREPROF_TEXT_MARKER) - 1)
/* The size of the smallest block: type, image, index, tag, length, CRC. */
#define BLOCK_MIN 12u
/* To find the next block after damage, at most this many bytes are checksummed for each byte of the capture file. */
#define EFFORT 16u
/* The number of bytes at the start of a frame that is always enough to know the size of the frame. */
#define START 40u

static void pass_text(struct scan *scan, const uint8_t *from, const uint8_t *to)
{
	if (scan->text && to > from)
		scan->text(scan->text_context, (struct bytes){from, (size_t)(to - from)});
}

static int sextet(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool is_magic(const uint8_t *p, const uint8_t *end)
{
	return end - p >= (ptrdiff_t)BAREPROF_FILE_MAGIC_SIZE &&
	       !memcmp(p, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
}

/* Decodes base64 from @p to the first other character, and returns the address of that character. */
static const uint8_t *decode_base64(struct buffer *result, const uint8_t *p, const uint8_t *end)
{
	uint32_t bits = 0;
	unsigned int have = 0;

	result->size = 0;
	buffer_reserve(result, (size_t)(end - p));
	for (; p < end && sextet(*p) >= 0; p++) {
		bits = bits << 6 | (uint32_t)sextet(*p);
		have += 6;
		if (have >= 8) {
			have -= 8;
			result->data[result->size++] = (uint8_t)(bits >> have);
		}
	}
	return p;
}

/*
 * Decodes the COBS frame from @p to @end into @result. Returns false if the frame is cut short;
 * then @result has the bytes that could be decoded.
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
	 * A line may have several markers, because a newline between two lines can get lost. A
	 * marker that no base64 follows is text.
	 */
	for (mark = first; mark; mark = find_marker(rest, end)) {
		rest = decode_base64(&scan->scratch, mark + MARKER_SIZE, end);
		if (pass_if_block(scan))
			good = true;
		else if (rest > mark + MARKER_SIZE)
			damaged = true;
	}
	if (damaged) {
		scan->damaged_lines++;
		/*
		 * The text before the first marker and after the last block is passed on, because a
		 * damaged line may contain log text.
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

/*
 * Returns the address at which the text of the line at @p ends. The spaces at the end and the line
 * end do not belong to the text.
 */
static const uint8_t *line_text_end(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *line_end = memchr(p, '\n', (size_t)(end - p));

	for (line_end = line_end ? line_end : end; line_end > p; line_end--)
		if (!strchr("\r\t ", line_end[-1]) || !line_end[-1])
			break;
	return line_end;
}

static const uint8_t *next_line(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *line_end = memchr(p, '\n', (size_t)(end - p));

	return line_end ? line_end + 1 : end;
}

static const uint8_t *last_marker(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *mark = NULL;

	while ((p = memmem(p, (size_t)(end - p), BAREPROF_TEXT_MARKER, MARKER_SIZE))) {
		mark = p;
		p += MARKER_SIZE;
	}
	return mark;
}

/*
 * Returns the number of base64 characters of the block that starts with @base64. Returns 0 if no
 * block can start with @base64, and SIZE_MAX if @base64 is too short to tell the number.
 */
static size_t base64_announced(struct scan *scan, const struct buffer *base64)
{
	size_t size = base64->size < 2 * START ? base64->size : 2 * START;
	size_t bytes;

	decode_base64(&scan->scratch, base64->data, base64->data + size);
	bytes = block_announced((struct bytes){scan->scratch.data, scan->scratch.size});
	return bytes == SIZE_MAX ? SIZE_MAX : (bytes * 4 + 2) / 3;
}

/*
 * Returns whether the line after the line at @p may continue its base64. This quick test is false
 * for most lines of a dump, because the next line has a marker.
 */
static bool may_be_cut(const uint8_t *p, const uint8_t *end)
{
	const uint8_t *next = next_line(p, end);

	return next < end && sextet(*next) >= 0 && !last_marker(next, line_text_end(next, end));
}

/*
 * Appends the base64 of the lines from @p on to @base64 until it has a complete block, and decodes
 * the block to scan->scratch. Returns the address after the last base64 character of the block, or
 * NULL if these lines do not complete a block.
 */
static const uint8_t *join_lines(struct scan *scan, struct buffer *base64, const uint8_t *p, const uint8_t *end)
{
	size_t announced = base64_announced(scan, base64);

	while (base64->size < announced && p < end) {
		const uint8_t *stop = line_text_end(p, end);
		const uint8_t *start = p;

		if (last_marker(p, stop))
			return NULL;
		while (p < stop && sextet(*p) >= 0 && base64->size + (size_t)(p - start) < announced)
			p++;
		if (p == start)
			return NULL;
		buffer_add(base64, start, (size_t)(p - start));
		if (announced == SIZE_MAX)
			announced = base64_announced(scan, base64);
		if (base64->size >= announced)
			break;
		if (p < stop)
			return NULL;
		p = next_line(p, end);
	}
	decode_base64(&scan->scratch, base64->data, base64->data + base64->size);
	return base64->size == announced ? p : NULL;
}

/*
 * A terminal that is narrower than a line cuts the line into several lines of base64. If the line
 * at @p was cut and its parts make a block, passes that block on and returns the address of the
 * line after the parts. Otherwise returns NULL.
 */
static const uint8_t *scan_cut_line(struct scan *scan, const uint8_t *p, const uint8_t *end)
{
	const uint8_t *stop = line_text_end(p, end);
	const uint8_t *mark = last_marker(p, stop);
	const uint8_t *after;
	struct buffer base64 = {0};
	struct block block;

	if (!mark || !may_be_cut(p, end) || decode_base64(&scan->scratch, mark + MARKER_SIZE, stop) != stop ||
		block_read(&block, (struct bytes){scan->scratch.data, scan->scratch.size}))
		return NULL;
	buffer_add(&base64, mark + MARKER_SIZE, (size_t)(stop - mark) - MARKER_SIZE);
	after = join_lines(scan, &base64, next_line(p, end), end);
	buffer_free(&base64);
	if (!after || !pass_if_block(scan))
		return NULL;
	/* The line may contain another block before this block, and text after it. */
	if (last_marker(p, mark))
		scan_line(scan, (struct bytes){p, (size_t)(mark - p)});
	stop = next_line(after, end);
	if (line_text_end(after, end) > after)
		pass_text(scan, after, stop);
	return stop;
}

static void scan_text(struct scan *scan, const uint8_t *p, const uint8_t *end)
{
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
	scan_text(scan, piece.data, end);
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
 * Returns the address of the next block or magic number from @p on, after damaged bytes. Returns
 * @end if there is no such address, or if the search would checksum more than *@effort bytes.
 * Subtracts the number of bytes that it checksummed from *@effort.
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
 * Scans a capture file from the magic number at @p on. It consists of blocks, with damaged bytes or
 * text between them.
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
		scan_text(scan, text.data, text.data + text.size);
		buffer_free(&text);
		return;
	}
	file = memmem(bytes.data, bytes.size, BAREPROF_FILE_MAGIC, BAREPROF_FILE_MAGIC_SIZE);
	scan_pieces(scan, bytes.data, file ? file : end);
	if (file)
		scan_file(scan, file, end);
}

void scan_free(struct scan *scan)
{
	buffer_free(&scan->scratch);
}
