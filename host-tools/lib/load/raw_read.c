/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_read.c - adds the raw profiles of a file one after the other. Each profile is added to the
 * sum of its image, or directly to the model.
 */
#include "section_sums.h"
#include "correlate.h"
#include "names.h"
#include "profile_read.h"
#include "raw_check.h"
#include "raw_open.h"
#include "raw_profile.h"
#include "raw_read_records.h"

static void add_build_ids(struct model *model, const struct raw_profile *profile)
{
	struct bytes rest = profile->section[BAREPROF_BUILD_ID];
	struct bytes id;

	while (raw_next_build_id(profile, &rest, &id))
		model_add_build_id(model, id);
}

/*
 * Checks that every record has a name. Without this check, a missing name would be found only
 * later, when the sum is added to the model.
 */
static enum status check_names(const struct raw_profile *profile, struct error *error)
{
	struct names names = {0};
	struct raw_function function;
	enum status status = names_unpack(&names, profile->section[BAREPROF_NAMES], error);
	size_t at = 0;
	uint64_t i;

	for (i = 0; i < profile->records && status == STATUS_OK; i++) {
		status = raw_function(profile, i, &function, error);
		if (status == STATUS_OK && !names_near(&names, function.name, &at))
			status = raw_no_name(&function, i, error);
	}
	names_free(&names);
	return status;
}

/*
 * Checks that the section of vtable names can be unpacked. The names themselves are not used, but a
 * section that cannot be unpacked is damaged.
 */
static enum status check_vtable_names(const struct raw_profile *profile, struct error *error)
{
	struct bytes section = profile->section[BAREPROF_VNAMES];
	struct names names = {0};
	enum status status = names_read(&names, section, error);

	if (status == STATUS_OK && section.size && !names.count)
		status = error_set(error, STATUS_INVALID_INPUT,
			"has a damaged section of vtable names: the section is not empty, but contains no names");
	names_free(&names);
	return status;
}

/*
 * Adds the sum of an image to the model, and frees the sum. The counts of the sum are not multiplied
 * here, because the counts of each profile were already multiplied by the weight of that profile.
 */
static enum status add_image(
	struct model *model, struct section_sum *image, const struct read_options *options, struct error *error)
{
	struct read_options once = *options;
	enum status status = STATUS_OK;

	once.add.weight = 1;
	once.input_outlives_model = !model->count;
	if (image->file.size)
		status = raw_read_records(model, &image->profile, &once, image, error);
	if (once.input_outlives_model)
		model_keep(model, &image->file);
	section_sum_free(image);
	return status;
}

/* Adds @profile to @image, which section_sums_find() returned for this profile. @profile comes from raw_sections(). */
static enum status add_to_sum(struct section_sum *image, struct raw_profile *profile, struct bytes bytes,
	const struct read_options *options, struct error *error)
{
	enum status status = raw_finish(profile, bytes, error);

	if (status == STATUS_OK)
		status = raw_check_counts(profile, error);
	if (status == STATUS_OK)
		section_sum_add(image, profile, options->add.weight);
	return status;
}

/* Adds a profile whose records and names exist only in the ELF file. */
static enum status add_correlated(
	struct model *model, const struct raw_profile *profile, const struct read_options *options, struct error *error)
{
	struct read_options whole = *options;
	struct buffer completed = {0};
	enum status status;

	whole.completion.programs = NULL;
	whole.input_outlives_model = false;
	status = correlate(&completed, profile, &options->completion, error);
	if (status == STATUS_OK)
		status = raw_read(model, (struct bytes){completed.data, completed.size}, &whole, error);
	buffer_free(&completed);
	return status;
}

/*
 * Starts a sum for the image of @profile. If the sum of another image must be removed to make room, adds the removed
 * sum to the model.
 */
static enum status start_sum(struct model *model, const struct raw_profile *profile, struct bytes bytes,
	const struct read_options *options, struct error *error)
{
	struct section_sum old = {0};
	enum status status = check_names(profile, error);

	if (status == STATUS_OK)
		status = raw_check_counts(profile, error);
	if (status != STATUS_OK)
		return status;
	section_sums_start(options->sums, profile, bytes, options->add.weight, &old);
	return add_image(model, &old, options, error);
}

static enum status add_opened(struct model *model, const struct raw_profile *profile, struct bytes bytes,
	const struct read_options *options, struct error *error)
{
	enum status status = model_kind(model, profile->version_word, error);

	if (status == STATUS_OK)
		status = check_vtable_names(profile, error);
	if (status != STATUS_OK)
		return status;
	if (raw_correlated(profile))
		return add_correlated(model, profile, options, error);
	add_build_ids(model, profile);
	if (options->sums && section_sum_possible(profile))
		return start_sum(model, profile, bytes, options, error);
	return raw_read_records(model, profile, options, NULL, error);
}

/*
 * Adds the profile at *@offset of @bytes, and moves *@offset to the end of that profile. If
 * options->sums has a sum of the same image, the profile is added to that sum, and its records are
 * not read.
 */
static enum status add_one(struct model *model, struct bytes bytes, size_t *offset, const struct read_options *options,
	struct error *error)
{
	struct raw_profile profile;
	struct section_sum *image;
	enum status status;

	if (options->sums) {
		status = raw_sections(&profile, bytes, *offset, error);
		if (status != STATUS_OK)
			return status;
		image = section_sums_find(options->sums, &profile);
		if (image) {
			status = add_to_sum(image, &profile, bytes, options, error);
			*offset = profile.end;
			return status;
		}
	}
	status = raw_open(&profile, bytes, *offset, error);
	if (status == STATUS_OK)
		status = add_opened(model, &profile, bytes, options, error);
	*offset = profile.end;
	raw_close(&profile);
	return status;
}

enum status raw_read(struct model *model, struct bytes bytes, const struct read_options *options, struct error *error)
{
	enum status status = STATUS_OK;
	size_t offset = 0;

	while (offset < bytes.size && status == STATUS_OK)
		status = add_one(model, bytes, &offset, options, error);
	return status;
}

enum status raw_read_end(struct model *model, const struct read_options *options, struct error *error)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 0; i < SECTION_SUMS_MAX; i++)
		if (status == STATUS_OK)
			status = add_image(model, &options->sums->image[i], options, error);
		else
			section_sum_free(&options->sums->image[i]);
	buffer_free(&options->sums->names_section);
	names_free(&options->sums->names);
	return status;
}
