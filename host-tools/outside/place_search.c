/* SPDX-License-Identifier: BSD-2-Clause */
/* place_search.c - looks at one address in each page of all memory, and reads the memory in large windows. */
#include "place_search.h"

#include <stdlib.h>

/* The distance of two addresses that are compared. */
#define STEP 4096u
/* A note at the end of a part may go on in another part. So many bytes of it are enough, because the caller compares all. */
#define HEAD 16u

/* Compares the memory of @window, whose first byte is at @address. */
static void compare(struct place_search *search, struct bytes window, uint64_t address, struct bytes note)
{
	size_t i;

	for (i = 0; i < window.size && search->count < PLACES_MAX; i += STEP) {
		size_t left = window.size - i;
		size_t size = left < note.size ? left : note.size;

		if (size >= HEAD && !memcmp(window.data + i, note.data, size))
			search->address[search->count++] = address + i;
	}
}

enum status place_search(struct place_search *search, struct memory *memory, enum memory_space space, struct bytes note,
	uint64_t linked, struct error *error)
{
	size_t most = memory->source->window ? memory->source->window : note.size;
	size_t stride = memory->source->window ? memory->source->window : STEP;
	struct memory_part part = {0};
	uint8_t *window = allocate(most, 1);
	enum status status = STATUS_OK;

	while (status != STATUS_SYSTEM && search->count < PLACES_MAX && memory_next(memory, space, &part)) {
		uint64_t offset = (linked - part.address) % STEP;

		search->searched += part.size;
		for (; offset < part.size && search->count < PLACES_MAX && status != STATUS_SYSTEM; offset += stride) {
			size_t size = part.size - offset < most ? (size_t)(part.size - offset) : most;

			status = memory->source->read(memory, space, part.address + offset, window, size, error);
			if (status == STATUS_OK)
				compare(search, (struct bytes){window, size}, part.address + offset, note);
		}
	}
	free(window);
	return status == STATUS_SYSTEM ? status : STATUS_OK;
}
