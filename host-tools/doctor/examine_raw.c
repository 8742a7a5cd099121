/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * examine_raw.c - finds out what is wrong with a raw profile. The readers stop at the first fault. This file asks what
 * happened to the file: whether it was cut, converted as text, joined with other bytes, or changed in place.
 */
#include "doctor.h"
#include "names.h"
#include "raw_check.h"
#include "raw_open.h"
#include "raw_release.h"
#include "raw_values.h"
#include "records.h"
#include "salvage.h"
#include "text_mode.h"

#include <inttypes.h>
#include <stdlib.h>

/* A raw version above the newest one is a new release of LLVM up to this number, and damage above it. */
#define RAW_VERSION_CREDIBLE 31u

/* The first record begins within this many bytes after the header: a build id is shorter. */
#define SEARCH_MAX 4096u

static void describe(struct doctor_file *file, const struct raw_profile *profile)
{
	buffer_printf(&file->what, "raw profile, version %u (", profile->version);
	if (raw_release(profile->version))
		raw_release_text(profile->version, &file->what);
	else
		buffer_add_text(&file->what, "unknown");
	buffer_printf(&file->what, "), %u-bit, %s-endian, ", profile->width * 8, profile->big ? "big" : "little");
	raw_kind_text(profile->version_word, &file->what);
	file->raw_version = profile->version;
}

/* Returns the command that writes what can be saved of @file. */
static char *salvage_command(const struct doctor *doctor, const struct doctor_file *file, bool needs_elf)
{
	const char *elf = doctor_elf_path(doctor, file);
	char *out = doctor_out(file->path, ".salvaged.profraw");
	char *path = doctor_quote(file->path);
	char *program = elf && needs_elf ? doctor_quote(elf) : NULL;
	char *command = format("bareprof doctor --salvage %s --trust-counts %s%s%s", out, path, program ? " " : "",
		program ? program : "");

	free(out);
	free(path);
	free(program);
	return command;
}

/*
 * Adds the cause @id. Its message tells how many functions can be saved, and its next step is the command that saves them.
 */
static void rescuable(struct doctor *doctor, enum cause_id id, struct doctor_file *file, const char *text)
{
	struct salvage salvage = {.trust = true};
	struct error error;
	bool possible = salvage_file(doctor, file, &salvage, &error) == STATUS_OK;

	file->kept = salvage.kept;
	file->of = salvage.of;
	file->trusted = possible;
	if (possible)
		doctor_cause(doctor, id, file, salvage_command(doctor, file, salvage.used_elf),
			"%s; the counts of %zu of %zu functions are untouched by this, but no checksum proves them",
			text, salvage.kept, salvage.of);
	else
		doctor_cause(doctor, id, file, NULL, "%s; nothing of it can be saved: it %s", text, error.text);
	salvage_free(&salvage);
}

/*
 * Returns whether the end of @bytes is a names section of the size that the header tells. Then nothing is missing there. A
 * name is only believed if its hash is in a record, which is one of the first words after the header.
 */
static bool ends_with_names(const struct raw_profile *profile, struct bytes bytes, size_t head)
{
	uint64_t size = profile->header[BAREPROF_HEADER_NAMES_SIZE];
	uint64_t padded = size + BAREPROF_PAD8(size);
	struct names names = {0};
	struct bytes section;
	struct error unused;
	bool found = false;
	size_t at;

	if (!size || padded > bytes.size || !bytes_slice(bytes, bytes.size - padded, size, &section))
		return false;
	if (names_read(&names, section, &unused) == STATUS_OK && names.count)
		for (at = head; at + 8 <= bytes.size && at < head + SEARCH_MAX && !found; at += 4)
			found = names_find(&names, load_uint(bytes.data + at, 8, profile->big));
	names_free(&names);
	return found;
}

