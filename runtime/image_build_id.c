/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image_build_id.c - finds the bytes of the build id in an ELF note.
 */
#include <bareprof/bareprof.h>

/* The note consists of 32-bit words: the size of the name, the size of the id, the type, the name "GNU", the id. */
#define NOTE_HEADER 16u
#define NOTE_TYPE   3u

int bareprof_build_id(struct bareprof_image *image, const void *note, uint32_t size)
{
	const uint32_t *word = note;
	struct bareprof_slice *id = &image->section[BAREPROF_BUILD_ID];

	id->size = 0;
	if (!size)
		return BAREPROF_OK;
	if ((uintptr_t)note & 3 || size <= NOTE_HEADER || word[0] != 4 || word[2] != NOTE_TYPE ||
		word[1] != size - NOTE_HEADER)
		return BAREPROF_E_BUILD_ID;
	id->start = word + 4;
	id->size = word[1];
	return BAREPROF_OK;
}
