/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampleprof_binary.c - writes sample profiles as ext-binary files. A file has a table of sections, in the order in
 * which clang reads them. clang uses the table of offsets to read only the functions that it compiles.
 */
#include "cutoffs.h"
#include "sampleprof_file.h"
#include "sampleprof_limits.h"

#include <stdlib.h>

/* "SPROF42", and 4 for this file format */
#define MAGIC        0x5350524f46343204ull
#define VERSION      103u
#define SECTIONS_MAX 6u
#define ENTRY_SIZE   32u /* bytes of an entry in the table of sections: type, flags, offset, size */

enum section_type {
	SUMMARY = 1,
	NAMES = 2,
	SYMBOLS = 3,
	OFFSETS = 4,
	METADATA = 5,
	COUNTS = 32
};

#define NAMES_ARE_GUIDS     (1ull << 32)
#define NAMES_FIXED_LENGTH  (1ull << 33)
#define NAMES_UNIQUE        (1ull << 34) /* names have the suffix by which clang makes names of statics unique */
#define SUMMARY_PREINLINED  (1ull << 36)
#define METADATA_HASHES     (1ull << 32)
#define METADATA_ATTRIBUTES (1ull << 33)
#define UNUSED              SIZE_MAX

struct section {
	enum section_type type;
	uint64_t flags;
	struct buffer bytes;
};

struct writer {
	struct sampleprof *profile;
	bool nested_metadata;
	bool guids;
	bool unique;
	uint32_t attributes; /* of all functions and inlinees */
	struct section sections[SECTIONS_MAX];
	size_t section_count;
};

static struct buffer *add_section(struct writer *writer, enum section_type type, uint64_t flags)
{
	struct section *section = &writer->sections[writer->section_count++];

	*section = (struct section){.type = type, .flags = flags};
	return &section->bytes;
}

/* Marks @name as used in the file, and finds out whether it is known as text. */
static void use_name(struct writer *writer, struct sampleprof_name *name)
{
	name->index = 0;
	if (!name->text.size)
		writer->guids = true;
	if (name->text.size ? memmem(name->text.data, name->text.size, ".__uniq.", 8) != NULL
			    : writer->profile->kind == SAMPLEPROF_PROBES)
		writer->unique = true;
}

static void use_function(struct writer *writer, const struct sampleprof_function *function)
{
	size_t i;
	size_t j;

	use_name(writer, function->name);
	writer->attributes |= function->attributes;
	for (i = 0; i < function->count_count; i++)
		for (j = 0; j < function->counts[i]->callee_count; j++)
			use_name(writer, function->counts[i]->callees[j]->name);
	for (i = 0; i < function->inlinee_count; i++)
		use_function(writer, function->inlinees[i]);
}

/* Numbers the names that the file uses. clang takes each name in the table for a function with samples. */
static void number_names(struct writer *writer)
{
	const struct sampleprof *profile = writer->profile;
	size_t used = 0;
	size_t i;

	for (i = 0; i < profile->names.count; i++)
		profile->names.list[i]->index = UNUSED;
	for (i = 0; i < profile->function_count; i++)
		use_function(writer, profile->functions[i]);
	for (i = 0; i < profile->names.count; i++)
		if (profile->names.list[i]->index != UNUSED)
			profile->names.list[i]->index = used++;
}

static void add_names(struct writer *writer)
{
	const struct sampleprof_names *names = &writer->profile->names;
	struct buffer *out = add_section(writer, NAMES,
		(writer->guids ? NAMES_ARE_GUIDS | NAMES_FIXED_LENGTH : 0) | (writer->unique ? NAMES_UNIQUE : 0));
	uint8_t guid[8];
	size_t count = 0;
	size_t i;

	for (i = 0; i < names->count; i++)
		count += names->list[i]->index != UNUSED;
	buffer_add_uleb(out, count);
	for (i = 0; i < names->count; i++) {
		const struct sampleprof_name *name = names->list[i];

		if (name->index == UNUSED)
			continue;
		store_uint(guid, name->guid, 8, false);
		if (writer->guids) {
			buffer_add(out, guid, 8);
			continue;
		}
		buffer_add(out, name->text.data, name->text.size);
		buffer_add(out, "", 1);
	}
}

