/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample.h - internal to the Xen port: samples of the hypervisor's program counter.
 */
#ifndef BAREPROF_XEN_SAMPLE_H
#define BAREPROF_XEN_SAMPLE_H

#include "bareprof.h"

/*
 * Takes @rate samples in a second on each CPU from now on, or none if @rate is 0. After a call with 0, no CPU is still
 * storing a sample. Returns 0 or a negative errno: EINVAL if the rate is out of range, ENOMEM if there is no memory.
 * Callers hold the lock of all sysctls.
 */
int bareprof_xen_sample_set_rate(uint32_t rate);

/* Returns the number of samples that are taken in a second on each CPU, or 0 while no samples are taken. */
uint32_t bareprof_xen_sample_rate(void);

/*
 * Moves samples from the rings to the memory that *@image describes afterwards. Samples that do not fit stay in the
 * rings. Returns 0, or ENODATA if Xen has taken no samples yet. Callers hold the lock of all sysctls.
 */
int bareprof_xen_sample_collect(struct bareprof_image *image);

/* Discards all samples in the rings, and sets the number of interrupts to 0. Callers hold the lock of all sysctls. */
void bareprof_xen_sample_reset(void);

/* Returns how often a CPU was interrupted for a sample since the last reset. */
uint64_t bareprof_xen_sample_interrupts(void);

#endif
