/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_check.c - checks that a capture and an ELF file belong together, before the profile is rebuilt. A capture
 * contains the sizes of sections and the address of the counters, which must fit the ELF file.
 */
#include "raw_release.h"
#include "rebuild_state.h"

#include <bareprof/wire.h>
#include <inttypes.h>

/*
 * Computes the distance between the addresses at run time and the addresses to which the image was linked. BEGIN
 * contains the address of the counters at run time. A module has no such distance, because each of its sections is
 * placed separately.
 */
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
		"had its counters at 0x%" PRIx64 ", but in the ELF file %s they are at 0x%" PRIx64
		"; no loader moves them by this distance, because it is no multiple of their alignment, %" PRIu64
		"; give the ELF file of the program that was run",
		rebuild->begin->address, program->path, counters->address, alignment);
}

/*
 * Compares the sizes in BEGIN with the sizes in the ELF file. Memory of these sizes is allocated
 * only after this check.
 */
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
		"has %" PRIu64 " bytes of counters and %" PRIu64
		" of bitmaps, but the sections of the ELF file %s have "
		"%" PRIu64 " and %" PRIu64 "; give the ELF file of the program that was run",
		counters, bitmap, program->path, section[BAREPROF_CNTS].size, section[BAREPROF_BITS].size);
}

/*
 * Checks the size of the stream of value sites. This stream has one byte for each value site in the
 * records: the number of values of that site. A target that does not record values does not send
 * this stream.
 */
static enum status check_sites(const struct rebuild *rebuild)
{
	const struct program *program = rebuild->program;
	const struct stream *told = streams_find(&rebuild->begin->streams, BAREPROF_STREAM_SITES);
	/* If the records are not loaded, the target cannot record values, so the capture must have no value sites. */
	uint64_t sites = program->correlated ? 0 : rebuild->table->sites;

	if (told && told->size != sites)
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"has %" PRIu64 " value sites, but the records in the ELF file %s have %" PRIu64
			"; give the ELF file of the program that was run",
			told->size, program->path, sites);
	/*
	 * Each value site belongs to an instruction in the file, so a file cannot have more value
	 * sites than bytes. This check limits the size of the result.
	 */
	if (!told && sites > program->image.size)
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"cannot be completed: the records in the ELF file %s claim %" PRIu64
			" value sites, more than a file of %" PRIu64
			" bytes can have; run 'bareprof check' on that file",
			program->path, sites, program->image.size);
	return STATUS_OK;
}

/* Finds the raw version of the profile that is rebuilt, and the records of its functions. */
static enum status find_records(struct rebuild *rebuild)
{
	struct program *program = rebuild->program;
	uint64_t word = rebuild->begin->version;
	enum status status;

	/* Debug information does not contain a raw version, so the version that the image declares is used. */
	if (word & BAREPROF_VARIANT_DEBUG_CORRELATE && !(word & BAREPROF_VERSION_NUMBER))
		word |= program->declared & BAREPROF_VERSION_NUMBER;
	status = program_records(program, word, &rebuild->table, rebuild->error);
	if (status != STATUS_OK)
		return status;
	if (!rebuild->completion->nameless && program_named(program, rebuild->table, rebuild->error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	if (rebuild->table->nameless && rebuild->completion->report)
		buffer_add_clause(&rebuild->completion->report->warning,
			"bareprof cannot read this profile, because " PROGRAM_NAMELESS, rebuild->table->nameless,
			rebuild->table->count, program->path);
	rebuild->version_word = rebuild->table->version_word & ~BAREPROF_VARIANT_DEBUG_CORRELATE;
	if (!raw_release(rebuild->version_word & BAREPROF_VERSION_NUMBER))
		return error_set(rebuild->error, STATUS_INVALID_INPUT,
			"cannot be completed: neither the profile nor the ELF file %s declares a raw version",
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
