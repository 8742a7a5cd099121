/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_files.h - the functions of a machine profile by source file, and the reports that are made of them. */
#ifndef BAREPROF_HOST_MIP_FILES_H
#define BAREPROF_HOST_MIP_FILES_H

#include "mip_sources.h"

/* A function of a source file. Two functions with one name and line, such as copies of an inline function, are one. */
struct mip_file_function {
	const char *name; /* name of the symbol */
	const char *demangled;
	unsigned int line; /* 0: not known */
	bool counts; /* the number of calls is known */
	uint64_t runs; /* number of raw profiles in which the function ran */
	uint64_t calls;
	uint64_t order_sum; /* as in struct mip_function */
	uint64_t orders;
};

struct mip_file {
	const char *name; /* "(unknown)" if the source file is not known */
	const char *short_name; /* @name without the folder that all files have in common */
	struct mip_file_function *functions; /* sorted by line, then by name */
	size_t count;
	size_t ran;
	size_t left_out; /* number of functions of the file that are left out; they are not in @functions */
};

/* The files, sorted by name. mip_files_free() frees them. */
struct mip_files {
	struct mip_file *list;
	size_t count;
	size_t unknown; /* the profile does not say whether these functions ran; they are in no file */
	size_t copies; /* number of functions that another function with the same name and line stands for */
	const struct mip_profile *profile;
	struct mip_file_function *functions;
};

void mip_files_make(struct mip_files *files, const struct mip_profile *profile, const struct mip_sources *sources);
void mip_files_free(struct mip_files *files);

/* mip_files_total - returns the sums of all files. The result has neither a name nor functions. */
struct mip_file mip_files_total(const struct mip_files *files);

/* mip_files_table - prints a table of the files to standard output. */
void mip_files_table(const struct mip_files *files);

/*
 * mip_files_lcov, mip_files_html - append a report in LCOV's text format, or as a page of HTML. @elf_path is the path
 * of the program.
 */
void mip_files_lcov(const struct mip_files *files, struct buffer *out);
void mip_files_html(const struct mip_files *files, const char *elf_path, struct buffer *out);

#endif
