/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - reads the ELF file of a linked image or of a module. Finds its sections and symbols, and the section at an
 * address. struct image owns all names and bytes. The sections of a module have no addresses in the file, so
 * image_open() gives them addresses, one section after the other.
 */
#ifndef BAREPROF_HOST_IMAGE_H
#define BAREPROF_HOST_IMAGE_H

#include "bytes.h"
#include "error.h"

struct image_section {
	const char *name;
	uint64_t address;
	uint64_t size;
	uint64_t load; /* the physical address to which a loader copies the content */
	uint64_t offset; /* offset of the content in the file */
	uint64_t alignment;
	size_t index;
	bool allocated; /* the section has an address at run time */
	bool filled; /* the section has content in the file */
	bool loaded; /* a loader copies the content, because it is in a PT_LOAD segment or the image is a module */
	bool executable; /* the section contains code */
	bool linked; /* the section belongs to another one, and is discarded with it (SHF_LINK_ORDER) */
	bool writable; /* the segment of the section is writable; without a segment: the section itself is writable */
};

struct image_symbol {
	const char *name;
	const char *file; /* source file of a local symbol; "": the symbol is global, or its file is not known */
	uint64_t value; /* address of the symbol; the Thumb bit of Arm functions is cleared */
	uint64_t size; /* size in bytes; 0: not known */
	size_t section; /* index of the section that contains the symbol; 0: no section contains it */
	bool function;
	bool object; /* the symbol is a variable */
	bool thumb; /* the symbol is a Thumb function */
};

struct image {
	unsigned int width; /* pointer width in bytes */
	unsigned int machine; /* number of the machine in the ELF header */
	bool big; /* big-endian */
	uint64_t size; /* size of the file in bytes */
	bool module; /* the file was linked with -r */
	bool listed; /* there is no ELF file, only a list of symbols; @width and @big are not known */
	bool protects; /* the image has writable segments and read-only segments */
	struct image_section *sections;
	size_t section_count;
	struct image_symbol *symbols; /* the defined symbols, sorted by name and then by file */
	size_t symbol_count;
	void *elf;
	int fd;
};

/*
 * image_open - reads the image at @path. The caller must call image_close() even after an error.
 * Errors: SYSTEM, INVALID_INPUT.
 */
enum status image_open(struct image *image, const char *path, struct error *error);
void image_close(struct image *image);

/*
 * image_symbols - reads a list of symbols in place of an ELF file: the output of nm, a System.map, or /proc/kallsyms. Keeps
 * only the symbols that have to do with profiles. The caller must call image_close() even after an error. Errors: SYSTEM,
 * INVALID_INPUT.
 */
enum status image_symbols(struct image *image, const char *path, struct error *error);

/*
 * image_section - returns the first section with the name @name, or NULL.
 * image_symbol - returns the first symbol with the name @name, or NULL.
 */
const struct image_section *image_section(const struct image *image, const char *name);
const struct image_symbol *image_symbol(const struct image *image, const char *name);

/*
 * image_function - returns the function with the name @name in the source file @file. @file is "" for a global
 * function. If there is no such function, looks for a symbol with the name @name in the whole image. Returns this
 * symbol if it is the only one with the name, is a function, and does not belong to another source file. Otherwise
 * returns NULL.
 */
const struct image_symbol *image_function(const struct image *image, const char *name, const char *file);

/* image_prefix - returns a symbol whose name starts with @prefix, or NULL if there is none. */
const struct image_symbol *image_prefix(const struct image *image, const char *prefix);

/* The two ways to name the symbols at the start and end of a section. */
enum bounds {
	BOUNDS_OURS, /* __start_SECTION and __stop_SECTION, which linkers, compiler-rt and Xen use */
	BOUNDS_LINUX, /* SECTION_start and SECTION_end */
};

/*
 * image_bound - returns the symbol at the start of section @name. If @stop is true, returns the
 * symbol at the end of the section. Returns NULL if the image does not have the symbol.
 */
const struct image_symbol *image_bound(const struct image *image, enum bounds bounds, const char *name, bool stop);

/*
 * image_version_word - returns the value of the variable __llvm_profile_raw_version, or 0 if the
 * image does not define it.
 */
uint64_t image_version_word(const struct image *image);

/* image_content - returns the bytes of @section. The slice is empty if the section has no content in the file. */
struct bytes image_content(const struct image *image, const struct image_section *section);

/* image_where - returns the section that contains the @size bytes from @address on, or NULL if there is none. */
const struct image_section *image_where(const struct image *image, uint64_t address, uint64_t size);

/*
 * image_relocate - appends @content to @copy, and applies relocations to that copy. @address is the
 * address of @content in the image. These are the relocations that a loader would
 * apply if it did not move the image. Types of relocations that no compiler
 * uses in profile sections are ignored.
 */
void image_relocate(const struct image *image, uint64_t address, struct bytes content, struct buffer *copy);

/*
 * image_relocate_section - appends the content of @section, which is not loaded, to @copy. In a module, also applies
 * the relocations of the section. In a linked image, the linker has already applied them.
 */
void image_relocate_section(const struct image *image, const struct image_section *section, struct buffer *copy);

/*
 * image_relocate_debug - if the file is a module, applies the relocations of its debug information in memory, where
 * libdw reads it. The addresses in the debug information are then those of the image. Call it once, before libdw.
 */
void image_relocate_debug(const struct image *image);

/*
 * image_is_mapping - returns whether @name is that of a mapping symbol of Arm, such as $t and $d.4. Such a symbol is no
 * name: it marks where instructions or data begin.
 */
static inline bool image_is_mapping(const char *name)
{
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) && (!name[2] || name[2] == '.');
}

#endif
