/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapping_write.h - writes an ELF file with only the coverage mapping of a program and the names of its functions.
 * llvm-cov reads nothing else. The names of source files and functions are those of the report, and impossible counts
 * become 0. So each output of llvm-cov has the names and counts of the report.
 */
#ifndef BAREPROF_HOST_MAPPING_WRITE_H
#define BAREPROF_HOST_MAPPING_WRITE_H

#include "mapping.h"
#include "model.h"

struct mapping_copy {
	const struct mapping *mapping;
	const struct file_names *files;
	struct model *model; /* the profile of the report */
	const char *elf_path; /* the program */
	const char *path; /* the file to write */
};

/* mapping_write - writes the file. Errors: SYSTEM. */
enum status mapping_write(const struct mapping_copy *copy, struct error *error);

#endif
