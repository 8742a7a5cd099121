/* SPDX-License-Identifier: BSD-2-Clause */
/* outside_capture.c - reads the sections that a run changes, and writes them as a capture. */
#include "outside_capture.h"
#include "capture_write.h"

#include <bareprof/wire.h>
#include <inttypes.h>

/* The largest build id in bytes. Linkers make at most 20. */
#define BUILD_ID_MAX 64u

struct begin outside_begin(const struct placed *placed)
{
	const struct program *program = placed->program;

	return (struct begin){.width = (uint8_t)program->image.width,
		.order = program->image.big ? BAREPROF_ORDER_BIG : BAREPROF_ORDER_LITTLE,
		.id = {program->build_id.data, program->build_id.size}};
}

enum status outside_check_size(const struct placed *placed, uint64_t size, struct error *error)
{
	/* The section has memory on the target, so it is no larger than the address space. Do not trust it further. */
	if (size <= placed->program->image.size)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"cannot be read: the ELF file %s claims %" PRIu64 " bytes of counters, more than the file has",
		placed->program->path, size);
}

enum status outside_section(
	struct buffer *out, const struct placed *placed, uint64_t address, uint64_t size, struct error *error)
{
	enum status status = outside_check_size(placed, size, error);

	if (status != STATUS_OK)
		return status;
	buffer_exactly(out, size);
	status = placed_read(placed, address, out->data, size, error);
	out->size = status == STATUS_OK ? size : 0;
	return status;
}

static enum status read_section(
	struct buffer *out, const struct placed *placed, enum bareprof_section which, struct error *error)
{
	const struct elf_section_copy *section = &placed->program->section[which];

	return outside_section(out, placed, section->address, section->size, error);
}

/* The linker fragment has the bounds of the build id. */
static enum status read_build_id(struct placed *placed, struct error *error)
{
	struct program *program = placed->program;
	const struct image_symbol *start = image_bound(&program->image, BOUNDS_OURS, "bareprof_build_id", false);
	const struct image_symbol *stop = image_bound(&program->image, BOUNDS_OURS, "bareprof_build_id", true);

	if (!start || !stop || stop->value - start->value - 1 >= BUILD_ID_MAX)
		return STATUS_OK;
	program->build_id_address = start->value;
	program->build_id_loaded = true;
	return outside_section(&program->build_id, placed, start->value, stop->value - start->value, error);
}

enum status outside_records(struct placed *placed, struct error *error)
{
	struct buffer records = {0};
	struct buffer names = {0};
	enum status status = read_section(&records, placed, BAREPROF_DATA, error);

	if (status == STATUS_OK)
		status = read_section(&names, placed, BAREPROF_NAMES, error);
	if (status == STATUS_OK)
		status = read_build_id(placed, error);
	if (status == STATUS_OK)
		status = program_fill(placed->program, &records, &names, error);
	buffer_free(&records);
	buffer_free(&names);
	return status;
}

struct buffer *outside_add(struct outside_dump *dump, uint8_t number)
{
	dump->number[dump->count] = number;
	return &dump->content[dump->count++];
}

enum status outside_counters(struct outside_dump *dump, const struct placed *placed, struct error *error)
{
	const struct program *program = placed->program;
	struct buffer counts = {0};
	struct buffer pairs = {0};
	enum status status;

	if (!program->section[BAREPROF_CNTS].size)
		return STATUS_OK;
	dump->begin = outside_begin(placed);
	dump->begin.version = program->declared;
	dump->begin.address = placed_address(placed, program->section[BAREPROF_CNTS].address);
	status = read_section(outside_add(dump, BAREPROF_STREAM_COUNTERS), placed, BAREPROF_CNTS, error);
	if (status == STATUS_OK && program->section[BAREPROF_BITS].size)
		status = read_section(outside_add(dump, BAREPROF_STREAM_BITMAP), placed, BAREPROF_BITS, error);
	if (status == STATUS_OK)
		status = outside_values(placed, &counts, &pairs, error);
	if (status == STATUS_OK && counts.size) {
		*outside_add(dump, BAREPROF_STREAM_SITES) = counts;
		*outside_add(dump, BAREPROF_STREAM_VALUES) = pairs;
		return STATUS_OK;
	}
	buffer_free(&counts);
	buffer_free(&pairs);
	return status;
}

void outside_write(struct buffer *out, const struct outside_dump *dump)
{
	struct capture_stream streams[OUTSIDE_STREAMS];
	size_t i;

	for (i = 0; i < dump->count; i++)
		streams[i] = (struct capture_stream){dump->number[i], {dump->content[i].data, dump->content[i].size}};
	if (dump->count)
		capture_write(out, &dump->begin, streams, dump->count);
}

void outside_free(struct outside_dump *dump)
{
	size_t i;

	for (i = 0; i < dump->count; i++)
		buffer_free(&dump->content[i]);
	*dump = (struct outside_dump){0};
}
