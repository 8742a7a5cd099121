/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - a linked image, or a module, as an ELF file has it: sections,
 * symbols, and what lies at an address. All names and bytes are owned by the
 * image. Nothing gave the sections of a module addresses yet: they are put one
 * after the other here.
 */
#ifndef BAREPROF_HOST_IMAGE_H
#define BAREPROF_HOST_IMAGE_H

#include "bytes.h"
#include "error.h"

struct image_section {
	const char *name;
	uint64_t address;
	uint64_t size;
	uint64_t offset; /* of its content in the file */
	uint64_t alignment;
	size_t index;
	bool allocated; /* has an address at run time */
	bool filled; /* has content in the file */
	bool loaded; /* that content is in a segment that a loader copies */
	bool writable; /* and so is the segment, if one has it */
};

struct image_symbol {
	const char *name;
	const char *file; /* that a local symbol is of; "" if global or not told */
	uint64_t value; /* without the mark of Thumb functions */
	size_t section; /* index; 0: none of the sections */
	bool function;
};

struct image {
	unsigned int width; /* of a pointer */
	unsigned int machine; /* as in the ELF header */
	bool big; /* byte order */
	uint64_t size; /* of the file, bytes */
	bool module; /* linked with -r */
	bool protects; /* it has segments that can be written to, and others that cannot */
	struct image_section *sections;
	size_t section_count;
	struct image_symbol *symbols; /* the defined ones, by name, then by file */
	size_t symbol_count;
	void *elf;
	int fd;
};

/* image_open - read the image at @path; free it with image_close(), also after an error. Errors: SYSTEM, INVALID_INPUT. */
enum status image_open(struct image *image, const char *path, struct error *error);
void image_close(struct image *image);

/* image_section, image_symbol - the first that is called @name, or NULL. */
const struct image_section *image_section(const struct image *image, const char *name);
const struct image_symbol *image_symbol(const struct image *image, const char *name);

/*
 * image_function - the function @name, of the source @file if it is local ("":
 * global). Where no symbol says its file, the only one of that name. Or NULL.
 */
const struct image_symbol *image_function(const struct image *image, const char *name, const char *file);

/* image_prefix - a symbol whose name starts so, or NULL. */
const struct image_symbol *image_prefix(const struct image *image, const char *prefix);

/* How the symbols that bound a section @name are called. */
enum bounds {
	BOUNDS_OURS, /* __start_SECTION and __stop_SECTION, as linkers make them, compiler-rt and Xen */
	BOUNDS_LINUX, /* SECTION_start and SECTION_end */
};

/* image_bound - such a symbol, or NULL. */
const struct image_symbol *image_bound(const struct image *image, enum bounds bounds, const char *name, bool stop);

/* image_version_word - what __llvm_profile_raw_version says, if an object defined it; else 0. */
uint64_t image_version_word(const struct image *image);

/* image_content - what the file has of @section; empty if there is nothing. */
struct bytes image_content(const struct image *image, const struct image_section *section);

/* image_where - the section that has the bytes from @address to @address + @size, or NULL. */
const struct image_section *image_where(const struct image *image, uint64_t address, uint64_t size);

/*
 * image_relocate - append @content, which belongs at @address, to @copy with all
 * that a loader would write there, at the addresses that the image was linked
 * to. Kinds of relocation that no compiler puts into a profile are left out.
 */
void image_relocate(const struct image *image, uint64_t address, struct bytes content, struct buffer *copy);

#endif