/* Returns the raw version that the first records have if a record takes @size bytes, or 0. Sets *@other, too. */
static unsigned int detect(const struct raw_profile *profile, size_t size, unsigned int *other)
{
	struct records records = {
		.bytes = profile->section[BAREPROF_DATA],
		.counters = {profile->header[BAREPROF_HEADER_COUNTERS_DELTA], profile->section[BAREPROF_CNTS].size},
		.bitmaps = {profile->header[BAREPROF_HEADER_BITMAP_DELTA], profile->section[BAREPROF_BITS].size},
		.width = profile->width,
		.big = profile->big,
	};
	unsigned int version = 0;

	/* A wrong size of a record makes the number of records wrong, and the rest is no record. */
	records.bytes.size -= records.bytes.size % size;
	records_detect_layout(&records);
	*other = records.state == RECORDS_MIXED ? records.other : 0;
	if (records.state == RECORDS_FIT || records.state == RECORDS_MORE || records.state == RECORDS_MIXED)
		version = records.version;
	records_free(&records);
	return version;
}

/* Returns whether the records in the ELF file with the build id of @profile are sound, so that those of @profile changed. */
static bool program_is_sound(struct doctor *doctor, const struct raw_profile *profile)
{
	const struct record_table *table;
	struct program *program;
	struct buffer unused_remark = {0};
	struct error unused;
	bool sound =
		programs_have(&doctor->programs, profile->build_id) &&
		programs_find(&doctor->programs, profile->build_id, &program, &unused_remark, &unused) == STATUS_OK &&
		program_records(program, 0, &table, &unused) == STATUS_OK;

	buffer_free(&unused_remark);
	return sound;
}

/* Adds a cause if the header tells the wrong raw version, or if the records have two. */
static bool layout_wrong(struct doctor *doctor, struct doctor_file *file, const struct raw_profile *profile)
{
	static const unsigned int versions[] = {BAREPROF_RAW_V8, BAREPROF_RAW_V10, BAREPROF_RAW_V11};
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		size_t size = BAREPROF_RECORD_SIZE(versions[i], profile->width);
		unsigned int other;
		unsigned int version = detect(profile, size, &other);

		if (version && other && program_is_sound(doctor, profile))
			continue;
		if (version && other)
			doctor_cause(doctor, CAUSE_IMAGE_FAULT, file, NULL,
				"has records of raw version %u and of version %u: objects of two compilers are in one "
				"program (compile all of them with one release of clang, and run 'bareprof check' on "
				"the program), or, if 'bareprof check' finds nothing, bytes changed in place",
				version, other);
		else if (version && size != profile->record_size &&
			 BAREPROF_RECORD_SIZE(version, profile->width) == size)
			doctor_cause(doctor, CAUSE_LAYOUT_WRONG, file, NULL,
				"says raw version %u, but its records are those of version %u: the runtime on the "
				"target does not know this compiler; use a newer bareprof.c, or the compiler that the "
				"runtime "
				"was written for",
				profile->version, version);
		else
			continue;
		return true;
	}
	return false;
}

/* The reader refused the header. */
static void header_wrong(struct doctor *doctor, struct doctor_file *file, const struct raw_profile *profile)
{
	if (profile->version > RAW_VERSION_CREDIBLE)
		doctor_cause(doctor, CAUSE_HEADER_DAMAGED, file, NULL,
			"has a damaged header: it claims raw version %u" HINT_FETCH_AGAIN, profile->version);
	else if (profile->version > BAREPROF_RAW_NEWEST)
		doctor_cause(doctor, CAUSE_OTHER_RELEASE, file, NULL,
			"has raw version %u, and no release of LLVM that this bareprof knows reads it: use the "
			"llvm-profdata of the compiler that built the program",
			profile->version);
	else
		doctor_cause(doctor,
			profile->version && profile->version < BAREPROF_RAW_OLDEST ? CAUSE_OTHER_RELEASE
										   : CAUSE_HEADER_DAMAGED,
			file, NULL, "%s", file->refusal.text);
}

