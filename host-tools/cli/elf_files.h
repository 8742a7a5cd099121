/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_files.h - opens the files of --elf and --elf-dir, options that several commands have.
 */
#ifndef BAREPROF_HOST_ELF_FILES_H
#define BAREPROF_HOST_ELF_FILES_H

#include "completion.h"

/*
 * elf_files_open - adds ELF files and a folder to @programs. @paths are the paths of the files, ended by NULL. @folder
 * may be NULL. Prints the error. Errors: those of programs_elf() and programs_folder().
 */
enum status elf_files_open(struct programs *programs, const char *const *paths, const char *folder);

/* print_warnings - prints the warnings and notes in @report as messages about @subject. */
void print_warnings(const char *subject, struct completion_report *report);

#endif
