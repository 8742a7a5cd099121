/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - a linked image as an ELF file has it: sections, symbols, and what
 * lies at an address. All names and bytes are owned by the image.
 */
#ifndef BAREPROF_HOST_IMAGE_H
#define BAREPROF_HOST_IMAGE_H

#include "bytes.h"
#include "error.h"

struct image_section {
	const char *name;
	uint64_t address;
	uint64_t size;
	size_t index;
	bool allocated; /* has an address at run time */
	bool filled; /* has content in the file */
	bool loaded; /* that content is in a segment that a loader copies */
};

struct image_symbol {
	const char *name;
	uint64_t value; /* without the mark of Thumb functions */
	size_t section; /* index; 0: none of the sections */
	bool function;
};

struct image {
	unsigned int width; /* of a pointer */
	bool big; /* byte order */
	struct image_section *sections;
	size_t section_count;
	struct image_symbol *symbols; /* the defined ones, by name */
	size_t symbol_count;
	void *elf;
	int fd;
};

/* image_open - read the image at @path; free it with image_close(), also after an error. Errors: SYSTEM, BAD. */
enum status image_open(struct image *image, const char *path, struct error *error);
void image_close(struct image *image);

/* image_section, image_symbol - the first that is called @name, or NULL. */
const struct image_section *image_section(const struct image *image, const char *name);
const struct image_symbol *image_symbol(const struct image *image, const char *name);

/* image_content - what the file has of @section; empty if there is nothing. */
struct bytes image_content(const struct image *image, const struct image_section *section);

/* image_where - the section that has the bytes from @address to @address + @size, or NULL. */
const struct image_section *image_where(const struct image *image, uint64_t address, uint64_t size);

#endif
