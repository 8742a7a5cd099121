/* SPDX-License-Identifier: BSD-2-Clause */
/* placed.c - finds the place of a program by its build id. */
#include "placed.h"
#include "elf_info.h"

#include <inttypes.h>
#include <stdlib.h>

uint64_t placed_address(const struct placed *placed, uint64_t address)
{
	address += placed->slide;
	return placed->program->image.width == 4 ? (uint32_t)address : address;
}

/* Returns the address to use for memory that the ELF file has at @address. */
static uint64_t locate(const struct placed *placed, uint64_t address)
{
	const struct image_section *section = image_where(&placed->program->image, address, 1);

	if (placed->space == MEMORY_PHYSICAL && section)
		return section->load + (address - section->address) + placed->slide;
	return placed_address(placed, address);
}

enum status placed_read(const struct placed *placed, uint64_t address, void *to, size_t size, struct error *error)
{
	return memory_read(placed->memory, placed->space, locate(placed, address), to, size, error);
}

enum status placed_write(
	const struct placed *placed, uint64_t address, const void *from, size_t size, struct error *error)
{
	return memory_write(placed->memory, placed->space, locate(placed, address), from, size, error);
}

enum status placed_follow(const struct placed *placed, uint64_t pointer, void *to, size_t size, struct error *error)
{
	return placed_read(placed, pointer - placed->slide, to, size, error);
}

/* Returns whether the build id of the program is in memory at this place. */
static enum status has_build_id(const struct placed *placed, bool *same, struct error *error)
{
	const struct program *program = placed->program;
	struct buffer id = {0};
	enum status status;

	buffer_reserve(&id, program->build_id.size);
	status = placed_read(placed, program->build_id_address, id.data, program->build_id.size, error);
	*same = status == STATUS_OK && !memcmp(id.data, program->build_id.data, program->build_id.size);
	buffer_free(&id);
	return status;
}

static enum status try_place(struct placed *placed, struct error *error)
{
	const struct program *program = placed->program;
	bool same = true;
	uint8_t byte;
	enum status status;

	if (program->build_id.size && program->build_id_loaded) {
		status = has_build_id(placed, &same, error);
		placed->proven = same;
	} else {
		status = placed_read(placed, program->section[BAREPROF_CNTS].address, &byte, 1, error);
	}
	if (status != STATUS_OK || same)
		return status;
	return error_set(error, STATUS_INVALID_INPUT,
		"has another build id at 0x%" PRIx64 " than the ELF file %s: give the ELF file of the program that is "
		"running, or if the program was moved, its distance with --slide",
		locate(placed, program->build_id_address), program->path);
}

enum status place_find(
	struct placed *placed, struct memory *memory, struct program *program, uint64_t slide, struct error *error)
{
	struct error unused;
	enum status status;

	*placed = (struct placed){.program = program, .memory = memory, .slide = slide};
	status = try_place(placed, error);
	if (status != STATUS_INVALID_INPUT)
		return status;
	placed->space = MEMORY_PHYSICAL;
	return try_place(placed, &unused) == STATUS_OK ? STATUS_OK : status;
}
