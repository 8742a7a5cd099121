/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_records.c - what the records of an image say, in sentences.
 */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char one_compiler[] = "compile everything with one clang, then build from scratch";
static const char keep[] = "KEEP(*(__llvm_prf_data)) KEEP(*(__llvm_prf_cnts)) KEEP(*(__llvm_prf_names)), or add -T "
			   "bareprof.ld to the linker's command line";
static const char one_link[] = "link all objects in one step, or in one ld -r: of a COMDAT group that comes twice, all "
			       "but one must be dropped";

char *check_function(const struct check *check, const struct record *record)
{
	const struct name *name = names_find(&check->names, record->name);

	if (!name)
		return format("whose name is not known (%016" PRIx64 ")", record->name);
	return format("%.*s", (int)(name->text.size & 0xff), (const char *)name->text.data);
}

static char *function_at(const struct check *check, size_t at)
{
	const struct records *records = &check->records;
	struct record record;

	/* NameRef is first in all versions. */
	if (record_at(records, records->version ? records->version : BAREPROF_RAW_V8, at, &record))
		return check_function(check, &record);
	return format("that is cut short");
}

static const char *release(unsigned int version, struct buffer *text)
{
	text->size = 0;
	buffer_printf(text, "%u (", version);
	if (version >= BAREPROF_RAW_V11)
		buffer_add_text(text, "LLVM 23 and later)");
	else
		buffer_add_text(text, version >= BAREPROF_RAW_V10  ? "LLVM 19 to 22)"
				      : version >= BAREPROF_RAW_V9 ? "LLVM 18)"
				      : version >= BAREPROF_RAW_V8 ? "LLVM 14 to 17)"
				      : version >= BAREPROF_RAW_V7 ? "LLVM 13)"
								   : "LLVM 10 to 12)");
	return buffer_string(text);
}

static void mixed(struct check *check, const char *function)
{
	struct records *records = &check->records;
	struct buffer one = {0};
	struct buffer two = {0};

	check_add(check, SEVERITY_ERROR, "two-compilers", one_compiler,
		"the image has objects of two compilers: its first %zu records are of raw version %s, the next, of "
		"function %s, is "
		"of %s; it was compiled by: %s",
		records->first, release(records->version, &one), function, release(records->other, &two),
		check->compilers.size ? buffer_string(&check->compilers) : "(.comment was dropped)");
	buffer_free(&one);
	buffer_free(&two);
}

static int compare_words(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/*
 * How many names have no record; the first few are appended to @text. References
 * that occur twice, of inline functions in two objects, count once.
 */
static size_t unused_names(const struct check *check, struct buffer *text)
{
	const struct records *records = &check->records;
	uint64_t *used = allocate(records->count + 1, sizeof(*used));
	struct record record;
	size_t unused = 0;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++)
		used[i] = record.name;
	qsort(used, records->count, sizeof(*used), compare_words);
	for (i = 0; i < check->names.count; i++) {
		const struct name *name = &check->names.list[i];

		if ((i && name->reference == name[-1].reference) ||
			bsearch(&name->reference, used, records->count, sizeof(*used), compare_words))
			continue;
		if (++unused == 4)
			buffer_add_text(text, ", and more");
		else if (unused < 4)
			buffer_printf(text, "%s%.*s", unused > 1 ? ", " : "", (int)(name->text.size & 0xff),
				(const char *)name->text.data);
	}
	free(used);
	return unused;
}

static void unowned(struct check *check)
{
	struct buffer names = {0};
	size_t count = unused_names(check, &names);

	check_add(check, SEVERITY_ERROR, "records-lost", keep,
		"records are lost: %" PRIu64 " bytes of counters or bitmaps belong to none%s%s", check->records.unowned,
		count ? "; functions without a record are " : "", buffer_string(&names));
	buffer_free(&names);
}

static void overlapping(struct check *check)
{
	struct records *records = &check->records;
	struct record one;
	struct record two;
	char *first;
	char *second;

	if (!records_get(records, records->version, records->first, &one) ||
		!records_get(records, records->version, records->second, &two))
		return;
	first = check_function(check, &one);
	second = check_function(check, &two);
	check_add(check, SEVERITY_ERROR, "counters-shared", one_link,
		"records %zu and %zu share counters: functions %s and %s", records->first, records->second, first,
		second);
	free(first);
	free(second);
}

