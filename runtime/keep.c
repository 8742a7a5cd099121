/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.c - counts that survive a reset: makes validity words, checks them, and makes an image of the counts that the
 * previous boot kept.
 */
#include <bareprof/capture.h>
#include <bareprof/keep.h>
#include <bareprof/snapshot.h>

#include "values_serialize.h"

/* In a file of memory, these are the letters "kept" on little-endian targets. */
#define BAREPROF_KEEP_MAGIC 0x7470656bu

static uint32_t keep_checksum(const struct bareprof_keep *keep)
{
	return bareprof_crc32c(0, keep, offsetof(struct bareprof_keep, check));
}

/* The build id, or the records of an image without a build id, identify the build. */
static const struct bareprof_slice *identity_of_build(const struct bareprof_image *image)
{
	return &image->section[image->section[BAREPROF_BUILD_ID].size ? BAREPROF_BUILD_ID : BAREPROF_DATA];
}

static uint32_t checksum_of_build(const struct bareprof_image *image)
{
	return bareprof_crc32c(0, identity_of_build(image)->start, identity_of_build(image)->size);
}

static const uint8_t *keep_counters(const struct bareprof_keep *keep)
{
	return (const uint8_t *)((uintptr_t)keep + keep->distance);
}

/* A reset may come at any time. So no store may move across a store to the magic word. */
static void keep_set_magic(struct bareprof_keep *keep, uint32_t magic)
{
	__asm__ volatile("" : : : "memory");
	*(volatile uint32_t *)&keep->magic = magic;
	__asm__ volatile("" : : : "memory");
}

void bareprof_keep_forget(struct bareprof_keep *keep)
{
	keep_set_magic(keep, 0);
}

int bareprof_keep(struct bareprof_keep *keep, const struct bareprof_image *image, size_t nonce)
{
	bareprof_keep_forget(keep);
	if (!identity_of_build(image)->size)
		return BAREPROF_E_NO_RECORDS;
	keep->nonce = nonce;
	keep->generation = image->generation;
	keep->distance = (uintptr_t)image->section[BAREPROF_CNTS].start - (uintptr_t)keep;
	keep->size = BAREPROF_SNAPSHOT_SIZE(image);
	keep->build = checksum_of_build(image);
	keep->contents = image->live == image ? 0 : bareprof_crc32c(0, keep_counters(keep), keep->size);
	keep->check = keep_checksum(keep);
	keep_set_magic(keep, BAREPROF_KEEP_MAGIC);
	return BAREPROF_OK;
}

int bareprof_keep_start(struct bareprof_keep *keep, struct bareprof_image *image, size_t nonce)
{
	bareprof_keep_forget(keep);
	bareprof_reset(image);
	image->generation = 0;
	return bareprof_keep(keep, image, nonce);
}

int bareprof_keep_reset(struct bareprof_keep *keep, struct bareprof_image *image)
{
	bareprof_keep_forget(keep);
	bareprof_reset(image);
	return bareprof_keep(keep, image, keep->nonce);
}

int bareprof_kept(const struct bareprof_keep *keep, struct bareprof_image *then, const struct bareprof_image *image)
{
	struct bareprof_slice *section = then->section;
	const uint8_t *start;
	unsigned int i;

	if (keep->magic != BAREPROF_KEEP_MAGIC || keep->check != keep_checksum(keep) ||
		!identity_of_build(image)->size || keep->build != checksum_of_build(image) ||
		keep->size != BAREPROF_SNAPSHOT_SIZE(image))
		return 0;
	bareprof_copy(then, image, sizeof(*then));
	then->generation = keep->generation;
	start = keep_counters(keep);
	if (start == section[BAREPROF_CNTS].start)
		return 1;
	if (keep->contents != bareprof_crc32c(0, start, keep->size))
		return 0;
	for (i = BAREPROF_CNTS; i < BAREPROF_CNTS + bareprof_live_sections(image); i++) {
		section[i].start = start;
		start += section[i].size;
	}
	return 1;
}
