/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * api_read.c - libbareprof: makes profiles and reads inputs into them.
 */
#include "api.h"
#include "input.h"
#include "merge_job.h"

#include <stdlib.h>

enum bareprof_status api_report(enum status status, const struct error *error, struct bareprof_message *message)
{
	_Static_assert(sizeof(message->text) == sizeof(error->text), "both texts have the same size");

	if (status != STATUS_OK && message)
		memcpy(message->text, error->text, sizeof(error->text));
	return (enum bareprof_status)status;
}

void api_remark(const struct completion_report *report, struct bareprof_message *message)
{
	const struct buffer *text;
	struct error remark;

	if (!message)
		return;
	text = report->warning.size ? &report->warning : &report->note;
	error_set(&remark, STATUS_OK, "%.*s", (int)(text->size & INT32_MAX), (const char *)text->data);
	memcpy(message->text, remark.text, sizeof(remark.text));
}

struct bareprof_profile *bareprof_profile_new(void)
{
	struct bareprof_profile *profile = allocate(1, sizeof(*profile));

	model_start(&profile->model);
	programs_start(&profile->programs);
	return profile;
}

static bool map_file(const void *context, const char *path, struct bytes *bytes)
{
	const struct bareprof_file_maps *maps = context;
	struct bareprof_bytes mapped;

	if (!maps->map(path, &mapped))
		return false;
	*bytes = (struct bytes){mapped.data, mapped.size};
	return true;
}

static enum status check_file(const void *context, struct error *error)
{
	const struct bareprof_file_maps *maps = context;
	struct bareprof_message message = {""};
	enum bareprof_status status = maps->check(&message);

	return status == BAREPROF_STATUS_OK ? STATUS_OK : error_set(error, (enum status)status, "%s", message.text);
}

void bareprof_profile_map_files(struct bareprof_profile *profile, const struct bareprof_file_maps *maps)
{
	profile->maps = (struct file_maps){map_file, check_file, maps};
}

void bareprof_profile_free(struct bareprof_profile *profile)
{
	if (!profile)
		return;
	model_free(&profile->model);
	programs_free(&profile->programs);
	buffer_free(&profile->left_out);
	arena_free(&profile->problems);
	free(profile);
}

enum bareprof_status bareprof_profile_elf(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message)
{
	struct error error;

	return api_report(programs_elf(&profile->programs, path, &error), &error, message);
}

enum bareprof_status bareprof_profile_elf_dir(
	struct bareprof_profile *profile, const char *path, struct bareprof_message *message)
{
	struct error error;

	return api_report(programs_folder(&profile->programs, path, &error), &error, message);
}

void bareprof_profile_partial(struct bareprof_profile *profile, bool partial)
{
	profile->partial = partial;
}

const char *bareprof_profile_left_out(const struct bareprof_profile *profile, size_t *at)
{
	const char *name = (const char *)profile->left_out.data + *at;

	if (*at >= profile->left_out.size)
		return NULL;
	*at += strlen(name) + 1;
	return name;
}

/*
 * Appends the names of the functions that a partial profile lacks to profile->left_out. In @report
 * each name ends with a newline; in profile->left_out it ends with a zero byte.
 */
static void keep_left_out(struct bareprof_profile *profile, const struct completion_report *report)
{
	size_t i;

	buffer_add(&profile->left_out, report->left_out.data, report->left_out.size);
	for (i = profile->left_out.size - report->left_out.size; i < profile->left_out.size; i++)
		if (profile->left_out.data[i] == '\n')
			profile->left_out.data[i] = 0;
}

static enum status check_open(const struct bareprof_profile *profile, uint64_t weight, struct error *error)
{
	if (profile->sorted)
		return error_set(error, STATUS_USAGE,
			"cannot be added: the profile was already read or written; add all inputs before you read or "
			"write it");
	if (!weight)
		return error_set(error, STATUS_USAGE, "cannot be added with weight 0: a weight must be at least 1");
	return STATUS_OK;
}

/* Moves everything from @model to the profile, and leaves @model empty. */
static enum status join_model(struct bareprof_profile *profile, struct model *model, struct error *error)
{
	if (profile->model.has_kind)
		return model_join(&profile->model, model, error);
	model_free(&profile->model);
	profile->model = *model;
	model_start(model);
	return STATUS_OK;
}

