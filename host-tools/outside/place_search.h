/* SPDX-License-Identifier: BSD-2-Clause */
/* place_search.h - searches memory for a note. */
#ifndef BAREPROF_HOST_PLACE_SEARCH_H
#define BAREPROF_HOST_PLACE_SEARCH_H

#include "memory.h"

/* More copies of a program than any memory has. */
#define PLACES_MAX 16u

/* The result of a search. Starts as all zeros. */
struct place_search {
	uint64_t address[PLACES_MAX]; /* where the note is */
	size_t count;
	uint64_t searched; /* bytes of memory */
};

/*
 * place_search - searches all memory of @space for @note. A loader moves programs by whole pages of 4 KiB, so only
 * addresses that equal @linked modulo 4096 are compared. Ends when PLACES_MAX notes were found. Memory that cannot be
 * read, and that the source says it has, is left out. Errors: SYSTEM.
 */
enum status place_search(struct place_search *search, struct memory *memory, enum memory_space space, struct bytes note,
	uint64_t linked, struct error *error);

#endif
