/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page_walk.h - translates virtual addresses of a target with its page tables, which are read from its memory like
 * everything else. So a copy of the physical memory is enough.
 */
#ifndef BAREPROF_HOST_PAGE_WALK_H
#define BAREPROF_HOST_PAGE_WALK_H

#include "bytes.h"
#include "error.h"

enum page_format {
	PAGES_UNKNOWN, /* there are no page tables */
	PAGES_OFFSET, /* no tables: a virtual address is the physical address plus an offset */
	PAGES_X86_64, /* 4 or 5 levels */
	PAGES_AARCH64,
	PAGES_ARM_SHORT, /* Armv7 with descriptors of 4 bytes */
	PAGES_ARM_LONG, /* Armv7 with descriptors of 8 bytes (LPAE) */
};

/* A half of the virtual address space, with a table of its own. x86_64 has one table for both halves. */
struct page_region {
	uint64_t root; /* physical address of the first table */
	unsigned int bits; /* the region has 2^bits addresses; 0: there is no such region */
	unsigned int granule; /* the smallest page has 2^granule bytes */
};

/* The page tables of a CPU. Starts as all zeros: PAGES_UNKNOWN. */
struct page_tables {
	enum page_format format;
	bool big; /* the entries are big-endian */
	bool wide; /* AArch64: physical addresses have 52 bits, so their upper bits are elsewhere in an entry */
	struct page_region region[2]; /* for low and for high addresses */
	uint64_t offset; /* PAGES_OFFSET: virtual minus physical address */
};

/* What a virtual address means: a physical address, and the bytes from there to the end of its page. */
struct page {
	uint64_t physical;
	uint64_t run;
};

/* page_read - reads @size bytes at the physical @address. Errors: SYSTEM, INVALID_INPUT (there is no memory). */
typedef enum status page_read(void *context, uint64_t address, void *to, size_t size, struct error *error);

/*
 * page_walk - translates @address. Reads at most one entry of each level, so it ends also if tables point to themselves.
 * @read gets @context. Errors: INVALID_INPUT (the address is not mapped, or the tables are damaged), and SYSTEM of @read.
 */
enum status page_walk(const struct page_tables *tables, page_read *read, void *context, uint64_t address,
	struct page *page, struct error *error);

#endif
