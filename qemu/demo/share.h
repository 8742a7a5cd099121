/* SPDX-License-Identifier: BSD-2-Clause */
/* share.h - work for all CPUs. */
#ifndef SHARE_H
#define SHARE_H

#include <stdint.h>

typedef void (*share_job)(void);

/*
 * Run @n jobs, number i on the CPU i modulo how many there are: however many
 * that is, the same is done. No CPU begins before all are there, so that they
 * are at it together. Returns how many jobs ran on the CPU they should.
 */
uint32_t share(const share_job *job, uint32_t n);

/* Take long enough for others to come in between, if they can. */
void share_linger(void);

#endif