struct totals {
	struct cutoffs cutoffs;
	uint64_t counts;
	uint64_t max_count;
	uint64_t max_head;
};

static void add_counts_up(struct totals *totals, const struct sampleprof_function *function)
{
	size_t i;

	for (i = 0; i < function->count_count; i++) {
		uint64_t count = function->counts[i]->count;

		cutoffs_add(&totals->cutoffs, count);
		totals->counts++;
		if (count > totals->max_count)
			totals->max_count = count;
	}
	for (i = 0; i < function->inlinee_count; i++)
		if (!(function->inlinees[i]->attributes & SAMPLEPROF_IN_BASE))
			add_counts_up(totals, function->inlinees[i]);
}

static void add_summary(struct writer *writer)
{
	const struct sampleprof *profile = writer->profile;
	struct buffer *out =
		add_section(writer, SUMMARY, writer->attributes & SAMPLEPROF_INLINE ? SUMMARY_PREINLINED : 0);
	struct totals *totals = allocate(1, sizeof(*totals));
	struct cutoff cutoff[SUMMARY_CUTOFFS];
	size_t i;

	for (i = 0; i < profile->function_count; i++) {
		add_counts_up(totals, profile->functions[i]);
		if (profile->functions[i]->head > totals->max_head)
			totals->max_head = profile->functions[i]->head;
	}
	cutoffs_find(&totals->cutoffs, cutoff);
	buffer_add_uleb(out, totals->cutoffs.total);
	buffer_add_uleb(out, totals->max_count);
	buffer_add_uleb(out, totals->max_head);
	buffer_add_uleb(out, totals->counts);
	buffer_add_uleb(out, profile->function_count);
	buffer_add_uleb(out, SUMMARY_CUTOFFS);
	for (i = 0; i < SUMMARY_CUTOFFS; i++) {
		buffer_add_uleb(out, cutoff[i].share);
		buffer_add_uleb(out, cutoff[i].min_count);
		buffer_add_uleb(out, cutoff[i].blocks);
	}
	cutoffs_free(&totals->cutoffs);
	free(totals);
}

static void add_location(struct buffer *out, struct sampleprof_location at)
{
	buffer_add_uleb(out, at.offset);
	buffer_add_uleb(out, at.discriminator);
}

static void add_function(struct buffer *out, const struct sampleprof_function *function)
{
	size_t i;
	size_t j;

	buffer_add_uleb(out, function->name->index);
	buffer_add_uleb(out, function->total);
	buffer_add_uleb(out, function->count_count);
	for (i = 0; i < function->count_count; i++) {
		const struct sampleprof_count *count = function->counts[i];

		add_location(out, count->at);
		buffer_add_uleb(out, count->count);
		buffer_add_uleb(out, count->callee_count);
		for (j = 0; j < count->callee_count; j++) {
			buffer_add_uleb(out, count->callees[j]->name->index);
			buffer_add_uleb(out, count->callees[j]->count);
		}
	}
	buffer_add_uleb(out, function->inlinee_count);
	for (i = 0; i < function->inlinee_count; i++) {
		add_location(out, function->inlinees[i]->at);
		add_function(out, function->inlinees[i]);
	}
}

/* Adds the counts, and before them the table with the offset of each function in the counts. */
static void add_functions(struct writer *writer)
{
	const struct sampleprof *profile = writer->profile;
	struct buffer *offsets = add_section(writer, OFFSETS, 0);
	struct buffer *counts = add_section(writer, COUNTS, 0);
	size_t i;

	buffer_add_uleb(offsets, profile->function_count);
	for (i = 0; i < profile->function_count; i++) {
		const struct sampleprof_function *function = profile->functions[i];

		buffer_add_uleb(offsets, function->name->index);
		buffer_add_uleb(offsets, counts->size);
		buffer_add_uleb(counts, function->head);
		add_function(counts, function);
	}
}