/* The sections that the header tells do not fit into the file. */
static void sections_wrong(struct doctor *doctor, struct doctor_file *file, struct raw_profile *profile)
{
	struct bytes bytes = file->input.bytes;
	struct error unused;
	size_t size = RAW_START;
	uint64_t total;

	if (raw_header(profile, bytes, &size, &unused) != STATUS_OK && bytes.size >= size) {
		header_wrong(doctor, file, profile);
		return;
	}
	/* A file that has all bytes was not cut, and then the list of build ids is damaged. */
	total = bytes.size >= size ? salvage_total(profile, bytes.size) : 0;
	if (bytes.size >= size &&
		(total == UINT64_MAX || total <= bytes.size - size || ends_with_names(profile, bytes, size))) {
		doctor_cause(doctor, CAUSE_HEADER_DAMAGED, file, NULL,
			"has a damaged header, because the sizes in it do not fit the file; copy the file again, or "
			"dump again");
		return;
	}
	rescuable(doctor, CAUSE_CUT, file,
		"is cut: its end is missing (a full disk, a killed program, an interrupted copy)");
}

/* Returns whether records or names differ from those in the ELF file. Adds the cause then. */
static bool differs(struct doctor *doctor, struct doctor_file *file)
{
	struct salvage salvage = {.trust = true};
	struct error error;
	bool changed = salvage_file(doctor, file, &salvage, &error) != STATUS_OK && salvage.changed;

	if (changed)
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL, "%s; copy the file again, or dump again", error.text);
	salvage_free(&salvage);
	return changed;
}

/* The sections are there. Something in them, or after them, is wrong. */
static void content_wrong(struct doctor *doctor, struct doctor_file *file, struct raw_profile *profile)
{
	struct bytes rest = profile->values;
	struct error error;
	size_t used = 0;

	if (raw_records(profile, NULL, NULL, &error) != STATUS_OK) {
		if (!layout_wrong(doctor, file, profile))
			doctor_cause(doctor, CAUSE_DAMAGED, file, NULL,
				"changed in place, or came from damaged memory: it %s", error.text);
		return;
	}
	if (profile->has_sites && raw_values_skip(profile, rest, &used, &error) != STATUS_OK) {
		if (differs(doctor, file))
			return;
		if (bytes_are_zero(rest) && rest.size < 8)
			rescuable(doctor, CAUSE_VALUES_LACKING, file,
				"has value sites, but no value data: the runtime that wrote it does not support values "
				"(compile bareprof.c with -DBAREPROF_VALUES, or the program with -mllvm "
				"-disable-vp=true)");
		else
			rescuable(doctor, CAUSE_CUT, file, "is cut in its value data, or this data is damaged");
		return;
	}
	if (raw_finish(profile, file->input.bytes, &error) != STATUS_OK) {
		rescuable(doctor, CAUSE_BYTES_AFTER, file,
			"has other bytes after the profile, such as text of a log, or was joined without padding");
		return;
	}
	doctor_cause(doctor, CAUSE_DAMAGED, file, NULL, "changed in place, or came from damaged memory: it %s",
		file->refusal.text);
}

bool doctor_names_wrong(struct doctor *doctor, const struct doctor_file *file, const struct raw_profile *profile)
{
	struct names names = {0};
	struct raw_function function;
	struct error error;
	uint64_t lacking = 0;
	bool readable = names_read(&names, profile->section[BAREPROF_NAMES], &error) == STATUS_OK;
	uint64_t i;

	for (i = 0; readable && i < profile->records; i++)
		if (raw_function(profile, i, &function, &error) == STATUS_OK && !names_find(&names, function.name))
			lacking++;
	names_free(&names);
	if (!readable)
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL, "changed in place: it %s, or dump again", error.text);
	else if (lacking && (lacking > 1 || profile->records == 1))
		doctor_cause(doctor, CAUSE_NAMES_LACKING, file, NULL,
			"lacks the names of %" PRIu64 " of %" PRIu64 " functions: the linker script keeps only a part "
			"of __llvm_prf_names, or two programs share one "
			"section; 'bareprof check' on the program prints the line to add",
			lacking, profile->records);
	else if (lacking)
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL,
			"changed in place: the name hash of one function, or its name, is damaged; copy the file "
			"again, or dump again");
	return !readable || lacking;
}

