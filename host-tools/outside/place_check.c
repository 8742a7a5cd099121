/* SPDX-License-Identifier: BSD-2-Clause */
/* place_check.c - compares build id, names and records with those in the ELF file. */
#include "place_check.h"
#include "record_table.h"

#include <stdlib.h>

/*
 * The bytes of names and of records to compare where reading is slow. A stub on a serial line takes minutes to send all
 * records of a kernel, and the build id has already been found where the program may run.
 */
#define SLOW_PART 16384u

enum status place_has_build_id(const struct placed *placed, bool *same, struct error *error)
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

/* Reads at most @size bytes of @section at @placed. Returns false if the memory is not there. */
static bool read_section(
	const struct placed *placed, const struct elf_section_copy *section, uint64_t size, struct buffer *out)
{
	struct error unused;

	/* Do not trust the size further than the file. */
	if (section->size > placed->program->image.size)
		return false;
	out->size = 0;
	buffer_exactly(out, section->size < size ? section->size : size);
	out->size = section->size < size ? section->size : size;
	return placed_read(placed, section->address, out->data, out->size, &unused) == STATUS_OK;
}

/* Returns the size of a record, or 0 if the records cannot be read. */
static size_t record_size(struct program *program, unsigned int *version)
{
	const struct record_table *table;
	struct error unused;

	if (program_records(program, 0, &table, &unused) != STATUS_OK)
		return 0;
	*version = (unsigned int)(table->version_word & BAREPROF_VERSION_NUMBER);
	return BAREPROF_RECORD_SIZE(*version, program->image.width);
}

/* Returns whether the records have a pointer at offset @offset that a loader moves with the program. */
static bool is_pointer(size_t offset, size_t size, unsigned int version, unsigned int width)
{
	size_t field = size ? offset % size : 0;

	return size && (field == BAREPROF_RECORD_FUNCTION_PTR(version, width) ||
			       field == BAREPROF_RECORD_VALUES_PTR(version, width));
}

/* Returns whether the records have a pointer at offset @offset that is relative to the record. */
static bool is_relative(size_t offset, size_t size, unsigned int version, unsigned int width)
{
	size_t field = size ? offset % size : 0;

	return size && BAREPROF_RECORD_RELATIVE(version) &&
	       (field == BAREPROF_RECORD_COUNTER_PTR ||
		       (version >= 9 && field == BAREPROF_RECORD_BITMAP_PTR(version, width)));
}

/*
 * Compares the records in memory with those of the ELF file, word by word. All words that differ are pointers, so they
 * must differ by one distance. A word that is 0 in the file is a pointer that the program itself sets later.
 * Relative pointers do not move, but the runtime changes those of weak duplicates.
 */
static bool records_fit(struct placed *placed, struct bytes memory)
{
	struct program *program = placed->program;
	struct bytes file = program->section[BAREPROF_DATA].content;
	unsigned int width = program->image.width;
	unsigned int version = 0;
	size_t size = record_size(program, &version);
	uint64_t slide = 0;
	bool known = false;
	size_t i;

	for (i = 0; i + width <= file.size && i + width <= memory.size; i += width) {
		uint64_t old = load_uint(file.data + i, width, program->image.big);
		uint64_t moved = load_uint(memory.data + i, width, program->image.big) - old;

		moved = width == 4 ? (uint32_t)moved : moved;
		if (!old || (!moved && !is_pointer(i, size, version, width)) || is_relative(i, size, version, width))
			continue;
		if (known && moved != slide)
			return false;
		slide = moved;
		known = true;
	}
	if (!known)
		return true;
	if (placed->slide_known && slide != (width == 4 ? (uint32_t)placed->slide : placed->slide))
		return false;
	placed->slide = slide;
	placed->slide_known = true;
	return true;
}

bool place_fits(struct placed *placed)
{
	const struct elf_section_copy *names = &placed->program->section[BAREPROF_NAMES];
	const struct elf_section_copy *records = &placed->program->section[BAREPROF_DATA];
	/* If the distance is not known, any of the records may tell it. */
	uint64_t most = placed->memory->source->window || !placed->slide_known ? UINT64_MAX : SLOW_PART;
	struct buffer content = {0};
	bool fits = true;

	if (names->moves && names->content.size == names->size && read_section(placed, names, most, &content))
		fits = !content.size || !memcmp(content.data, names->content.data, content.size);
	if (fits && records->moves && read_section(placed, records, most, &content))
		fits = records_fit(placed, (struct bytes){content.data, content.size});
	buffer_free(&content);
	return fits;
}

bool place_counts(const struct placed *placed)
{
	struct buffer content = {0};
	bool counts = read_section(placed, &placed->program->section[BAREPROF_CNTS], UINT64_MAX, &content) &&
	              !bytes_are_zero((struct bytes){content.data, content.size});

	buffer_free(&content);
	return counts;
}