static void judge(struct check *check)
{
	struct records *records = &check->records;
	char *function = function_at(check, records->first_at);

	switch (records->state) {
	case RECORDS_FIT:
		break;
	case RECORDS_MORE:
		unowned(check);
		break;
	case RECORDS_OVERLAP:
		overlapping(check);
		break;
	case RECORDS_MIXED:
		mixed(check, function);
		break;
	case RECORDS_OUTSIDE:
		check_add(check, SEVERITY_ERROR, "counters-lost", keep,
			"record %zu, of function %s, and %zu more have counters outside of __llvm_prf_cnts: the linker "
			"dropped or moved them",
			records->first, function, records->bad - 1);
		break;
	case RECORDS_STRANGE:
		check_add(check, SEVERITY_ERROR, "records-unknown", one_compiler,
			"record %zu, of a function %s, fits no known layout (raw versions 5 to 11)", records->first,
			function);
		break;
	}
	free(function);
}

/* After the layout is known, from each record. */
static void each_record(struct check *check)
{
	struct records *records = &check->records;
	struct record record;
	uint64_t first = 0;
	size_t unknown = 0;
	struct buffer names = {0};
	size_t dropped;
	size_t i;

	for (i = 0; i < records->count && records_get(records, records->version, i, &record); i++) {
		check->sites += record.sites;
		if (names_find(&check->names, record.name))
			continue;
		if (!unknown++)
			first = record.name;
	}
	check->functions = records->count;
	dropped = unused_names(check, &names);
	if (dropped && records->state == RECORDS_FIT)
		check_add(check, SEVERITY_NOTE, "names-unused", keep,
			"functions without a record are named (%zu: %s): clang left them out as nothing uses them, or "
			"the linker dropped them (--gc-sections)",
			dropped, buffer_string(&names));
	buffer_free(&names);
	if (!check->present[PART_NAMES])
		check_add(check, SEVERITY_ERROR, "no-names", "KEEP(*(__llvm_prf_names))",
			"there are records but no names: the linker dropped __llvm_prf_names, and no tool can read "
			"the profile");
	else if (unknown && check->names.count)
		check_add(check, SEVERITY_ERROR, "names-missing", "KEEP(*(__llvm_prf_names))",
			"%zu of %zu records are of functions that __llvm_prf_names does not name, the first is "
			"%016" PRIx64,
			unknown, records->count, first);
	if (check->sites)
		check_add(check, SEVERITY_ERROR, "value-sites", "compile with: -mllvm -disable-vp=true",
			"the records have %" PRIu64 " value sites: the runtime does not serve value profiles yet, and "
			"refuses the image",
			check->sites);
}

static void declared(struct check *check)
{
	unsigned int version = (unsigned int)(check->version_word & BAREPROF_VERSION_NUMBER);
	unsigned int learnt = check->records.version;

	if (version == BAREPROF_RAW_V6)
		version = BAREPROF_RAW_V7;
	if (check->learnt && version && version != learnt)
		check_add(check, SEVERITY_ERROR, "version-differs", one_compiler,
			"__llvm_profile_raw_version says raw version %u, but the records are of %u", version, learnt);
}

void check_records(struct check *check)
{
	struct records *records = &check->records;

	if (!check->present[PART_COUNTERS]) {
		check_add(check, SEVERITY_ERROR, "no-counters", keep, "there are records but no counters");
		return;
	}
	if (!check->present[PART_RECORDS]) {
		if (image_section(&check->image, "__llvm_covdata"))
			check_add(check, SEVERITY_ERROR, "correlated", "compile without: -profile-correlate=binary",
				"the records are in the ELF file only (binary correlation), which bareprof does not "
				"put together yet");
		else
			check_add(check, SEVERITY_ERROR, "no-records", keep,
				"there are counters but no records: nothing tells whose they are");
		return;
	}
	records->bytes = check->content[PART_RECORDS];
	records->address = check->part[PART_RECORDS].address;
	records->counters = check->part[PART_COUNTERS];
	records->bitmaps = check->part[PART_BITMAPS];
	records->names = check->names.count ? &check->names : NULL;
	records->width = check->image.width;
	records->big = check->image.big;
	records->declared = check->version_word;
	if (!records->bytes.size) {
		check_add(check, SEVERITY_ERROR, "records-not-filled", "__llvm_prf_data : { KEEP(*(__llvm_prf_data)) }",
			"__llvm_prf_data has no content in the file: records are constants, only counters can be "
			"NOLOAD");
		return;
	}
	records_learn(records);
	check->learnt = records->state == RECORDS_FIT || records->state == RECORDS_MORE;
	judge(check);
	if (records->count)
		each_record(check);
	declared(check);
}
