/* SPDX-License-Identifier: BSD-2-Clause */
/* salvage.c - decides what of a damaged file is sound: blocks with checksums, or bytes that the damage does not touch. */
#include "salvage.h"
#include "names.h"
#include "raw_check.h"
#include "raw_open.h"
#include "raw_values.h"

#include <bareprof/wire.h>
#include <stdlib.h>

void salvage_free(struct salvage *salvage)
{
	buffer_free(&salvage->profile);
	buffer_free(&salvage->left_out);
}

/* Returns whether all records of @profile have a name. */
static bool has_names(const struct raw_profile *profile)
{
	struct names names = {0};
	struct raw_function function;
	struct error unused;
	bool found = names_read(&names, profile->section[BAREPROF_NAMES], &unused) == STATUS_OK;
	uint64_t i;

	for (i = 0; i < profile->records && found; i++)
		found = raw_function(profile, i, &function, &unused) == STATUS_OK && names_find(&names, function.name);
	names_free(&names);
	return found;
}

/* Appends the profile at *@offset of @bytes to the result, if it has no fault, and moves *@offset to its end. */
static bool take_whole(struct bytes bytes, size_t *offset, struct salvage *salvage)
{
	struct raw_profile profile;
	struct error unused;
	size_t used = 0;
	bool sound;

	sound = raw_sections(&profile, bytes, *offset, &unused) == STATUS_OK &&
	        raw_records(&profile, NULL, NULL, &unused) == STATUS_OK &&
	        (!profile.has_sites || raw_values_skip(&profile, profile.values, &used, &unused) == STATUS_OK) &&
	        has_names(&profile) && raw_check_counts(&profile, &unused) == STATUS_OK;
	if (sound) {
		size_t end = (size_t)(profile.values.data - bytes.data) + used;

		buffer_add(&salvage->profile, bytes.data + *offset, end - *offset);
		*offset = end;
		salvage->kept += (size_t)profile.records;
		salvage->of += (size_t)profile.records;
	}
	raw_close(&profile);
	return sound;
}

/* Takes the profiles at the start of @bytes that are complete. */
static bool take_profiles(struct bytes bytes, struct salvage *salvage)
{
	size_t offset = 0;

	while (offset < bytes.size && take_whole(bytes, &offset, salvage)) {
		size_t next = (offset + 7) & ~(size_t)7;
		struct bytes rest;

		/* The next profile starts after padding, if there is one. */
		if (!bytes_slice(bytes, next, bytes.size - (next < bytes.size ? next : bytes.size), &rest) ||
			!raw_magic(rest))
			break;
		while (offset < next) {
			buffer_add(&salvage->profile, "", 1);
			offset++;
		}
	}
	return salvage->kept;
}

/* Checks the profile that was made. Damage that is seen only now, such as that of a name, must not get into a new file. */
static enum status check_profile(struct doctor *doctor, struct salvage *salvage, struct error *error)
{
	struct bytes profile = {salvage->profile.data, salvage->profile.size};
	struct error reason;
	struct model model;
	enum status status = doctor_read(doctor, &model, profile, &reason);

	/* A lean profile has no records of its own. */
	if (status == STATUS_OK && !salvage->of)
		salvage->kept = salvage->of = model.count;
	model_free(&model);
	if (status == STATUS_OK)
		return status;
	salvage->kept = 0;
	return error_set(error, status, "gives no profile that can be read: what is left of it %s", reason.text);
}

static enum status salvage_file_raw(
	struct doctor *doctor, const struct doctor_file *file, struct salvage *salvage, struct error *error)
{
	struct bytes bytes =
		file->rescued.size ? (struct bytes){file->rescued.data, file->rescued.size} : file->input.bytes;
	struct sparse_buffer arrived = {.count = 0};
	enum status status;

	if (file->sound)
		return error_set(error, STATUS_INVALID_INPUT,
			"shows no damage, so there is nothing to salvage; a raw profile has no checksums, so damage of "
			"its counts cannot be seen");
	if (!take_profiles(bytes, salvage)) {
		memcpy(sparse_buffer_add(&arrived, 0, bytes.size), bytes.data, bytes.size);
		status = salvage_raw(doctor, &arrived, salvage, error);
		sparse_buffer_free(&arrived);
		if (status != STATUS_OK)
			return status;
	}
	status = check_profile(doctor, salvage, error);
	if (status != STATUS_OK || salvage->trust)
		return status;
	return error_set(error, STATUS_INVALID_INPUT,
		"has no checksums, so nothing proves the counts in it; if nothing else happened to the file, "
		"--trust-counts writes the counts of %zu of %zu functions, which the visible damage does not touch",
		salvage->kept, salvage->of);
}

