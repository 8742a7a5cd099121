/* SPDX-License-Identifier: BSD-2-Clause */
/* outside_capture.c - reads the sections that a run changes, and writes them as a capture. */
#include "outside_capture.h"
#include "capture_write.h"

#include <bareprof/wire.h>
#include <inttypes.h>

struct begin outside_begin(const struct placed *placed)
{
	const struct program *program = placed->program;

	return (struct begin){.width = (uint8_t)program->image.width,
		.order = program->image.big ? BAREPROF_ORDER_BIG : BAREPROF_ORDER_LITTLE,
		.id = {program->build_id.data, program->build_id.size}};
}

enum status outside_section(
	struct buffer *out, const struct placed *placed, uint64_t address, uint64_t size, struct error *error)
{
	enum status status;

	/* The section has memory on the target, so it is no larger than the address space. Do not trust it further. */
	if (size > placed->program->image.size)
		return error_set(error, STATUS_INVALID_INPUT,
			"cannot be read: the ELF file %s claims %" PRIu64 " bytes of counters, more than the file has",
			placed->program->path, size);
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

enum status outside_capture(struct buffer *out, const struct placed *placed, struct error *error)
{
	const struct program *program = placed->program;
	struct begin begin = outside_begin(placed);
	struct buffer counters = {0};
	struct buffer bitmap = {0};
	struct buffer counts = {0};
	struct buffer pairs = {0};
	struct capture_stream streams[4];
	enum status status;
	size_t n = 0;

	if (!program->section[BAREPROF_CNTS].size)
		return error_set(error, STATUS_INVALID_INPUT,
			"has no counters: the ELF file %s has no section __llvm_prf_cnts", program->path);
	status = read_section(&counters, placed, BAREPROF_CNTS, error);
	if (status == STATUS_OK)
		status = read_section(&bitmap, placed, BAREPROF_BITS, error);
	if (status == STATUS_OK)
		status = outside_values(placed, &counts, &pairs, error);
	if (status == STATUS_OK) {
		begin.version = program->declared;
		begin.address = placed_address(placed, program->section[BAREPROF_CNTS].address);
		streams[n++] = (struct capture_stream){BAREPROF_STREAM_COUNTERS, {counters.data, counters.size}};
		if (bitmap.size)
			streams[n++] = (struct capture_stream){BAREPROF_STREAM_BITMAP, {bitmap.data, bitmap.size}};
		if (counts.size) {
			streams[n++] = (struct capture_stream){BAREPROF_STREAM_SITES, {counts.data, counts.size}};
			streams[n++] = (struct capture_stream){BAREPROF_STREAM_VALUES, {pairs.data, pairs.size}};
		}
		capture_write(out, &begin, streams, n);
	}
	buffer_free(&counters);
	buffer_free(&bitmap);
	buffer_free(&counts);
	buffer_free(&pairs);
	return status;
}
