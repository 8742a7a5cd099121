/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampler.h - internal to the Linux port: takes samples of the program counter of the kernel. A sample is taken on each
 * CPU at a given rate, by a timer or by the performance counter for cycles. Only the addresses of vmlinux are sampled.
 * The addresses of user code and of modules count as outside.
 */
#ifndef BAREPROF_SAMPLER_H
#define BAREPROF_SAMPLER_H

#include <linux/types.h>

#include "bareprof.h"

#define BAREPROF_SAMPLE_RATE_MAX 50000u

/* Addresses in the kernel, by the names of its symbols. */
struct kernel_bounds {
	unsigned long _stext;
	unsigned long _etext;
	unsigned long __start_notes;
	unsigned long __stop_notes;
};

/* What interrupts the CPUs. */
enum sample_source {
	SAMPLE_AUTO, /* cycles if they work, otherwise the timer */
	SAMPLE_TIMER, /* an hrtimer on each CPU, at random distances */
	SAMPLE_CYCLES, /* a perf event on each CPU, which counts cycles */
};

/* How samples are taken. The caller of the functions below gets a copy. */
struct sampler_state {
	bool on;
	u32 rate; /* samples in a second of one CPU */
	enum sample_source source; /* as it was set */
	enum sample_source running; /* what was used since samples were last switched on; SAMPLE_AUTO: nothing */
	unsigned int cpus; /* number of rings */
	u64 interrupts; /* since boot, of all CPUs */
};

/* All functions may sleep, and may be called at the same time. */

void bareprof_sampler_get(struct sampler_state *state);

/*
 * bareprof_sampler_switch - switches samples on or off, on all CPUs. CPUs that come online later are sampled too. Returns
 * 0, -ENOMEM, or the error of a perf event that cannot be made.
 */
int bareprof_sampler_switch(bool on);

/* These functions return -EBUSY if samples are switched on, and -EINVAL if the rate is out of range. */
int bareprof_sampler_set_rate(u64 rate);
int bareprof_sampler_set_source(enum sample_source source);

/*
 * bareprof_sampler_size - returns the size of the memory that bareprof_sampler_collect() needs for all samples, or the
 * most that the kernel can allocate.
 */
size_t bareprof_sampler_size(void);

/*
 * bareprof_sampler_collect - moves the samples to the @size bytes at @memory, and describes them as *@image, which the
 * caller owns and has set to zeros. Returns 0 or enum bareprof_error.
 */
int bareprof_sampler_collect(struct bareprof_image *image, void *memory, size_t size);

void bareprof_sampler_reset(void);

/*
 * bareprof_sampler_init - called once, before the functions above. The kernel's code and its ELF notes are at @bounds.
 * Returns 0, or -EINVAL if @bounds cannot be those of the kernel that is running.
 */
int bareprof_sampler_init(const struct kernel_bounds *bounds);

/* bareprof_sampler_stop - switches samples off and frees the rings. No file may be open. */
void bareprof_sampler_stop(void);

/*
 * bareprof_sampler_files - adds the sampler's folder to the kernel's folder in debugfs, which is made if it is missing
 * (sampler_files.c). bareprof_files_start() was called before.
 */
void bareprof_sampler_files(void);

#endif
