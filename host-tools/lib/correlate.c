/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * correlate.c - records from the sections __llvm_covdata and __llvm_covnames
 * (-profile-correlate=binary). They are as in memory, but for the pointers to
 * counters and bitmaps, which are addresses that the program was linked at.
 */
#include "correlate.h"
#include "elf.h"
#include "raw_write.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct sources {
	struct bytes records;
	struct bytes names;
	uint64_t counters; /* addresses of sections */
	uint64_t bitmaps;
};

static enum status find_sources(struct sources *sources, const struct image *image, struct error *error)
{
	const struct image_section *records = image_section(image, "__llvm_covdata");
	const struct image_section *names = image_section(image, "__llvm_covnames");
	const struct image_section *counters = image_section(image, "__llvm_prf_cnts");
	const struct image_section *bitmaps = image_section(image, "__llvm_prf_bits");

	if (!records || !names)
		return error_set(error, STATUS_BAD,
			"has no records, and the ELF file has none for it either (sections __llvm_covdata and "
			"__llvm_covnames): is it the program that was run, and not stripped?");
	if (!counters)
		return error_set(error, STATUS_BAD,
			"cannot be completed: the ELF file has no section __llvm_prf_cnts; keep it as a section of "
			"its own when linking");
	sources->records = image_content(image, records);
	sources->names = image_content(image, names);
	sources->counters = counters->address;
	sources->bitmaps = bitmaps ? bitmaps->address : 0;
	return STATUS_OK;
}

static void read_record(
	struct raw_record *record, const struct raw_profile *profile, const struct sources *sources, uint64_t index)
{
	unsigned int v = profile->version;
	unsigned int w = profile->width;
	bool big = profile->big;
	uint64_t mask = w == 4 ? UINT32_MAX : UINT64_MAX;
	const uint8_t *p = sources->records.data + index * profile->record_size;

	*record = (struct raw_record){.name = load(p + BAREPROF_RECORD_NAME_REF, 8, big),
		.hash = load(p + BAREPROF_RECORD_FUNC_HASH, 8, big),
		.address = load(p + BAREPROF_RECORD_FUNCTION_PTR(v, w), w, big),
		.counters = (load(p + BAREPROF_RECORD_COUNTER_PTR, w, big) - sources->counters) & mask,
		.counter_count = (uint32_t)load(p + BAREPROF_RECORD_NUM_COUNTERS(v, w), 4, big)};
	/* Value sites are left out: without records the target had nowhere to keep values. */
	if (!BAREPROF_RECORD_BITMAP_BYTES(v, w))
		return;
	record->bitmap = (load(p + BAREPROF_RECORD_BITMAP_PTR(v, w), w, big) - sources->bitmaps) & mask;
	record->bitmap_size = (uint32_t)load(p + BAREPROF_RECORD_BITMAP_BYTES(v, w), 4, big);
}

/* Of another build the records would fit as well, and the counts be those of other functions. */
static enum status check_build(const struct raw_profile *profile, const struct image *image, struct error *error)
{
	const struct image_section *counters = image_section(image, "__llvm_prf_cnts");
	size_t size = profile->section[BAREPROF_CNTS].size;
	struct elf_info info;
	bool other;

	if (image->width != profile->width || image->big != profile->big)
		return error_set(error, STATUS_BAD,
			"is a %u-bit %s-endian profile, the ELF file is %u-bit %s-endian: they do not belong together",
			profile->width * 8, profile->big ? "big" : "little", image->width * 8,
			image->big ? "big" : "little");
	elf_examine(&info, image->elf);
	other = profile->build_id.size && info.build_id.size &&
	        (profile->build_id.size != info.build_id.size ||
			memcmp(profile->build_id.data, info.build_id.data, info.build_id.size) != 0);
	elf_free(&info);
	if (other)
		return error_set(error, STATUS_BAD, "is of another build than the ELF file: their build ids differ");
	if (counters && (counters->size > size || size - counters->size >= profile->counter_size))
		return error_set(error, STATUS_BAD,
			"has counters of %zu bytes, the ELF file's section __llvm_prf_cnts has %" PRIu64
			": is it the program that was run?",
			size, counters->size);
	return STATUS_OK;
}

static enum status from_sections(
	struct buffer *out, const struct raw_profile *profile, const struct image *image, struct error *error)
{
	struct raw_parts parts = {.version_word = profile->version_word, .width = profile->width, .big = profile->big};
	struct sources sources = {0};
	struct raw_record *records;
	uint64_t i;

	if (find_sources(&sources, image, error) != STATUS_OK)
		return STATUS_BAD;
	parts.record_count = sources.records.size / profile->record_size;
	if (sources.records.size % profile->record_size || !parts.record_count)
		return error_set(error, STATUS_BAD,
			"cannot be completed: the ELF file's section __llvm_covdata has %zu bytes, which are no "
			"records of raw version %u: was it linked from objects of one compiler?",
			sources.records.size, profile->version);
	records = allocate((size_t)parts.record_count, sizeof(*records));
	for (i = 0; i < parts.record_count; i++)
		read_record(&records[i], profile, &sources, i);
	parts.records = records;
	for (i = 0; i < BAREPROF_SECTIONS; i++)
		parts.section[i] = profile->section[i];
	parts.section[BAREPROF_NAMES] = sources.names;
	parts.values = profile->values;
	raw_write(out, &parts);
	free(records);
	return STATUS_OK;
}

enum status correlate(
	struct buffer *out, const struct raw_profile *profile, const struct image *image, struct error *error)
{
	/* Neither libelf nor libdw is made for several threads in one file. */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	enum status status;

	pthread_mutex_lock(&lock);
	status = check_build(profile, image, error);
	if (status == STATUS_OK)
		status = profile->version_word & BAREPROF_VARIANT_DEBUG_CORRELATE
		                 ? correlate_debug(out, profile, image, error)
		                 : from_sections(out, profile, image, error);
	pthread_mutex_unlock(&lock);
	return status;
}
