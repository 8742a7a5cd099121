/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * place_choose.c - compares places by what a copy cannot have: page tables that map it, counts, and pointers that were
 * moved.
 */
#include "place_choose.h"
#include "place_check.h"
#include "place_tables.h"

#include <inttypes.h>
#include <stdlib.h>

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
 * Removes places that page tables do not map, if they map one. So a copy without tables of its own goes. Two places may
 * both have tables, as after kexec.
 */
static void prefer_mapped(struct places *places)
{
	static const struct page_tables none = {0};
	struct placed mapped[PLACES_MAX];
	size_t count = 0;
	size_t i;

	if (places->count < 2 || places->list[0].memory->tables.format != PAGES_UNKNOWN)
		return;
	for (i = 0; i < places->count; i++) {
		struct placed place = places->list[i];

		if (place.space == MEMORY_PHYSICAL && place_tables(&place))
			mapped[count++] = place;
		memory_translate(place.memory, &none);
	}
	if (!count)
		return;
	places->dropped = (unsigned int)(places->count - count);
	places->count = count;
	memcpy(places->list, mapped, count * sizeof(*mapped));
}

/* Chooses one of the places, never one of two that are equally likely. */
static enum status choose(struct placed *placed, const struct places *places, struct error *error)
{
	const struct placed *best = &places->list[0];
	bool counts = places->count > 1 && place_counts(best);
	size_t i;

	for (i = 1; i < places->count; i++) {
		const struct placed *place = &places->list[i];

		if (!place_counts(place) || count_alike(best, place))
			continue;
		if (counts && was_moved(place) == was_moved(best))
			return refuse_two(best, place, error);
		if (!counts || was_moved(place))
			best = place;
		counts = true;
	}
	*placed = *best;
	placed->copies = places->dropped;
	for (i = 0; i < places->count; i++)
		placed->copies += best != &places->list[i] && !count_alike(best, &places->list[i]);
	return STATUS_OK;
}

enum status place_choose(struct placed *placed, struct places *places, struct error *error)
{
	prefer_mapped(places);
	return choose(placed, places, error);
}
