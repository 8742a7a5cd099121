/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdump_layout.h - checks that a kernel dump is complete. libkdumpfile 0.5.1 reads zeros after the end of a file, so from
 * a dump that was cut off, it would read counters that are zero.
 */
#ifndef BAREPROF_HOST_KDUMP_LAYOUT_H
#define BAREPROF_HOST_KDUMP_LAYOUT_H

#include "bytes.h"
#include "error.h"

/* Bytes of the descriptor of a page. It begins with the offset of the content, 8 bytes. */
#define KDUMP_DESCRIPTOR_SIZE 24

struct kdump_layout {
	int fd;
	uint64_t file; /* bytes */
	bool big; /* numbers are big-endian */
	bool wide; /* the dump is from a 64-bit machine */
	unsigned int version; /* of the header */
	uint64_t block; /* bytes, also of a page */
	uint64_t bitmap; /* offset of the second bitmap: which pages the dump has */
	uint64_t bitmap_size; /* bytes */
	uint64_t descriptors; /* offset */
	uint64_t pages; /* the number of descriptors */
};

/*
 * kdump_check_layout - checks that the file @fd is a kernel dump of diskdump or makedumpfile, and that it has all parts of
 * which its headers tell: bitmaps, descriptors of pages, and pages. Sets *@layout. Errors: INVALID_INPUT, SYSTEM.
 */
enum status kdump_check_layout(struct kdump_layout *layout, int fd, struct error *error);

/*
 * kdump_take - reads @size bytes at @offset. The caller has compared the place with the size of the file. Errors: SYSTEM.
 */
enum status kdump_take(const struct kdump_layout *layout, void *to, size_t size, uint64_t offset, struct error *error);

/*
 * kdump_notes - appends the contents of all ELF notes with the owner @owner to @out. Appends nothing if the dump has none,
 * or if it is from a 32-bit machine: their headers have two layouts, and do not tell which one.
 */
void kdump_notes(const struct kdump_layout *layout, const char *owner, struct buffer *out);

#endif
