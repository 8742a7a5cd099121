/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * theirs.h - declares functions of compiler-rt that find and write the profile of the program into
 * which compiler-rt is linked.
 */
#ifndef THEIRS_H
#define THEIRS_H

#include <bareprof/bareprof.h>

uint64_t __llvm_profile_get_version(void);
const void *__llvm_profile_begin_data(void);
const void *__llvm_profile_end_data(void);
const void *__llvm_profile_begin_counters(void);
const void *__llvm_profile_end_counters(void);
const void *__llvm_profile_begin_names(void);
const void *__llvm_profile_end_names(void);
/* Not every version of compiler-rt has all of these functions, so this header declares the functions as weak. */
#define WEAK __attribute__((weak))
WEAK const void *__llvm_profile_begin_bitmap(void);
WEAK const void *__llvm_profile_end_bitmap(void);
WEAK const void *__llvm_profile_begin_vtables(void);
WEAK const void *__llvm_profile_end_vtables(void);
WEAK const void *__llvm_profile_begin_vtabnames(void);
WEAK const void *__llvm_profile_end_vtabnames(void);
void __llvm_profile_reset_counters(void);
int __llvm_profile_write_buffer(char *buffer);
int __llvm_profile_write_file(void);
void __llvm_profile_set_filename(const char *name);

static inline void set_section(struct bareprof_image *image, unsigned int section, const void *start, const void *end)
{
	image->section[section].start = start;
	image->section[section].size = (size_t)((const char *)end - (const char *)start);
}

static inline void their_sections(struct bareprof_image *image)
{
	set_section(image, BAREPROF_DATA, __llvm_profile_begin_data(), __llvm_profile_end_data());
	set_section(image, BAREPROF_CNTS, __llvm_profile_begin_counters(), __llvm_profile_end_counters());
	set_section(image, BAREPROF_NAMES, __llvm_profile_begin_names(), __llvm_profile_end_names());
	if (__llvm_profile_begin_bitmap)
		set_section(image, BAREPROF_BITS, __llvm_profile_begin_bitmap(), __llvm_profile_end_bitmap());
	if (__llvm_profile_begin_vtables) {
		set_section(image, BAREPROF_VTAB, __llvm_profile_begin_vtables(), __llvm_profile_end_vtables());
		set_section(image, BAREPROF_VNAMES, __llvm_profile_begin_vtabnames(), __llvm_profile_end_vtabnames());
	}
}

#endif