static void add_symbols(struct writer *writer)
{
	const struct sampleprof *profile = writer->profile;
	struct buffer *out;
	size_t i;

	if (!profile->symbol_count)
		return;
	out = add_section(writer, SYMBOLS, 0);
	for (i = 0; i < profile->symbol_count; i++) {
		const struct sampleprof_name *name = profile->symbols[i];

		if (!name->text.size || (i && name == profile->symbols[i - 1]))
			continue;
		buffer_add(out, name->text.data, name->text.size);
		buffer_add(out, "", 1);
	}
}

static void add_metadata_of(const struct writer *writer, struct buffer *out, const struct sampleprof_function *function)
{
	size_t i;

	buffer_add_uleb(out, function->name->index);
	if (writer->profile->kind == SAMPLEPROF_PROBES)
		buffer_add_uleb(out, function->hash);
	if (!writer->nested_metadata)
		return;
	if (writer->attributes)
		buffer_add_uleb(out, function->attributes);
	buffer_add_uleb(out, function->inlinee_count);
	for (i = 0; i < function->inlinee_count; i++) {
		add_location(out, function->inlinees[i]->at);
		add_metadata_of(writer, out, function->inlinees[i]);
	}
}

static void add_metadata(struct writer *writer)
{
	const struct sampleprof *profile = writer->profile;
	uint64_t flags = (profile->kind == SAMPLEPROF_PROBES ? METADATA_HASHES : 0) |
	                 (writer->attributes ? METADATA_ATTRIBUTES : 0);
	struct buffer *out;
	size_t i;

	if (!flags)
		return;
	out = add_section(writer, METADATA, flags);
	for (i = 0; i < profile->function_count; i++)
		add_metadata_of(writer, out, profile->functions[i]);
}

static void add_number(struct buffer *out, uint64_t number)
{
	uint8_t bytes[8];

	store_uint(bytes, number, 8, false);
	buffer_add(out, bytes, 8);
}

/* Appends the header, the table of sections and the sections to @out, and frees the sections. */
static void add_file(struct writer *writer, struct buffer *out)
{
	size_t start = out->size;
	uint64_t offset;
	size_t i;

	buffer_add_uleb(out, MAGIC);
	buffer_add_uleb(out, VERSION);
	add_number(out, writer->section_count);
	offset = out->size - start + writer->section_count * ENTRY_SIZE;
	for (i = 0; i < writer->section_count; i++) {
		add_number(out, writer->sections[i].type);
		add_number(out, writer->sections[i].flags);
		add_number(out, offset);
		add_number(out, writer->sections[i].bytes.size);
		offset += writer->sections[i].bytes.size;
	}
	for (i = 0; i < writer->section_count; i++) {
		buffer_add(out, writer->sections[i].bytes.data, writer->sections[i].bytes.size);
		buffer_free(&writer->sections[i].bytes);
	}
}

enum status sampleprof_write_binary(
	struct sampleprof *profile, const struct sampleprof_options *options, struct buffer *out, struct error *error)
{
	struct writer writer = {.profile = profile,
		.nested_metadata = options->llvm >= SAMPLEPROF_NESTED_METADATA,
		.guids = options->guids};
	enum status status = sampleprof_check(profile, error);

	if (status != STATUS_OK)
		return status;
	sampleprof_sort(profile);
	number_names(&writer);
	if (!writer.nested_metadata)
		writer.attributes = 0;
	add_summary(&writer);
	add_names(&writer);
	add_functions(&writer);
	add_symbols(&writer);
	add_metadata(&writer);
	add_file(&writer, out);
	return STATUS_OK;
}