/* Returns the incomplete dump of a whole .profraw that started last, or NULL if the last dump is another one. */
static const struct sent_dump *last_profraw(const struct capture *capture)
{
	const struct sent_dump *sent = capture->sent_count ? &capture->sent_dumps[capture->sent_count - 1] : NULL;

	return sent && sent->begin_block && sent->state == DUMP_INCOMPLETE && !sent->counters && !sent->machine &&
	                       !sent->samples
	               ? sent
	               : NULL;
}

static size_t count_lines(const struct buffer *text)
{
	size_t lines = 0;
	size_t i;

	for (i = 0; i < text->size; i++)
		lines += text->data[i] == '\n';
	return lines;
}

/* Takes the profile that @dump has rebuilt. */
static void take_stream(struct dump_receiver *dump, struct completion_report *report, struct salvage *salvage)
{
	struct raw_profile profile;
	struct error unused;

	salvage->profile = dump->stream;
	dump->stream = (struct buffer){0};
	salvage->left_out = report->left_out;
	report->left_out = (struct buffer){0};
	if (raw_open(&profile, (struct bytes){salvage->profile.data, salvage->profile.size}, 0, &unused) == STATUS_OK)
		salvage->kept = (size_t)profile.records;
	raw_close(&profile);
	salvage->of = salvage->kept + count_lines(&salvage->left_out);
	salvage->used_elf = dump->sent->counters;
}

bool salvage_proves_program(struct doctor *doctor, const struct salvage *salvage, struct bytes id, struct error *error)
{
	if (salvage->trust || programs_have(&doctor->programs, id))
		return true;
	error_set(error, STATUS_INVALID_INPUT,
		"has no build id that the program has, too, so nothing proves that its counts belong to the functions "
		"of "
		"this program; if you know that they do, add --trust-counts");
	return false;
}

static enum status salvage_dumps(
	struct doctor *doctor, const struct doctor_file *file, struct salvage *salvage, struct error *error)
{
	struct completion_report report = {.warning = {0}};
	struct sparse_buffer arrived = {.count = 0};
	const struct sent_dump *sent;
	struct dump_receiver dump;
	enum status status;

	dump_receiver_start(&dump, NULL, NULL);
	dump.completion =
		(struct completion_options){.programs = &doctor->programs, .partial = true, .report = &report};
	scan_bytes(&dump.scan, file->input.bytes);
	dump_receiver_sort(&dump);
	sent = last_profraw(&dump.capture);
	if (sent) {
		sent_dump_stream(&dump.capture, sent, BAREPROF_STREAM_PROFRAW, &arrived);
		salvage->id = sent->begin.id;
		status = salvage_raw(doctor, &arrived, salvage, error);
		sparse_buffer_free(&arrived);
		salvage->id = (struct bytes){NULL, 0};
	} else {
		status = dump_receiver_finish(&dump, NULL, error);
		if (status != STATUS_OK && dump.sent && dump.sent->counters && !programs_any(&doctor->programs))
			status = error_set(error, STATUS_INVALID_INPUT,
				"has counters only; names and records are in the ELF file of the program: name that "
				"file, too");
		if (status == STATUS_OK && dump.sent->counters &&
			!salvage_proves_program(doctor, salvage, dump.sent->begin.id, error))
			status = STATUS_INVALID_INPUT;
		if (status == STATUS_OK)
			take_stream(&dump, &report, salvage);
	}
	completion_report_free(&report);
	dump_receiver_free(&dump);
	return status == STATUS_OK ? check_profile(doctor, salvage, error) : status;
}

enum status salvage_file(
	struct doctor *doctor, const struct doctor_file *file, struct salvage *salvage, struct error *error)
{
	switch (file->kind) {
	case FILE_DUMPS:
		return salvage_dumps(doctor, file, salvage, error);
	case FILE_RAW:
		return salvage_file_raw(doctor, file, salvage, error);
	case FILE_OTHER:
		if (file->rescued.size)
			return salvage_file_raw(doctor, file, salvage, error);
		return error_set(error, STATUS_INVALID_INPUT, "has no profile in it that could be salvaged");
	case FILE_INDEXED:
	case FILE_TEXT:
		return error_set(error, STATUS_INVALID_INPUT,
			"has no checksums and no records to compare with a program: make it again from the raw "
			"profiles");
	default:
		return error_set(error, STATUS_INVALID_INPUT, "is no profile, so there is nothing to salvage");
	}
}
