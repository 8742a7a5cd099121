/* SPDX-License-Identifier: BSD-2-Clause */
/* place_find.c - tries the likely places of a program, then searches, and chooses among the places that it found. */
#include "place_find.h"
#include "note.h"
#include "place_check.h"
#include "place_search.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>

/* Linux moves an x86_64 kernel by multiples of this, within the last GiB of the addresses for kernels. */
#define KASLR_STEP  (2ull << 20)
#define KASLR_STEPS 511u
#define KERNEL_HALF 0xffffffff80000000ull

/* All that one search needs, and the places that it found. */
struct finder {
	struct program *program;
	struct memory *memory;
	struct placed places[PLACES_MAX];
	size_t count;
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
	if (placed->proven && finder->count < PLACES_MAX && place_fits(placed))
		finder->places[finder->count++] = *placed;
	return STATUS_OK;
}

/* Tries the addresses to which Linux may have moved an x86_64 kernel. */
static enum status try_steps(struct finder *finder, struct error *error)
{
	const struct program *program = finder->program;
	struct placed placed = {.program = finder->program, .memory = finder->memory, .slide_known = true};
	enum status status = STATUS_OK;
	unsigned int i;

	if (program->image.machine != EM_X86_64 || program->build_id_address < KERNEL_HALF)
		return STATUS_OK;
	for (i = 1; i <= KASLR_STEPS && status == STATUS_OK && !finder->count; i++) {
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

/* Returns whether two places have the same counters. They may even be two addresses of the same memory. */
static bool count_alike(const struct placed *a, const struct placed *b)
{
	const struct elf_section_copy *section = &a->program->section[BAREPROF_CNTS];
	size_t size = section->size <= a->program->image.size ? section->size : 0;
	uint8_t *content = allocate(size + 1, 2);
	struct error unused;
	bool alike = size && placed_read(a, section->address, content, size, &unused) == STATUS_OK &&
	             placed_read(b, section->address, content + size, size, &unused) == STATUS_OK &&
	             !memcmp(content, content + size, size);

	free(content);
	return alike;
}

/* Returns whether a loader moved the pointers of the program to this place. It does so where the program will run. */
static bool was_moved(const struct placed *placed)
{
	return placed->slide_known && placed->slide;
}

static enum status refuse_two(const struct placed *a, const struct placed *b, struct error *error)
{
	uint64_t address = a->program->build_id_address;

	return error_set(error, STATUS_INVALID_INPUT,
		"has the program %s twice, with its build id at 0x%" PRIx64 " and at 0x%" PRIx64
		", and with different counters: tell which of them is running with --slide 0x%" PRIx64
		" or --slide 0x%" PRIx64,
		a->program->path, placed_locate(a, address), placed_locate(b, address),
		a->space == MEMORY_VIRTUAL ? a->slide : a->load_slide,
		b->space == MEMORY_VIRTUAL ? b->slide : b->load_slide);
}

/*
 * Chooses one of the places. A copy that a loader left has no counts, or it has the pointers of the ELF file, while those
 * of the running program were moved. Never takes one of two places that are equally likely.
 */
static enum status choose(const struct finder *finder, struct placed *placed, struct error *error)
{
	const struct placed *best = &finder->places[0];
	bool counts = place_counts(best);
	size_t i;

	for (i = 1; i < finder->count; i++) {
		const struct placed *place = &finder->places[i];

		if (!place_counts(place) || count_alike(best, place))
			continue;
		if (counts && was_moved(place) == was_moved(best))
			return refuse_two(best, place, error);
		if (!counts || was_moved(place))
			best = place;
		counts = true;
	}
	*placed = *best;
	for (i = 0; i < finder->count; i++)
		placed->copies += best != &finder->places[i] && !count_alike(best, &finder->places[i]);
	return STATUS_OK;
}

/* Searches everywhere. @error has the reason why the program is not at its addresses. */
static enum status search_all(struct finder *finder, struct placed *placed, struct error *error)
{
	struct error reason = *error;
	enum status status = try_steps(finder, error);

	/* Physical memory first: a kernel maps the same memory at several virtual addresses. */
	if (status == STATUS_OK && !finder->count)
		status = search_space(finder, MEMORY_PHYSICAL, error);
	if (status == STATUS_OK && !finder->count)
		status = search_space(finder, MEMORY_VIRTUAL, error);
	if (status != STATUS_OK)
		return status;
	if (finder->count)
		return choose(finder, placed, error);
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

enum status place_find(struct placed *placed, struct memory *memory, struct program *program,
	const struct place_hints *hints, struct error *error)
{
	struct finder finder = {.program = program, .memory = memory};
	bool search = has_build_id(program) && !hints->slide_given;
	enum status status;
	bool found;

	*placed = (struct placed){.program = program, .memory = memory, .slide = hints->slide, .slide_known = true};
	status = try_place(placed, error);
	found = status == STATUS_OK;
	if (status == STATUS_INVALID_INPUT && try_physical(placed, hints->slide))
		found = true;
	if (status == STATUS_SYSTEM || (found && (!search || !moves_itself(program, memory))))
		return found ? STATUS_OK : status;
	return search ? search_all(&finder, placed, error) : status;
}
