/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cov.h - the shell's commands for the kernel's own profile. No instrumented code runs while a
 * profile is read.
 */
#ifndef COV_H
#define COV_H

void cov_init(void);
/* Prints the properties of the image, and the size of its profile. */
void cov_info(void);
/* Sets all counters to zero. */
void cov_reset(void);
/* Sends the profile as lines of text on the console. */
void cov_dump(void);
/* Sends the profile as frames on the board's channel for binary data. */
void cov_save(void);
/*
 * Sends a capture of counters. If the records are not in memory, cov_dump() and cov_save() also send only counters.
 */
void cov_counters(void);
void cov_both(void);
void cov_save_counters(void);
/*
 * Sends a capture of counters, and then any of its blocks again, until the line "cov end" arrives. The host asks with
 * lines "cov block REQUEST", as `bareprof pull --ask 'cov block %s\n'` does.
 */
void cov_serve(void);
/* Sends the same capture of counters again and again, until a line end arrives. */
void cov_repeat(void);

#endif
