/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdump_layout.c - follows the layout of a kernel dump. A dump is divided into blocks. After the header come a sub-header,
 * two bitmaps of the same size with a bit for each page of memory, and a descriptor for each bit of the second bitmap. A
 * descriptor tells where the content of the page is.
 */
#include "kdump_layout.h"
#include "note.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The fields begin at one of two offsets, because the time stamp before them has the width of the target. */
#define FIELDS_64 428
#define FIELDS_32 416

/* The sizes of blocks that makedumpfile can write: the sizes of pages. */
#define BLOCK_MIN 4096
#define BLOCK_MAX 65536

/* The bitmaps of a machine with 16 TiB of memory, in pages of 4 KiB. No hole in a sparse file makes a dump larger. */
#define BITMAPS_MAX ((uint64_t)1 << 30)

/* The number of descriptors to read at once. */
#define DESCRIPTORS 4096

/* The first version of the header with a word that is 1 if there are several files, and its place in the sub-header. */
#define VERSION_SPLIT 2
#define SPLIT         12

/* The first version of the header with notes, their place in the sub-header, and more bytes than any tool writes. */
#define VERSION_NOTES 4
#define NOTES         48
#define NOTES_MAX     ((uint64_t)16 << 20)

static uint32_t number_32(const struct kdump_layout *layout, const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return layout->big ? be32toh(value) : le32toh(value);
}

static uint64_t number_64(const struct kdump_layout *layout, const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return layout->big ? be64toh(value) : le64toh(value);
}

static enum status cut_off(const struct kdump_layout *layout, const char *what, uint64_t end, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"is cut off: its %s end at offset %" PRIu64 ", and the file has %" PRIu64 " bytes" HINT_FETCH_AGAIN,
		what, end, layout->file);
}

enum status kdump_take(const struct kdump_layout *layout, void *to, size_t size, uint64_t offset, struct error *error)
{
	uint8_t *at = to;

	while (size) {
		ssize_t n = pread(layout->fd, at, size, (off_t)offset);

		if (n <= 0)
			return error_set(error, STATUS_SYSTEM, "cannot be read at offset %" PRIu64 ": %s", offset,
				n ? strerror(errno) : "the file ends there");
		at += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return STATUS_OK;
}

/* Takes the fields at @fields. Returns false if they have not this order of bytes or not this offset. */
static bool take_fields(struct kdump_layout *layout, const uint8_t *fields, bool big)
{
	uint64_t bitmaps;
	uint64_t pages;

	layout->big = big;
	layout->block = number_32(layout, fields);
	if (layout->block < BLOCK_MIN || layout->block > BLOCK_MAX || layout->block & (layout->block - 1))
		return false;
	layout->bitmap = layout->block * (1 + (uint64_t)number_32(layout, fields + 4));
	bitmaps = number_32(layout, fields + 8);
	pages = number_32(layout, fields + 12);
	layout->descriptors = layout->bitmap + layout->block * bitmaps;
	/* If there is room for one bitmap only, the first one was left out. */
	if (pages <= layout->block * bitmaps * 4) {
		bitmaps /= 2;
		layout->bitmap += layout->block * bitmaps;
	}
	layout->bitmap_size = layout->block * bitmaps;
	return true;
}

static enum status read_header(struct kdump_layout *layout, struct error *error)
{
	static const size_t places[] = {FIELDS_64, FIELDS_32};
	uint8_t header[FIELDS_64 + 16];
	enum status status;
	size_t i;

	if (layout->file < sizeof(header))
		return error_set(
			error, STATUS_INVALID_INPUT, "is no kernel dump: it has %" PRIu64 " bytes", layout->file);
	status = kdump_take(layout, header, sizeof(header), 0, error);
	if (status != STATUS_OK)
		return status;
	if (!memcmp(header, "\177ELF", 4))
		return error_set(error, STATUS_INVALID_INPUT, "is an ELF file: if it is a core, use core:FILE");
	if (memcmp(header, "KDUMP   ", 8) && memcmp(header, "DISKDUMP", 8))
		return error_set(error, STATUS_INVALID_INPUT,
			"is no kernel dump of makedumpfile, diskdump or QEMU; for a plain copy of memory use "
			"ram:FILE@ADDRESS");
	for (i = 0; i < 4; i++) {
		if (!take_fields(layout, header + places[i / 2], i % 2))
			continue;
		layout->wide = i < 2;
		layout->version = number_32(layout, header + 8);
		return STATUS_OK;
	}
	return error_set(error, STATUS_INVALID_INPUT,
		"is a damaged kernel dump: its header has no size of a block" HINT_FETCH_AGAIN);
}

/* Refuses a file that has only a part of the pages, and headers for all of them. */
static enum status check_split(const struct kdump_layout *layout, struct error *error)
{
	uint8_t number[4];
	enum status status = STATUS_OK;

