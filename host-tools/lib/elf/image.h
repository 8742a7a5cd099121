/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - the ELF file of a linked image or a module: its sections and symbols,
 * and the section at an address. The image owns all names and bytes. The sections
 * of a module have no addresses yet, so image_open() places them one after the
 * other.
 */
#ifndef BAREPROF_HOST_IMAGE_H
#define BAREPROF_HOST_IMAGE_H

#include "bytes.h"
#include "error.h"

struct image_section {
	const char *name;
	uint64_t address;
	uint64_t size;
	uint64_t load; /* address to which a loader copies the content, as the segment says */
	uint64_t offset; /* of the content in the file */
	uint64_t alignment;
	size_t index;
	bool allocated; /* has an address at run time */
	bool filled; /* has content in the file */
	bool loaded; /* a loader copies the content: it is in a PT_LOAD segment, or the image is a module */
	bool writable; /* the segment of the section is writable, or the section itself if it is in no segment */
};

struct image_symbol {
	const char *name;
	const char *file; /* source file of a local symbol; "": global, or not known */
	uint64_t value; /* without the Thumb bit of Arm functions */
	uint64_t size; /* bytes; 0: not known */
	size_t section; /* index of the section that contains the symbol; 0: none */
	bool function;
	bool object; /* the symbol is a variable */
	bool thumb; /* the symbol is a Thumb function */
};

struct image {
	unsigned int width; /* of a pointer, bytes */
	unsigned int machine; /* as in the ELF header */
	bool big; /* big-endian */
	uint64_t size; /* of the file, bytes */
	bool module; /* linked with -r */
	bool protects; /* it has writable and read-only segments */
	struct image_section *sections;
	size_t section_count;
	struct image_symbol *symbols; /* the defined ones, sorted by name, then by file */
	size_t symbol_count;
	void *elf;
	int fd;
};

/* image_open - reads the image at @path. Call image_close() also after an error. Errors: SYSTEM, INVALID_INPUT. */
enum status image_open(struct image *image, const char *path, struct error *error);
void image_close(struct image *image);

/* image_section, image_symbol - return the first section or symbol called @name, or NULL. */
const struct image_section *image_section(const struct image *image, const char *name);
const struct image_symbol *image_symbol(const struct image *image, const char *name);

/*
 * image_function - returns the function @name, or NULL. @file is the source file of a local
 * function, "" for a global one. If no symbol has both this name and this file, but only one
 * symbol has this name, returns that symbol.
 */
const struct image_symbol *image_function(const struct image *image, const char *name, const char *file);

/* image_prefix - returns a symbol whose name starts with @prefix, or NULL. */
const struct image_symbol *image_prefix(const struct image *image, const char *prefix);

/* How the symbols at the bounds of a section are named. */
enum bounds {
	BOUNDS_OURS, /* __start_SECTION and __stop_SECTION, which linkers, compiler-rt and Xen use */
	BOUNDS_LINUX, /* SECTION_start and SECTION_end */
};

/* image_bound - returns the symbol at the start of section @name, with @stop at its end, or NULL. */
const struct image_symbol *image_bound(const struct image *image, enum bounds bounds, const char *name, bool stop);

/* image_version_word - returns the value of __llvm_profile_raw_version; 0 if no object defines it. */
uint64_t image_version_word(const struct image *image);

/* image_content - returns the bytes of @section in the file; empty if the file has none. */
struct bytes image_content(const struct image *image, const struct image_section *section);

/* image_where - returns the section that contains the bytes from @address to @address + @size, or NULL. */
const struct image_section *image_where(const struct image *image, uint64_t address, uint64_t size);

/*
 * image_relocate - appends @content, which belongs at @address, to @copy and applies the
 * relocations that a loader would apply if it loaded the image at the addresses that it was
 * linked to. Types of relocations that no compiler uses in profile sections are ignored.
 */
void image_relocate(const struct image *image, uint64_t address, struct bytes content, struct buffer *copy);

#endif
