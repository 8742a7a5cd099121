/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_write.c - libbareprof: writes profiles, and converts raw profiles to other versions.
 */
#include "api.h"
#include "index_unsupported.h"
#include "indexed.h"
#include "profile_read.h"
#include "raw_convert.h"
#include "raw_release.h"
#include "text.h"
#include "versions.h"

unsigned int bareprof_index_version(unsigned int release)
{
	/* A release that is newer than all known releases is treated like the newest known release. */
	return release < RELEASE_OLDEST ? 0 : index_version_of_release(release);
}

unsigned int bareprof_raw_version(unsigned int release)
{
	return raw_version_of_release(release);
}

unsigned int bareprof_profile_min_version(struct bareprof_profile *profile)
{
	api_sort(profile);
	return index_min_version(&profile->model);
}

enum bareprof_status bareprof_profile_unsupported(
	struct bareprof_profile *profile, unsigned int version, struct bareprof_message *message)
{
	struct buffer words = {0};
	struct error error;
	enum status status = STATUS_OK;

	api_sort(profile);
	if (version)
		index_unsupported(&profile->model, version, &words);
	else
		text_unsupported(&profile->model, &words);
	if (words.size)
		status = error_set(&error, STATUS_INVALID_INPUT, "%s", buffer_string(&words));
	buffer_free(&words);
	return api_report(status, &error, message);
}

/* Writes the profile to the open @output in index version @version, or as text if @version is 0. */
static enum status write_as(
	struct bareprof_profile *profile, struct output *output, unsigned int version, struct error *error)
{
	api_sort(profile);
	if (!version)
		return text_write(&profile->model, output);
	if (version < INDEXED_WRITTEN || version > INDEXED_NEWEST)
		return error_set(error, STATUS_USAGE,
			"cannot be written in index version %u: choose a version from %u to %u", version,
			INDEXED_WRITTEN, INDEXED_NEWEST);
	return indexed_write(&profile->model, version, output);
}

static enum bareprof_status write_file(
	struct bareprof_profile *profile, const char *path, unsigned int version, struct bareprof_message *message)
{
	struct output output;
	struct error error;
	enum status status;

	output_open(&output, path);
	status = write_as(profile, &output, version, &error);
	if (status == STATUS_OK && profile->maps.map &&
		profile->maps.check(profile->maps.context, &error) != STATUS_OK) {
		output_close(&output, STATUS_SYSTEM, &error);
		return api_report(STATUS_SYSTEM, &error, message);
	}
	/*
	 * If write_as() returns STATUS_SYSTEM, a write to @output has failed. @output has stored this error, and
	 * output_close() returns it. So output_close() gets STATUS_OK in this case.
	 */
	status = output_close(&output, status == STATUS_SYSTEM ? STATUS_OK : status, &error);
	return api_report(status, &error, message);
}

static enum bareprof_status write_memory(struct bareprof_profile *profile, struct bareprof_memory *memory,
	unsigned int version, struct bareprof_message *message)
{
	struct output output;
	struct error error;
	enum status status;

	*memory = (struct bareprof_memory){NULL, 0};
	output_memory(&output);
	status = write_as(profile, &output, version, &error);
	if (status == STATUS_OK) {
		*memory = (struct bareprof_memory){output.pending.data, output.pending.size};
		output.pending = (struct buffer){0};
	}
	return api_report(output_close(&output, status, &error), &error, message);
}

enum bareprof_status bareprof_profile_write_indexed(
	struct bareprof_profile *profile, const char *path, unsigned int version, struct bareprof_message *message)
{
	return write_file(profile, path, version ? version : bareprof_profile_min_version(profile), message);
}

enum bareprof_status bareprof_profile_write_text(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message)
{
	return write_file(profile, path, 0, message);
}

enum bareprof_status bareprof_profile_indexed(struct bareprof_profile *profile, struct bareprof_memory *memory,
	unsigned int version, struct bareprof_message *message)
{
	return write_memory(profile, memory, version ? version : bareprof_profile_min_version(profile), message);
}

enum bareprof_status bareprof_profile_text(
	struct bareprof_profile *profile, struct bareprof_memory *memory, struct bareprof_message *message)
{
	return write_memory(profile, memory, 0, message);
}

void bareprof_memory_free(struct bareprof_memory *memory)
{
	struct buffer buffer = {.data = memory->data};

	buffer_free(&buffer);
	*memory = (struct bareprof_memory){NULL, 0};
}

static enum status add_programs(
	struct programs *programs, const struct bareprof_raw_target *wanted, struct error *error)
{
	enum status status = STATUS_OK;
	struct error why;

	if (wanted->elf)
		status = programs_elf(programs, wanted->elf, &why);
	if (status != STATUS_OK)
		return error_set(
			error, status, "cannot be completed: the ELF file %.1000s %.2500s", wanted->elf, why.text);
	if (wanted->elf_dir)
		status = programs_folder(programs, wanted->elf_dir, &why);
	if (status != STATUS_OK)
		return error_set(
			error, status, "cannot be completed: the folder %.1000s %.2500s", wanted->elf_dir, why.text);
	return STATUS_OK;
}

static enum status convert(struct buffer *out, struct bytes bytes, const struct bareprof_raw_target *wanted,
	struct completion_report *report, struct error *error)
{
	struct raw_target target = {
		.version = wanted->version, .release = wanted->release, .drop_build_ids = wanted->drop_build_ids};
	struct buffer stream = {0};
	struct programs programs;
	struct bytes raw;
	enum status status;

	if (!target.version)
		target.version = raw_version_of_release(target.release);
	programs_start(&programs);
	target.completion =
		(struct completion_options){.programs = &programs, .partial = wanted->partial, .report = report};
	status = add_programs(&programs, wanted, error);
	if (status == STATUS_OK)
		status = profile_raw(bytes, &target.completion, &stream, &raw, error);
	if (status == STATUS_OK)
		status = raw_convert(out, raw, &target, error);
	programs_free(&programs);
	buffer_free(&stream);
	return status;
}

enum bareprof_status bareprof_convert_raw(struct bareprof_memory *memory, const void *data, size_t size,
	const struct bareprof_raw_target *target, struct bareprof_message *message)
{
	struct buffer out = {0};
	struct completion_report report = {0};
	struct error error;
	enum status status = convert(&out, (struct bytes){data, size}, target, &report, &error);

	if (status != STATUS_OK)
		buffer_free(&out);
	*memory = (struct bareprof_memory){out.data, out.size};
	api_remark(&report, message);
	completion_report_free(&report);
	return api_report(status, &error, message);
}
