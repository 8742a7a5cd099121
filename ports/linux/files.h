/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.h - internal to the Linux port: the files of profiles in debugfs.
 */
#ifndef BAREPROF_FILES_H
#define BAREPROF_FILES_H

#include "profiles.h"

/* The functions with which profiles.c creates and removes the directory of a profile. */
extern const struct profile_files bareprof_files;

/* bareprof_files_start - creates the root directory in debugfs. bareprof_files_stop - removes this directory. */
int bareprof_files_start(void);
void bareprof_files_stop(void);

/* The operations of the files "info" (info.c) and "mipraw" (mipraw.c). */
extern const struct file_operations bareprof_info_file;
extern const struct file_operations bareprof_mipraw_file;

#endif
