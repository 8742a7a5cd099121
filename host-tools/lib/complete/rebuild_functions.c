/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rebuild_functions.c - writes a profile function by function. If the dump is incomplete, the
 * profile has only the functions that arrived completely. If the dump is complete, it has all
 * functions. This file writes the profile of a complete dump only if the records are not loaded on
 * the target.
 */
#include "names.h"
#include "raw_write.h"
#include "rebuild_state.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* The maximum number of left-out functions that the warning names. */
#define NAMED_MAX 5

/*
 * Adds the names of the missing functions to the report: all of them to the list @left_out, and the
 * first few to the warning.
 */
static void report_names(struct rebuild *rebuild, const struct raw_record *missing, size_t count)
{
	struct completion_report *report = rebuild->completion->report;
	struct names names = {0};
	struct error unused;
	size_t i;

	if (names_read(&names, rebuild->table->names, &unused) != STATUS_OK)
		names_free(&names);
	for (i = 0; i < count; i++) {
		const struct name *name = names_find(&names, missing[i].name);
		char *text = name ? format("%.*s", (int)(name->text.size & INT32_MAX), (const char *)name->text.data)
		                  : format("%016" PRIx64, missing[i].name);

		buffer_printf(&report->left_out, "%s\n", text);
		if (i < NAMED_MAX)
			buffer_printf(&report->warning, "%s%.200s", i ? ", " : "", text);
		free(text);
	}
	names_free(&names);
}

static void report_missing(struct rebuild *rebuild, const struct raw_record *missing, size_t count)
{
	struct completion_report *report = rebuild->completion->report;

	if (!report)
		return;
	if (report->warning.size)
		buffer_add_text(&report->warning, "; ");
	buffer_printf(&report->warning, "is partial because ");
	sent_dump_missing(rebuild->sent, &report->warning);
	buffer_printf(&report->warning, ": %zu of %zu functions are left out%s", count, rebuild->table->count,
		count ? ": " : "");
	report_names(rebuild, missing, count);
	if (count > NAMED_MAX)
		buffer_printf(&report->warning, " and %zu more", count - NAMED_MAX);
	if (rebuild->table->sites)
		buffer_add_text(&report->warning, "; all values are left out");
}

/*
 * Appends the counters and the bitmap of @record to @counters and @bitmap, and stores their new
 * offsets in @record. Returns false if some of their bytes did not arrive.
 */
static bool keep_function(
	const struct rebuild *rebuild, struct raw_record *record, struct buffer *counters, struct buffer *bitmap)
{
	unsigned int size = rebuild->version_word & BAREPROF_VARIANT_BYTE_COVERAGE ? 1 : 8;
	struct bytes own;
	struct bytes bits = {NULL, 0};

	if (!sparse_buffer_find(&rebuild->counters, record->counters, (uint64_t)record->counter_count * size, &own) ||
		(record->bitmap_size &&
			!sparse_buffer_find(&rebuild->bitmap, record->bitmap, record->bitmap_size, &bits)))
		return false;
	record->counters = counters->size;
	record->bitmap = bitmap->size;
	buffer_add(counters, own.data, own.size);
	buffer_add(bitmap, bits.data, bits.size);
	return true;
}

/* A partial profile that is being made. */
struct partial {
	struct raw_record *kept; /* the functions that arrived completely */
	size_t count;
	struct raw_record *missing; /* the functions that did not arrive completely */
	size_t missing_count;
	struct buffer counters; /* the counters of the functions in @kept, one function after the other */
	struct buffer bitmap;
};

static enum status find_received(const struct rebuild *rebuild, struct partial *partial)
{
	const struct record_table *table = rebuild->table;
	size_t i;

	partial->kept = allocate(table->count, sizeof(*partial->kept));
	partial->missing = allocate(table->count, sizeof(*partial->missing));
	for (i = 0; i < table->count; i++) {
		struct raw_record record = table->functions[i];

		if (keep_function(rebuild, &record, &partial->counters, &partial->bitmap))
			partial->kept[partial->count++] = record;
		else
			partial->missing[partial->missing_count++] = record;
		/*
		 * Two records from debug information can claim the same counters, because no earlier check refuses
		 * this. Then the functions together can have more counters than the section. So the size is checked.
		 */
		if (partial->counters.size > rebuild->counters.bytes.size)
			return error_set(rebuild->error, STATUS_INVALID_INPUT,
				"cannot be completed: functions of the ELF file %s share counters; run 'bareprof "
				"check' on that file",
				rebuild->program->path);
	}
	if (partial->count)
		return STATUS_OK;
	return error_set(rebuild->error, STATUS_INVALID_INPUT,
		"has no function with all of its counters, so not even a partial profile is possible: dump again");
}

static void write_functions(struct rebuild *rebuild, const struct raw_record *records, size_t count,
	const struct buffer *counters, const struct buffer *bitmap)
{
	struct raw_image image = {.version_word = rebuild->version_word,
		.width = rebuild->begin->width,
		.big = rebuild->big,
		.records = records,
		.record_count = count};
	struct buffer id = {0};

	rebuild_build_id(rebuild, &id);
	image.section[BAREPROF_BUILD_ID] = (struct bytes){id.data, id.size};
	image.section[BAREPROF_CNTS] = (struct bytes){counters->data, counters->size};
	image.section[BAREPROF_BITS] = (struct bytes){bitmap->data, bitmap->size};
	image.section[BAREPROF_NAMES] = rebuild->table->names;
	raw_write(rebuild->out, &image);
	buffer_free(&id);
}

static enum status rebuild_partial(struct rebuild *rebuild)
{
	struct partial partial = {0};
	enum status status = find_received(rebuild, &partial);

	assert(status != STATUS_OK || partial.count + partial.missing_count == rebuild->table->count);
	report_missing(rebuild, partial.missing, partial.missing_count);
	if (status == STATUS_OK)
		write_functions(rebuild, partial.kept, partial.count, &partial.counters, &partial.bitmap);
	buffer_free(&partial.counters);
	buffer_free(&partial.bitmap);
	free(partial.missing);
	free(partial.kept);
	return status;
}

enum status rebuild_functions(struct rebuild *rebuild)
{
	if (rebuild->sent->state != DUMP_COMPLETE)
		return rebuild_partial(rebuild);
	write_functions(rebuild, rebuild->table->functions, rebuild->table->count, &rebuild->counters.bytes,
		&rebuild->bitmap.bytes);
	return STATUS_OK;
}
