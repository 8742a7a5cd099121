/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_info.h - what bareprof wants to know of an ELF file.
 */
#ifndef BAREPROF_HOST_ELF_INFO_H
#define BAREPROF_HOST_ELF_INFO_H

#include "bytes.h"
#include "error.h"

struct elf_info {
	const char *machine; /* as in board files: x86_64, arm, ...; "unknown" */
	unsigned int clang; /* newest clang that compiled any of it; 0: none told */
	bool coverage_mapping;
	struct buffer build_id; /* empty: none */
	bool unstamped; /* there is room for one that is still to be made (stamp.c) */
};

/* elf_read - read the file at @path; free with elf_free(). Errors: SYSTEM, INVALID_INPUT. */
enum status elf_read(struct elf_info *info, const char *path, struct error *error);
/* elf_examine - the same of an Elf that libelf has opened. */
void elf_examine(struct elf_info *info, void *elf);
void elf_free(struct elf_info *info);

#endif
