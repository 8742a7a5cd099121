/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_mode.c - two conversions of text can be undone. A transfer in text mode puts a CR before each LF. A program that
 * takes bytes for Latin-1 and writes UTF-8 makes two bytes of each byte from 0x80 on.
 */
#include "text_mode.h"
#include "names.h"
#include "raw_open.h"

#include <string.h>

/* The replacement character of UTF-8, which stands for a byte that was lost. */
#define REPLACEMENT "\xef\xbf\xbd"

/* Removes the CR before each LF. Returns false if an LF has no CR, or if there is no LF: then it was no text mode. */
static bool undo_lines(struct bytes bytes, struct buffer *original)
{
	size_t lines = 0;
	size_t i;

	for (i = 0; i < bytes.size; i++) {
		if (bytes.data[i] == '\n') {
			if (!i || bytes.data[i - 1] != '\r')
				return false;
			lines++;
			original->data[original->size - 1] = '\n';
			continue;
		}
		buffer_add(original, &bytes.data[i], 1);
	}
	return lines;
}

static bool is_latin(struct bytes bytes)
{
	/* The first byte of a little-endian profile is 0x81, that of a big-endian one is 0xff. */
	return bytes.size > 16 && (!memcmp(bytes.data, "\xc2\x81", 2) || !memcmp(bytes.data,
										 "\xc3\xbf"
										 "lprof",
										 7));
}

/* Makes one byte of each character. Returns false if a character is no byte. */
static bool undo_latin(struct bytes bytes, struct buffer *original)
{
	size_t i;

	for (i = 0; i < bytes.size; i++) {
		uint8_t byte = bytes.data[i];

		if (byte >= 0x80) {
			if ((byte != 0xc2 && byte != 0xc3) || i + 1 == bytes.size || (bytes.data[i + 1] & 0xc0) != 0x80)
				return false;
			byte = (uint8_t)((byte & 3) << 6 | (bytes.data[++i] & 0x3f));
		}
		buffer_add(original, &byte, 1);
	}
	return true;
}

/* Returns whether @bytes are one or more raw profiles without a fault. */
static bool is_sound(struct bytes bytes)
{
	struct raw_profile profile;
	struct error unused;
	size_t offset = 0;

	while (offset < bytes.size) {
		struct names names = {0};
		bool readable;

		if (raw_open(&profile, bytes, offset, &unused) != STATUS_OK)
			return false;
		readable = names_read(&names, profile.section[BAREPROF_NAMES], &unused) == STATUS_OK;
		names_free(&names);
		offset = profile.end;
		raw_close(&profile);
		if (!readable)
			return false;
	}
	return offset;
}

bool text_mode_undo(struct bytes bytes, struct buffer *original)
{
	bool (*undo[])(struct bytes, struct buffer *) = {undo_lines, undo_latin};
	size_t i;

	for (i = 0; i < 2; i++) {
		original->size = 0;
		if ((!i || is_latin(bytes)) && undo[i](bytes, original) &&
			is_sound((struct bytes){original->data, original->size}))
			return true;
	}
	buffer_free(original);
	return false;
}

bool text_mode_lossy(struct bytes bytes)
{
	return bytes.size > 16 && !memcmp(bytes.data, REPLACEMENT, 3) &&
	       (!memcmp(bytes.data + 3, "rforpl", 6) || !memcmp(bytes.data + 3, "Rforpl", 6) ||
		       !memcmp(bytes.data + 3, "lprof", 5));
}

const char *text_mode_words(struct bytes bytes)
{
	if (text_mode_lossy(bytes))
		return "was converted as text, and the conversion replaced bytes by U+FFFD";
	if (is_latin(bytes))
		return "was converted from Latin-1 to UTF-8 as if it were text; open and copy profiles as binary files";
	return "was transferred in text mode, which put a CR before each LF; open and copy profiles as binary files "
	       "(\"wb\" for fopen, no ONLCR on a serial line)";
}
