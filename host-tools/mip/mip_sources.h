/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_sources.h - finds the source file and line of functions in debug information, and their names as they are in the
 * source.
 */
#ifndef BAREPROF_HOST_MIP_SOURCES_H
#define BAREPROF_HOST_MIP_SOURCES_H

#include "image.h"
#include "mip_profile.h"

/* The source of one function. Its strings belong to struct mip_sources. */
struct mip_source {
	const char *file; /* NULL: not known */
	unsigned int line; /* 0: not known */
	const char *name; /* the demangled name, or the name itself; never NULL */
};

/* The sources of all functions of a profile. mip_sources_free() frees it. */
struct mip_sources {
	struct mip_source *list; /* an element for each function, in the order of the profile */
	struct arena arena;
	bool mangled; /* true: there are mangled names, and no tool that demangles them is installed */
};

/*
 * mip_sources_read - fills in @sources for @profile. @elf_path is the path of the ELF file with the debug information,
 * or NULL. Prints an error, and a note if the file has no debug information. Errors: SYSTEM, INVALID_INPUT, also if the
 * ELF file has another build id than the profile.
 */
enum status mip_sources_read(struct mip_sources *sources, const struct mip_profile *profile, const char *elf_path);
void mip_sources_free(struct mip_sources *sources);

/* mip_sources_check - checks that @image comes from the same link as @profile. Errors: INVALID_INPUT. */
enum status mip_sources_check(const struct mip_profile *profile, const struct image *image, struct error *error);

#endif
