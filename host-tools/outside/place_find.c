/* SPDX-License-Identifier: BSD-2-Clause */
/* place_find.c - tries the likely places of a program, then searches, and chooses among the places that it found. */
#include "place_find.h"
#include "note.h"
#include "page_registers.h"
#include "place_check.h"
#include "place_choose.h"
#include "place_search.h"
#include "place_tables.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>

/* All that one search needs, and the places that it found. */
struct finder {
	struct program *program;
	struct memory *memory;
	struct places places;
	uint64_t searched; /* bytes */
};

static bool has_build_id(const struct program *program)
{
	return program->build_id.size && program->build_id_loaded;
}

/* Reads what should be at @placed. Errors: INVALID_INPUT (it is not there), SYSTEM. */
static enum status try_place(struct placed *placed, struct error *error)
{
	const struct program *program = placed->program;
	bool same = true;
	uint8_t byte;
	enum status status;

	if (has_build_id(program)) {
		status = place_has_build_id(placed, &same, error);
		placed->proven = same;
	} else {
		status = placed_read(placed, program->section[BAREPROF_CNTS].address, &byte, 1, error);
	}
	if (status != STATUS_OK || same)
		return status;
	return error_set(error, STATUS_INVALID_INPUT,
		"has another build id at 0x%" PRIx64 " than the ELF file %s: give the ELF file of the program that is "
		"running, or if the program was moved, its distance with --slide",
		placed_locate(placed, program->build_id_address), program->path);
}

/*
 * Returns the distance of physical and virtual address of the counters, if the build id has the same one. Where it has
 * not, a loader copies a part of the program to another place before it runs, and physical addresses of the ELF file do
 * not say where the counters are.
 */
static bool find_load(const struct program *program, uint64_t *distance)
{
	const struct elf_section_copy *section = &program->section[BAREPROF_CNTS];
	uint64_t address = section->size ? section->address : program->build_id_address;
	uint64_t counters;
	uint64_t id;

	if (!placed_physical(program, address, &counters))
		return false;
	*distance = counters - address;
	return !has_build_id(program) || (placed_physical(program, program->build_id_address, &id) &&
						 id - program->build_id_address == *distance);
}

/* Adds a place to the list if it fits. */
static enum status add_place(struct finder *finder, struct placed *placed, struct error *error)
{
	bool same;
	enum status status = place_has_build_id(placed, &same, error);

	if (status == STATUS_SYSTEM)
		return status;
	placed->proven = status == STATUS_OK && same;
	if (placed->proven && finder->places.count < PLACES_MAX && place_fits(placed))
		finder->places.list[finder->places.count++] = *placed;
	return STATUS_OK;
}

/* Tries the addresses to which Linux may have moved a kernel. */
static enum status try_steps(struct finder *finder, struct error *error)
{
	struct placed placed = {.program = finder->program, .memory = finder->memory, .slide_known = true};
	enum status status = STATUS_OK;
	unsigned int i;

	if (place_kernel_offset(finder->memory, &placed.slide))
		status = add_place(finder, &placed, error);
	if (status == STATUS_OK && !finder->places.count && place_is_x86_kernel(finder->program) &&
		place_kernel_load(finder->memory, &placed.load_slide)) {
		placed.space = MEMORY_PHYSICAL;
		status = add_place(finder, &placed, error);
		placed.space = MEMORY_VIRTUAL;
	}
	for (i = 1; i <= KASLR_STEPS && place_is_x86_kernel(finder->program); i++) {
		if (status != STATUS_OK || finder->places.count)
			break;
		placed.slide = i * KASLR_STEP;
		status = add_place(finder, &placed, error);
	}
	return status;
}

/* Searches all memory of @space. */
static enum status search_space(struct finder *finder, enum memory_space space, struct error *error)
{
	struct program *program = finder->program;
	struct place_search search = {{0}, 0, 0};
	struct buffer note = {0};
	enum status status;
	uint64_t distance;
	uint64_t linked;
	size_t i;

	if (space == MEMORY_PHYSICAL && !find_load(program, &distance))
		return STATUS_OK;
	note_build_id((struct bytes){program->build_id.data, program->build_id.size}, program->image.big, &note);
	linked = program->build_id_address - (note.size - program->build_id.size) +
	         (space == MEMORY_PHYSICAL ? distance : 0);
	status = place_search(&search, finder->memory, space, (struct bytes){note.data, note.size}, linked, error);
	buffer_free(&note);
	finder->searched += search.searched;
	for (i = 0; i < search.count && status == STATUS_OK; i++) {
		struct placed placed = {.program = program, .memory = finder->memory, .space = space};

		if (space == MEMORY_PHYSICAL)
			placed.load_slide = search.address[i] - linked;
		else
			placed.slide = search.address[i] - linked;
		placed.slide_known = space == MEMORY_VIRTUAL;
		status = add_place(finder, &placed, error);
	}
	return status;
}

