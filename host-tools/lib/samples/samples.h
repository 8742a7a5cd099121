/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * samples.h - samples of the program counter: how often each address was seen, and from where it was called. Addresses
 * are link addresses, which are the addresses in the ELF file.
 */
#ifndef BAREPROF_HOST_SAMPLES_H
#define BAREPROF_HOST_SAMPLES_H

#include "bytes.h"
#include "error.h"

/* The maximum number of return addresses of a sample. */
#define SAMPLE_DEPTH_MAX 255u

/* The largest histogram shift: a counter for 2^31 bytes. */
#define SAMPLE_SHIFT_MAX 31u

/* All samples that have the same address and the same return addresses. */
struct sample {
	uint64_t address;
	uint64_t count; /* at least 1 */
	size_t stack; /* index of the innermost return address in samples.addresses */
	uint32_t depth; /* number of return addresses; the outer ones may be missing */
};

/* Samples of one link. Before its first use it is all zeros; samples_free() frees its memory. */
struct samples {
	struct sample *list; /* after samples_sort(): sorted by address, then by return addresses; none is equal */
	size_t count;
	size_t room;
	size_t sorted; /* number of samples that the last samples_sort() left */
	uint64_t *addresses; /* the return addresses of all samples; 0: this one is not known */
	size_t address_count;
	size_t address_room;
	struct buffer build_id; /* empty: not known */
	uint64_t rate; /* samples for each second and CPU, as the integrator stated it; 0: not known, or mixed */
	uint64_t cpus; /* number of rings, or the largest number if several dumps were merged; 0: not known */
	uint64_t dropped; /* samples that were lost, because there was no memory for them */
	uint64_t outside; /* samples whose address is not in the sampled range, or in no code of the ELF file */
	bool partial; /* set by the caller; true: dumps that did not arrive completely are left out, see samples_load() */
	bool any; /* a dump or file was read into it, so that the next one must have the same shift */
	unsigned int
		shift; /* each address stands for 2^shift bytes: the samples come from a histogram if it is above 0 */
};

/*
 * samples_add - adds @count samples of @address. @stack has @depth return addresses, the innermost first, and depth is
 * at most SAMPLE_DEPTH_MAX. Counts stop at 2^64-1.
 */
void samples_add(struct samples *samples, uint64_t address, uint64_t count, const uint64_t *stack, uint32_t depth);

/* samples_sort - sorts the samples, and adds up equal ones. */
void samples_sort(struct samples *samples);

/* samples_total - returns the number of samples, without those that were dropped or outside. */
uint64_t samples_total(const struct samples *samples);

/*
 * samples_merge - adds the samples of @other to @samples. Call samples_sort() after the last call. If the build id of
 * @samples or @other is not known, or the rates differ, appends a sentence to @note. Errors: INVALID_INPUT if both have build ids, which differ, or if
 * their addresses stand for different numbers of bytes.
 */
enum status samples_merge(
	struct samples *samples, const struct samples *other, struct buffer *note, struct error *error);

/* samples_other_link - sets @error to a sentence that names both build ids, and returns INVALID_INPUT. */
enum status samples_other_link(struct bytes found, struct bytes expected, struct error *error);

void samples_free(struct samples *samples);

#endif
