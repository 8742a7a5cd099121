/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cov.h - what the shell can do with the kernel's own profile. Between opening
 * a profile and its last byte nothing instrumented runs.
 */
#ifndef COV_H
#define COV_H

void cov_init(void);
/* Print what there is to dump. */
void cov_info(void);
/* Counters to zero. */
void cov_reset(void);
/* The profile as lines of text on the console. */
void cov_dump(void);
/* The profile as frames on the board's channel for binary data. */
void cov_save(void);
/* The same with the counters alone, coded: without records in memory, all four send that. */
void cov_counters(void);
void cov_both(void);
void cov_save_counters(void);

#endif
