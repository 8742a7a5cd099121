/* SPDX-License-Identifier: BSD-2-Clause */
/* kdump_pages.c - follows the bitmap of pages and their descriptors side by side. */
#include "kdump_pages.h"

/* Returns the bytes of the file around @offset, from @window, which has @size bytes at *@at. Returns NULL after an error. */
static const uint8_t *cached(
	const struct kdump_layout *layout, uint8_t *window, size_t size, uint64_t *at, uint64_t start, uint64_t offset)
{
	uint64_t begin = start + (offset - start) / size * size;
	size_t part = layout->file - begin < size ? (size_t)(layout->file - begin) : size;
	struct error unused;

	if (*at != begin) {
		*at = 0;
		if (kdump_take(layout, window, part, begin, &unused) != STATUS_OK)
			return NULL;
		*at = begin;
	}
	return window + (offset - begin);
}

/* Returns the bits of eight pages, from @page / 8 * 8 on. */
static unsigned int bits_at(const struct kdump_layout *layout, struct kdump_pages *pages, uint64_t page)
{
	const uint8_t *byte = cached(
		layout, pages->bits, sizeof(pages->bits), &pages->bits_at, layout->bitmap, layout->bitmap + page / 8);

	return byte ? *byte : 0;
}

/*
 * Returns whether a page has the content of another page: makedumpfile and QEMU store a page of zeros once, before all
 * other pages. @rank is the number of the page's descriptor.
 */
static bool is_shared(const struct kdump_layout *layout, struct kdump_pages *pages, uint64_t rank)
{
	uint64_t first = layout->descriptors + layout->pages * KDUMP_DESCRIPTOR_SIZE;
	const uint8_t *descriptor = cached(layout, pages->descriptors, sizeof(pages->descriptors),
		&pages->descriptors_at, layout->descriptors, layout->descriptors + rank * KDUMP_DESCRIPTOR_SIZE);

	return descriptor && load_uint(descriptor, 8, layout->big) == first;
}

bool kdump_next_pages(const struct kdump_layout *layout, struct kdump_pages *pages, struct kdump_walk *walk,
	uint64_t *first, uint64_t *count)
{
	uint64_t all = layout->bitmap_size * 8;

	*count = 0;
	for (; walk->page < all && walk->rank < layout->pages; walk->page++) {
		unsigned int bits = bits_at(layout, pages, walk->page);
		bool there = bits >> walk->page % 8 & 1;
		/* The first page of zeros is part of the walk, because nothing tells that its content is zero. */
		bool wanted = there && (!is_shared(layout, pages, walk->rank) || !walk->zero);

		if (!wanted && *count)
			return true;
		/* The bitmap of a small dump can have a billion zeros. */
		if (!bits)
			walk->page |= 7;
		walk->rank += there;
		if (!wanted)
			continue;
		walk->zero |= is_shared(layout, pages, walk->rank - 1);
		if (!*count)
			*first = walk->page;
		++*count;
	}
	return *count;
}