/* Searches everywhere. @error has the reason why the program is not at its addresses. */
static enum status search_all(struct finder *finder, struct placed *placed, struct error *error)
{
	struct error reason = *error;
	enum status status = try_steps(finder, error);

	/* Physical memory first: a kernel maps the same memory at several virtual addresses. */
	if (status == STATUS_OK && !finder->places.count)
		status = search_space(finder, MEMORY_PHYSICAL, error);
	if (status == STATUS_OK && !finder->places.count)
		status = search_space(finder, MEMORY_VIRTUAL, error);
	if (status != STATUS_OK)
		return status;
	if (finder->places.count)
		return place_choose(placed, &finder->places, error);
	*error = reason;
	if (!finder->searched)
		return STATUS_INVALID_INPUT;
	return error_set(error, STATUS_INVALID_INPUT,
		"%s; its build id is neither at the physical addresses in the ELF file, nor elsewhere in the %" PRIu64
		" KiB of memory that bareprof searched",
		reason.text, finder->searched >> 10);
}

/* Tries the physical addresses in the ELF file. The program may still run at other virtual addresses. */
static bool try_physical(struct placed *placed, uint64_t slide)
{
	struct error unused;
	uint64_t distance;

	placed->space = MEMORY_PHYSICAL;
	placed->load_slide = slide;
	placed->slide_known = false;
	if (!find_load(placed->program, &distance) || try_place(placed, &unused) != STATUS_OK || !place_fits(placed))
		return false;
	placed->slide = placed->slide_known ? placed->slide : slide;
	return placed->slide_known = true;
}

/*
 * Returns whether the program may have left a copy of itself where it was linked, as boot loaders do, and the memory can
 * be searched quickly.
 */
static bool moves_itself(const struct program *program, const struct memory *memory)
{
	GElf_Ehdr header;

	return memory->source->window && gelf_getehdr(program->image.elf, &header) && header.e_type == ET_DYN;
}

/* Takes the page tables of @hints for all programs. */
static enum status take_tables(
	struct memory *memory, const struct program *program, const struct place_hints *hints, struct error *error)
{
	struct page_tables tables;
	enum status status;

	if (!hints->tables || memory->tables.format != PAGES_UNKNOWN)
		return STATUS_OK;
	status = page_registers(&tables, hints->tables, program->image.machine, program->image.big, error);
	if (status == STATUS_OK)
		memory_translate(memory, &tables);
	return status;
}

/*
 * Tries the link addresses as physical addresses. They are the same on a machine without page tables, where the physical
 * addresses in the ELF file can be those in ROM, from which data was copied to RAM.
 */
static bool try_identity(struct placed *placed)
{
	static const struct page_tables identity = {.format = PAGES_OFFSET};
	static const struct page_tables none = {0};
	struct memory *memory = placed->memory;
	struct error unused;

	if (memory->tables.format != PAGES_UNKNOWN || !has_build_id(placed->program) ||
		moves_itself(placed->program, memory))
		return false;
	memory_translate(memory, &identity);
	if (try_place(placed, &unused) == STATUS_OK && place_fits(placed))
		return true;
	memory_translate(memory, &none);
	return false;
}

static enum status find_place(struct placed *placed, const struct place_hints *hints, struct error *error)
{
	struct finder finder = {.program = placed->program, .memory = placed->memory};
	bool search = has_build_id(placed->program) && !hints->slide_given;
	enum status status = try_place(placed, error);
	bool found = status == STATUS_OK;

	if (status == STATUS_INVALID_INPUT && (try_identity(placed) || try_physical(placed, hints->slide)))
		found = true;
	if (status == STATUS_SYSTEM || (found && (!search || !moves_itself(finder.program, finder.memory))))
		return found ? STATUS_OK : status;
	return search ? search_all(&finder, placed, error) : status;
}

/* Compares a physical place with the page tables, or looks for tables if there are none. */
static enum status check_tables(struct placed *placed, struct error *error)
{
	if (placed->space != MEMORY_PHYSICAL || !placed->proven)
		return STATUS_OK;
	if (placed->memory->tables.format == PAGES_UNKNOWN)
		place_tables(placed);
	else if (placed->slide_known && !place_is_mapped(placed))
		return error_set(error, STATUS_INVALID_INPUT,
			"has the program %s with its build id at the physical address 0x%" PRIx64
			", but the page tables do not map it: check the registers in --page-tables",
			placed->program->path, placed_locate(placed, placed->program->build_id_address));
	return STATUS_OK;
}

enum status place_find(struct placed *placed, struct memory *memory, struct program *program,
	const struct place_hints *hints, struct error *error)
{
	enum status status = take_tables(memory, program, hints, error);

	*placed = (struct placed){.program = program, .memory = memory, .slide = hints->slide, .slide_known = true};
	if (status == STATUS_OK)
		status = find_place(placed, hints, error);
	return status == STATUS_OK ? check_tables(placed, error) : status;
}
