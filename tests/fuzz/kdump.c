/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdump.c - fuzzes kernel dumps up to the point where libkdumpfile, which is not ours, decompresses their pages: pieces of
 * flattened dumps, the layout, notes, and the walk over all pages.
 */
#include "flat_dump.h"
#include "fuzz.h"
#include "kdump_pages.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void walk(const struct kdump_layout *layout)
{
	struct kdump_pages *pages = allocate(1, sizeof(*pages));
	struct kdump_walk walk = {0};
	struct buffer notes = {0};
	uint64_t total = 0;
	uint64_t end = 0;
	uint64_t first;
	uint64_t count;

	while (kdump_next_pages(layout, pages, &walk, &first, &count)) {
		must(count && first >= end, "the pages are in order");
		end = first + count;
		total += count;
	}
	must(total <= layout->pages, "there are no more pages than descriptors");
	kdump_notes(layout, "VMCOREINFO", &notes);
	must(notes.size <= layout->file, "there are no more notes than bytes");
	buffer_free(&notes);
	free(pages);
}

static void read_dump(int fd)
{
	struct kdump_layout layout;
	struct error error = {""};
	enum status status;
	int united;

	if (flat_dump_is(fd)) {
		status = flat_dump_unite(fd, &united, &error);
		must((status == STATUS_OK) == (united >= 0), "there is a file if there is no error");
		fd = united;
	} else {
		fd = dup(fd);
		status = STATUS_OK;
	}
	if (status == STATUS_OK)
		status = kdump_check_layout(&layout, fd, &error);
	if (status == STATUS_OK)
		walk(&layout);
	must(status == STATUS_OK || error.text[0], "a refusal has a reason");
	if (fd >= 0)
		close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("kdump", 0);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "there is room for a file in memory");
	read_dump(fd);
	close(fd);
	return 0;
}

/* The offsets of numbers: in the header, in the sub-header, and of the first descriptors; then in a flattened dump. */
static const struct {
	uint32_t at;
	unsigned int width;
} fields[] = {{8, 4}, {428, 4}, {432, 4}, {436, 4}, {440, 4}, {416, 4}, {420, 4}, {424, 4}, {4096 + 48, 8},
	{4096 + 56, 8}, {3 * 4096, 8}, {4 * 4096, 8}, {4 * 4096 + 8, 4}, {4 * 4096 + 24, 8}, {16, 8}, {24, 8},
	{4096, 8}, {4104, 8}};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	uint64_t i = dice_throw(&dice, 2 * sizeof(fields) / sizeof(*fields));
	bool big = size && data[0] == 'm';
	uint64_t at;

	if (i >= sizeof(fields) / sizeof(*fields))
		return LLVMFuzzerMutate(data, size, most);
	at = fields[i].at;
	/* In a flattened dump, the parts of the dump are behind the header and the head of a piece. */
	if (big && dice_throw(&dice, 2) && at + 4096 + 16 + fields[i].width <= size) {
		at += 4096 + 16;
		big = false;
	}
	if (at + fields[i].width <= size)
		store_uint(data + at, dice_number(&dice, load_uint(data + at, fields[i].width, big), size),
			fields[i].width, big);
	return size;
}
