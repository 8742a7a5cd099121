/* SPDX-License-Identifier: BSD-2-Clause */
/* outside_reset.c - sets what a profile consists of to its start values, in the memory of a target (runtime/reset.c). */
#include "mip_image.h"
#include "outside_capture.h"

#include <bareprof/layout.h>
#include <elf.h>
#include <inttypes.h>

/* Bytes of one write. */
#define CHUNK 65536u

enum status outside_fill(
	const struct placed *placed, uint64_t address, uint8_t byte, uint64_t size, struct error *error)
{
	enum status status = STATUS_OK;
	uint8_t chunk[CHUNK];

	memset(chunk, byte, sizeof(chunk));
	while (size && status == STATUS_OK) {
		size_t part = size < CHUNK ? (size_t)size : CHUNK;

		status = placed_write(placed, address, chunk, part, error);
		address += part;
		size -= part;
	}
	return status;
}

/* Fills the memory, and then looks whether it changed: a stub may accept writes to memory that is read-only. */
static enum status fill_and_check(
	const struct placed *placed, uint64_t address, uint8_t byte, uint64_t size, struct error *error)
{
	struct buffer content = {0};
	/* A wrong size would overwrite other memory. */
	enum status status = outside_check_size(placed, size, error);
	size_t i;

	if (status == STATUS_OK)
		status = outside_fill(placed, address, byte, size, error);
	if (status == STATUS_OK)
		status = outside_section(&content, placed, address, size, error);
	for (i = 0; i < content.size && status == STATUS_OK; i++)
		if (content.data[i] != byte)
			status = error_set(error, STATUS_INVALID_INPUT,
				"did not change the memory at 0x%" PRIx64
				" although it accepted the reset: it is read-only, or a CPU runs",
				placed_address(placed, address + i));
	buffer_free(&content);
	return status;
}

static enum status reset_counters(const struct placed *placed, struct error *error)
{
	struct program *program = placed->program;
	const struct elf_section_copy *section = program->section;
	const struct record_table *table;
	uint8_t start;
	enum status status;

	if (!section[BAREPROF_CNTS].size)
		return STATUS_OK;
	status = program_records(program, 0, &table, error);
	if (status != STATUS_OK)
		return status;
	start = table->version_word & BAREPROF_VARIANT_BYTE_COVERAGE ? 0xff : 0;
	status = fill_and_check(placed, section[BAREPROF_CNTS].address, start, section[BAREPROF_CNTS].size, error);
	if (status == STATUS_OK)
		status = fill_and_check(placed, section[BAREPROF_BITS].address, 0, section[BAREPROF_BITS].size, error);
	return status == STATUS_OK ? outside_values_reset(placed, error) : status;
}

/* Returns the start value of the bytes of @section. */
static uint8_t machine_start(const struct image *image, enum mip_section section)
{
	switch (section) {
	case MIP_COVERAGE:
		return image->machine == EM_AARCH64 ? BAREPROF_MIP_COVERAGE_START_AARCH64 : BAREPROF_MIP_COVERAGE_START;
	case MIP_CALLS:
		return BAREPROF_MIP_CALLS_START;
	case MIP_BLOCKS:
		return BAREPROF_MIP_BLOCKS_START;
	default:
		return 0;
	}
}

static enum status reset_machine(const struct placed *placed, struct error *error)
{
	const struct image *image = &placed->program->image;
	const struct image_symbol *wraps = image_bound(image, BOUNDS_OURS, BAREPROF_MIP_BOUNDS_WRAPS, false);
	enum status status = STATUS_OK;
	struct mip_extent extent;
	unsigned int i;

	for (i = 0; i < MIP_SECTIONS && status == STATUS_OK; i++) {
		uint64_t rest = 0;

		if (!mip_image_extent(image, (enum mip_section)i, &extent) || !extent.size)
			continue;
		/* The bytes of clang's own flags come last, and start as 0. */
		if (i == MIP_BLOCKS && wraps && wraps->value - extent.address < extent.size)
			rest = extent.address + extent.size - wraps->value;
		status = fill_and_check(
			placed, extent.address, machine_start(image, (enum mip_section)i), extent.size - rest, error);
		if (status == STATUS_OK && rest)
			status = fill_and_check(placed, wraps->value, 0, rest, error);
	}
	return status;
}

enum status outside_reset(const struct placed *placed, const struct samplers *samplers, struct error *error)
{
	enum status status = reset_counters(placed, error);

	if (status == STATUS_OK)
		status = reset_machine(placed, error);
	return status == STATUS_OK ? outside_samples_reset(placed, samplers, error) : status;
}