/* Returns whether counts are above every credible count, and adds the cause. */
static bool counts_wrong(struct doctor *doctor, struct doctor_file *file, const struct raw_profile *profile)
{
	struct raw_function function;
	struct error unused;
	uint64_t high = 0;
	uint64_t all = 0;
	uint64_t i;
	size_t k;

	for (i = 0; i < profile->records; i++) {
		if (raw_function(profile, i, &function, &unused) != STATUS_OK)
			return false;
		all += function.counter_count;
		for (k = 0; k < function.counter_count; k++)
			high += raw_counter(profile, &function, k) > RAW_COUNT_CREDIBLE;
	}
	if (high > 1 && high > all / 50)
		doctor_cause(doctor, CAUSE_COUNTERS_NOT_SET, file, NULL,
			"has %" PRIu64 " of %" PRIu64 " counts that no run can reach: the counters are in memory that "
			"nothing set to its start value; "
			"call bareprof_small_start() or bareprof_start() before the first function that counts",
			high, all);
	else if (high)
		doctor_cause(doctor, CAUSE_DAMAGED, file, NULL,
			"changed in place: %" PRIu64 " of %" PRIu64
			" counts are higher than any run can reach; copy the file again, or dump again",
			high, all);
	return high;
}

static void find_fault(struct doctor *doctor, struct doctor_file *file)
{
	struct bytes bytes = file->input.bytes;
	struct raw_profile profile;
	struct error unused;

	if (text_mode_undo(bytes, &file->rescued)) {
		size_t size;

		file->what.size = 0;
		if (raw_identify(&profile, (struct bytes){file->rescued.data, file->rescued.size}, &size, &unused) ==
			STATUS_OK)
			describe(file, &profile);
		rescuable(doctor, CAUSE_TEXT_MODE, file, text_mode_words(bytes));
		return;
	}
	if (raw_sections(&profile, bytes, 0, &unused) != STATUS_OK)
		sections_wrong(doctor, file, &profile);
	else if (raw_open(&profile, bytes, 0, &unused) != STATUS_OK ||
		 (!doctor_names_wrong(doctor, file, &profile) && !counts_wrong(doctor, file, &profile)))
		if (raw_sections(&profile, bytes, 0, &unused) == STATUS_OK)
			content_wrong(doctor, file, &profile);
	raw_close(&profile);
}

void doctor_raw(struct doctor *doctor, struct doctor_file *file)
{
	struct bytes bytes = file->input.bytes;
	struct raw_profile profile;
	struct error unused;
	bool correlated;
	size_t size;

	if (raw_identify(&profile, bytes, &size, &unused) == STATUS_OK || bytes.size >= RAW_START)
		describe(file, &profile);
	else
		buffer_add_text(&file->what, "start of a raw profile");
	correlated = raw_sections(&profile, bytes, 0, &unused) == STATUS_OK && raw_correlated(&profile);
	file->lean = correlated;
	if (profile.build_id.size)
		buffer_add(&file->id, profile.build_id.data, profile.build_id.size);
	if (doctor_read_model(doctor, file, bytes)) {
		file->sound = true;
		buffer_printf(&file->what, ", %zu functions", file->model.count);
		if (correlated && doctor->said.sentences)
			doctor_cause(doctor, CAUSE_LEAN, file, NULL,
				"has counters only: llvm-profdata needs '--debug-info' or '--binary-file', or use "
				"'bareprof merge --elf'");
		doctor_nothing_ran(doctor, file);
	} else if (correlated) {
		doctor_cause(doctor, CAUSE_NEEDS_ELF, file, NULL, "%s", file->refusal.text);
	} else {
		find_fault(doctor, file);
	}
}