	if (!layout->wide || layout->version < VERSION_SPLIT)
		return STATUS_OK;
	status = kdump_take(layout, number, sizeof(number), layout->block + SPLIT, error);
	if (status != STATUS_OK || !number_32(layout, number))
		return status;
	return error_set(error, STATUS_INVALID_INPUT,
		"is one of several files that makedumpfile --split wrote: join them with makedumpfile --reassemble");
}

static enum status count_pages(struct kdump_layout *layout, struct error *error)
{
	uint64_t words[BLOCK_MIN / sizeof(uint64_t)];
	enum status status = STATUS_OK;
	uint64_t done;
	size_t i;

	for (done = 0; done < layout->bitmap_size && status == STATUS_OK; done += sizeof(words)) {
		status = kdump_take(layout, words, sizeof(words), layout->bitmap + done, error);
		for (i = 0; i < sizeof(words) / sizeof(*words); i++)
			layout->pages += (unsigned int)__builtin_popcountll(words[i]);
	}
	return status;
}

/* Checks that the file has the content of all pages. */
static enum status check_pages(const struct kdump_layout *layout, struct error *error)
{
	uint8_t *bytes = allocate(DESCRIPTORS, KDUMP_DESCRIPTOR_SIZE);
	uint64_t at = layout->descriptors;
	enum status status = STATUS_OK;
	uint64_t count = layout->pages;
	uint64_t last = 0;
	uint64_t i;

	for (i = 0; i < count && status == STATUS_OK; i++) {
		const uint8_t *descriptor = bytes + i % DESCRIPTORS * KDUMP_DESCRIPTOR_SIZE;
		size_t part = (size_t)(count - i < DESCRIPTORS ? count - i : DESCRIPTORS) * KDUMP_DESCRIPTOR_SIZE;

		if (i % DESCRIPTORS == 0) {
			status = kdump_take(layout, bytes, part, at, error);
			at += part;
		}
		if (status == STATUS_OK)
			last = add_saturating(number_64(layout, descriptor), number_32(layout, descriptor + 8));
		if (status == STATUS_OK && last > layout->file)
			status = cut_off(layout, "pages", last, error);
	}
	free(bytes);
	return status;
}

enum status kdump_check_layout(struct kdump_layout *layout, int fd, struct error *error)
{
	struct stat info;
	enum status status;

	*layout = (struct kdump_layout){.fd = fd};
	if (fstat(fd, &info))
		return error_set(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
	layout->file = (uint64_t)info.st_size;
	status = read_header(layout, error);
	if (status == STATUS_OK && layout->bitmap_size > BITMAPS_MAX / 2)
		status = error_set(error, STATUS_INVALID_INPUT,
			"is a damaged kernel dump: its header claims bitmaps of %" PRIu64
			" bytes, for more than 16 TiB of memory" HINT_FETCH_AGAIN,
			layout->bitmap_size);
	if (status == STATUS_OK && layout->descriptors > layout->file)
		status = cut_off(layout, "bitmaps", layout->descriptors, error);
	if (status == STATUS_OK)
		status = check_split(layout, error);
	if (status == STATUS_OK)
		status = count_pages(layout, error);
	if (status == STATUS_OK && layout->pages > (layout->file - layout->descriptors) / KDUMP_DESCRIPTOR_SIZE)
		status = cut_off(layout, "descriptors of pages",
			layout->descriptors + layout->pages * KDUMP_DESCRIPTOR_SIZE, error);
	return status == STATUS_OK ? check_pages(layout, error) : status;
}

void kdump_notes(const struct kdump_layout *layout, const char *owner, struct buffer *out)
{
	struct buffer notes = {0};
	struct error unused;
	uint8_t numbers[16];
	uint64_t offset;
	uint64_t size;

	if (!layout->wide || layout->version < VERSION_NOTES ||
		kdump_take(layout, numbers, sizeof(numbers), layout->block + NOTES, &unused) != STATUS_OK)
		return;
	offset = number_64(layout, numbers);
	size = number_64(layout, numbers + 8);
	if (offset > layout->file || size > layout->file - offset || size > NOTES_MAX)
		return;
	buffer_exactly(&notes, size);
	if (kdump_take(layout, notes.data, size, offset, &unused) == STATUS_OK)
		note_contents((struct bytes){notes.data, size}, layout->big, owner, out);
	buffer_free(&notes);
}
