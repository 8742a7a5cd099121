/* SPDX-License-Identifier: BSD-2-Clause */
/* share.h - distributes work to all CPUs. */
#ifndef SHARE_H
#define SHARE_H

#include <stdint.h>

typedef void (*share_job)(void);

/*
 * Runs @n jobs. Job i runs on CPU i modulo the number of CPUs, so the same work is
 * done with any number of CPUs. No CPU begins before all CPUs are ready, so that they
 * work at the same time. Returns the number of jobs that ran on the right CPU.
 */
uint32_t share(const share_job *job, uint32_t n);

/* Waits for a short time. If another CPU can interfere with the caller, it probably does so in this time. */
void share_linger(void);

#endif
