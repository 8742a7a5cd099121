/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * files.h - within the Linux port: profiles in debugfs.
 */
#ifndef BAREPROF_FILES_H
#define BAREPROF_FILES_H

#include "profiles.h"

/* How profiles.c makes and removes the directory of a profile. */
extern const struct profile_files bareprof_files;

/* bareprof_files_start - make the root of the directories, bareprof_files_stop - remove it. */
int bareprof_files_start(void);
void bareprof_files_stop(void);

/* info.c: one of the files. */
extern const struct file_operations bareprof_info_file;

#endif
