/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_check.c - what the capture says of the program, held against the ELF file
 * before anything is made of it.
 */
#include "raw_release.h"
#include "rebuild_state.h"

#include <bareprof/wire.h>
#include <inttypes.h>

/* The address in BEGIN says how far it was moved; a module lies where it was put, in pieces. */
static enum status find_slide(struct rebuild *rebuild)
{
	const struct program *program = rebuild->program;
	const struct elf_section_copy *counters = &program->section[BAREPROF_CNTS];
	uint64_t alignment = counters->alignment ? counters->alignment : 1;

	if (program->image.module)
		return STATUS_OK;
	rebuild->slide = (rebuild->begin->address - counters->address) & rebuild_mask(rebuild);
	if (rebuild->slide % alignment == 0)
		return STATUS_OK;
	return error_set(rebuild->error, STATUS_INVALID_INPUT,
		"says that its counters were at 0x%" PRIx64
		", where the section of the ELF file %s, linked to 0x%" PRIx64 " and aligned to %" PRIu64
		", cannot have been: is it the program that was run?",
		rebuild->begin->address, program->path, counters->address, alignment);
}

/* Sizes as the ELF file has them, before anything is made of their size. */
static enum status check_sizes(struct rebuild *rebuild)
{
	const struct begin *begin = rebuild->begin;
	const struct program *program = rebuild->program;
	uint64_t counters = streams_size(&begin->streams, BAREPROF_STREAM_COUNTERS);
	uint64_t bitmap = streams_size(&begin->streams, BAREPROF_STREAM_BITMAP);
	const struct elf_section_copy *section = program->section;
	enum status status = program_fits(program, begin->width, rebuild->big, counters, rebuild->error);

	if (status != STATUS_OK || (counters == section[BAREPROF_CNTS].size && bitmap == section[BAREPROF_BITS].size))
		return status;
	return error_set(rebuild->error, STATUS_INVALID_INPUT,
		"has %" PRIu64 " bytes of counters and %" PRIu64 " of bitmaps, the sections of the ELF file %s have "
		"%" PRIu64 " and %" PRIu64 ": is it the program that was run?",
		counters, bitmap, program->path, section[BAREPROF_CNTS].size, section[BAREPROF_BITS].size);
}

/* Of each site that the records have it is told how many values it has; of none, if the target knows of none. */
static enum status check_sites(const struct rebuild *rebuild)
{
	const struct program *program = rebuild->program;
	const struct stream *told = streams_find(&rebuild->begin->streams, BAREPROF_STREAM_SITES);
	/* Of these the target has no records. */
	uint64_t sites = program->correlated ? 0 : rebuild->table->sites;

	if (told && told->size != sites)
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"tells of %" PRIu64 " value sites, the records in the ELF file %s have %" PRIu64
			": is it the program that was run?",
			told->size, program->path, sites);
	/* At each there is a call in the code. So what is made is bounded by what was given. */
	if (!told && sites > program->image.size)
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"cannot be completed: the records in the ELF file %s claim %" PRIu64
			" value sites, more than there can be in %" PRIu64 " bytes; 'bareprof check' says more",
			program->path, sites, program->image.size);
	return STATUS_OK;
}

/* The version of what is made, and the functions that are in it. */
static enum status find_records(struct rebuild *rebuild)
{
	struct program *program = rebuild->program;
	uint64_t word = rebuild->begin->version;
	enum status status;

	/* Debug information does not tell the version. */
	if (word & BAREPROF_VARIANT_DEBUG_CORRELATE && !(word & BAREPROF_VERSION_NUMBER))
		word |= program->declared & BAREPROF_VERSION_NUMBER;
	status = program_records(program, word, &rebuild->table, rebuild->error);
	if (status != STATUS_OK)
		return status;
	rebuild->version_word = rebuild->table->version_word & ~BAREPROF_VARIANT_DEBUG_CORRELATE;
	if (!raw_release(rebuild->version_word & BAREPROF_VERSION_NUMBER))
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"cannot be completed: neither it nor the ELF file %s says of which raw version it is",
			program->path);
	return check_sites(rebuild);
}

enum status rebuild_check(struct rebuild *rebuild)
{
	enum status status = check_sizes(rebuild);

	if (status == STATUS_OK)
		status = find_slide(rebuild);
	return status == STATUS_OK ? find_records(rebuild) : status;
}