static enum status read_bytes(struct bareprof_profile *profile, struct bytes bytes, uint64_t weight,
	struct completion_report *report, struct error *error)
{
	struct read_options options = {.add = {.weight = weight},
		.completion = {.programs = &profile->programs, .partial = profile->partial, .report = report},
		.add_dumps = true};
	struct model model;
	enum status status;

	model_start(&model);
	status = profile_read(&model, bytes, &options, error);
	if (status == STATUS_OK)
		status = join_model(profile, &model, error);
	if (status == STATUS_OK)
		keep_left_out(profile, report);
	model_free(&model);
	return status;
}

enum bareprof_status bareprof_profile_read_memory(struct bareprof_profile *profile, const void *data, size_t size,
	uint64_t weight, struct bareprof_message *message)
{
	struct completion_report report = {0};
	struct error error;
	enum status status = check_open(profile, weight, &error);

	if (status == STATUS_OK)
		status = read_bytes(profile, (struct bytes){data, size}, weight, &report, &error);
	api_remark(&report, message);
	completion_report_free(&report);
	return api_report(status, &error, message);
}

enum bareprof_status bareprof_profile_read(
	struct bareprof_profile *profile, const char *path, uint64_t weight, struct bareprof_message *message)
{
	struct error error;
	struct input input = {0};
	struct completion_report report = {0};
	enum status status = check_open(profile, weight, &error);

	if (status == STATUS_OK)
		status = input_read(&input, path, &error);
	if (status == STATUS_OK)
		status = read_bytes(profile, input.bytes, weight, &report, &error);
	input_free(&input);
	api_remark(&report, message);
	completion_report_free(&report);
	return api_report(status, &error, message);
}

static const char *keep_text(struct bareprof_profile *profile, const char *text)
{
	size_t size = strlen(text) + 1;
	char *kept = arena_take(&profile->problems, size);

	memcpy(kept, text, size);
	return kept;
}

/*
 * Stores the status and the texts of each input in @inputs. If the job has failed, copies the first
 * error to @error and returns its status. Without keep_going, the job has failed if any input is
 * bad. With keep_going, it has failed only if all inputs are bad.
 */
static enum status report_inputs(
	struct bareprof_profile *profile, struct bareprof_input *inputs, struct merge_job *merging, struct error *error)
{
	enum status status = STATUS_OK;
	size_t bad = 0;
	size_t i;

	for (i = 0; i < merging->count; i++) {
		struct merge_input *input = &merging->inputs[i];

		if (input->report.warning.size)
			inputs[i].warning = keep_text(profile, buffer_string(&input->report.warning));
		if (input->report.note.size)
			inputs[i].note = keep_text(profile, buffer_string(&input->report.note));
		if (input->status == STATUS_OK)
			continue;
		inputs[i].error = keep_text(profile, input->error->text);
		inputs[i].status = (enum bareprof_status)input->status;
		if (!bad++) {
			status = input->status;
			*error = *input->error;
		}
	}
	return !merging->keep_going || (bad && bad == merging->count) ? status : STATUS_OK;
}

enum bareprof_status bareprof_profile_read_files(struct bareprof_profile *profile, struct bareprof_input *inputs,
	size_t count, const struct bareprof_read_options *how, struct bareprof_message *message)
{
	struct merge_job merging = {.keep_going = how->keep_going,
		.jobs = how->jobs,
		.progress = how->progress,
		.context = how->context,
		.maps = profile->maps.map ? &profile->maps : NULL,
		.options = {.completion = {.programs = &profile->programs, .partial = profile->partial},
			.add = {.shard = how->shard, .shards = how->shards}}};
	enum status status = STATUS_OK;
	struct error error;
	struct model model;
	size_t i;

	model_start(&model);
	for (i = 0; i < count && status == STATUS_OK; i++) {
		status = check_open(profile, inputs[i].weight, &error);
		inputs[i].status = BAREPROF_STATUS_OK;
		inputs[i].error = NULL;
		inputs[i].warning = NULL;
		merge_job_add(&merging, inputs[i].path, inputs[i].weight);
	}
	if (status == STATUS_OK) {
		status = merge_job_run(&merging, &model, &error);
		if (status == STATUS_OK)
			status = report_inputs(profile, inputs, &merging, &error);
		if (status == STATUS_OK)
			status = join_model(profile, &model, &error);
		for (i = 0; i < count && status == STATUS_OK; i++)
			if (merging.inputs[i].status == STATUS_OK)
				keep_left_out(profile, &merging.inputs[i].report);
	}
	model_free(&model);
	merge_job_free(&merging);
	return api_report(status, &error, message);
}
