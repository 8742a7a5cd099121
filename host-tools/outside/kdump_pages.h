/* SPDX-License-Identifier: BSD-2-Clause */
/* kdump_pages.h - walks over the pages that a kernel dump has, for a search. */
#ifndef BAREPROF_HOST_KDUMP_PAGES_H
#define BAREPROF_HOST_KDUMP_PAGES_H

#include "kdump_layout.h"

/* Parts of the file that were read last. Starts as all zeros. */
struct kdump_pages {
	uint64_t bits_at; /* offset of @bits */
	uint64_t descriptors_at; /* offset of @descriptors */
	uint8_t bits[4096];
	uint8_t descriptors[4096 * KDUMP_DESCRIPTOR_SIZE];
};

/* How far a walk has come. Starts as all zeros. */
struct kdump_walk {
	uint64_t page; /* the number of the next page */
	uint64_t rank; /* the number of its descriptor */
	bool zero; /* a page of zeros was there */
};

/*
 * kdump_next_pages - sets *@first and *@count to the next pages that follow each other and are in the dump. Of the pages
 * that are all zero, which share their content in the dump, the walk has only one. Returns false if there are no more.
 */
bool kdump_next_pages(const struct kdump_layout *layout, struct kdump_pages *pages, struct kdump_walk *walk,
	uint64_t *first, uint64_t *count);

#endif
