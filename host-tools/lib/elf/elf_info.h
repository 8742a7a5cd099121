/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_info.h - machine, compiler and build id of an ELF file.
 */
#ifndef BAREPROF_HOST_ELF_INFO_H
#define BAREPROF_HOST_ELF_INFO_H

#include "bytes.h"
#include "error.h"

struct elf_info {
	/* the name that board files use, such as x86_64 or arm; "unknown": bareprof has no name for the machine */
	const char *machine;
	const char *machine_profile; /* for 32-bit Arm: arm-a, arm-r or arm-m; NULL: not known */
	unsigned int clang; /* major version of the newest clang that compiled a part of the file; 0: not known */
	bool coverage_mapping;
	struct buffer build_id; /* empty: the file has no build id, or @unstamped is true */
	uint64_t build_id_address; /* link address of these bytes, if @build_id_loaded is true */
	bool build_id_loaded; /* the build id is in memory when the image runs */
	bool unstamped; /* true: the build id is all zeros, because 'bareprof stamp' has not filled it in (stamp.c) */
};

/* elf_read - reads the ELF file at @path. The caller frees @info with elf_free(). Errors: SYSTEM, INVALID_INPUT. */
enum status elf_read(struct elf_info *info, const char *path, struct error *error);
/* elf_examine - does the same as elf_read() for @elf, an Elf handle of libelf. */
void elf_examine(struct elf_info *info, void *elf);
void elf_free(struct elf_info *info);

#endif
