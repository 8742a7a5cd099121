/* SPDX-License-Identifier: BSD-2-Clause */
/* placed.c - computes addresses of a program whose place is known, and reads there. */
#include "placed.h"

#include <gelf.h>
#include <inttypes.h>

/* Returns @address as an address of the program. */
static uint64_t cut(const struct placed *placed, uint64_t address)
{
	return placed->program->image.width == 4 ? (uint32_t)address : address;
}

uint64_t placed_address(const struct placed *placed, uint64_t address)
{
	const struct image *image = &placed->program->image;
	const struct image_section *section = placed->section_at ? image_where(image, address, 1) : NULL;

	if (section)
		return placed->section_at[section - image->sections] + (address - section->address);
	return cut(placed, address + placed->slide);
}

bool placed_physical(const struct program *program, uint64_t address, uint64_t *physical)
{
	GElf_Phdr segment;
	size_t count;
	size_t i;

	if (elf_getphdrnum(program->image.elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(program->image.elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
			address - segment.p_vaddr >= segment.p_memsz)
			continue;
		*physical = segment.p_paddr + (address - segment.p_vaddr);
		return true;
	}
	return false;
}

uint64_t placed_locate(const struct placed *placed, uint64_t address)
{
	uint64_t physical;

	if (placed->space == MEMORY_VIRTUAL)
		return placed_address(placed, address);
	return (placed_physical(placed->program, address, &physical) ? physical : address) + placed->load_slide;
}

/* Returns whether the program uses physical addresses in its pointers, like firmware without page tables. */
static bool is_identity(const struct placed *placed)
{
	const struct elf_section_copy *counters = &placed->program->section[BAREPROF_CNTS];
	uint64_t address = counters->size ? counters->address : placed->program->build_id_address;

	return placed->slide_known && placed_locate(placed, address) == placed_address(placed, address);
}

/* Finds the address of memory that a pointer of the program has. Memory beyond its segments may be anywhere. */
static enum status find_pointer(
	const struct placed *placed, uint64_t pointer, enum memory_space *space, uint64_t *found, struct error *error)
{
	uint64_t address = cut(placed, pointer - placed->slide);
	uint64_t unused;

	*space = placed->space;
	*found = cut(placed, pointer);
	if (placed->space == MEMORY_VIRTUAL)
		return STATUS_OK;
	if (placed->slide_known && placed_physical(placed->program, address, &unused)) {
		*found = placed_locate(placed, address);
		return STATUS_OK;
	}
	if (placed->memory->tables.format != PAGES_UNKNOWN)
		*space = MEMORY_VIRTUAL;
	else if (!is_identity(placed))
		return error_set(error, STATUS_INVALID_INPUT,
			"has a pointer to the virtual address 0x%" PRIx64
			", and its page tables are not known: give the registers of the CPU with --page-tables",
			*found);
	return STATUS_OK;
}

/* Finds the address of memory that the ELF file has at @address. */
static enum status find(
	const struct placed *placed, uint64_t address, enum memory_space *space, uint64_t *found, struct error *error)
{
	uint64_t unused;

	*space = placed->space;
	*found = placed_locate(placed, address);
	if (placed->space == MEMORY_VIRTUAL || placed_physical(placed->program, address, &unused))
		return STATUS_OK;
	return find_pointer(placed, placed_address(placed, address), space, found, error);
}

enum status placed_read(const struct placed *placed, uint64_t address, void *to, size_t size, struct error *error)
{
	enum memory_space space;
	uint64_t found;
	enum status status = find(placed, address, &space, &found, error);

	return status == STATUS_OK ? memory_read(placed->memory, space, found, to, size, error) : status;
}

enum status placed_write(
	const struct placed *placed, uint64_t address, const void *from, size_t size, struct error *error)
{
	enum memory_space space;
	uint64_t found;
	enum status status = find(placed, address, &space, &found, error);

	return status == STATUS_OK ? memory_write(placed->memory, space, found, from, size, error) : status;
}

enum status placed_follow(const struct placed *placed, uint64_t pointer, void *to, size_t size, struct error *error)
{
	enum memory_space space;
	uint64_t found;
	enum status status = find_pointer(placed, pointer, &space, &found, error);

	return status == STATUS_OK ? memory_read(placed->memory, space, found, to, size, error) : status;
}
