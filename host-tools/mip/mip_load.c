/* SPDX-License-Identifier: BSD-2-Clause */
/* mip_load.c - opens the inputs of the commands of machine profiles. */
#include "mip_load.h"
#include "dump_receiver.h"
#include "exit.h"
#include "foreign.h"
#include "input.h"
#include "mip_dump.h"
#include "mip_file.h"
#include "mip_header.h"
#include "mip_image.h"
#include "mip_map.h"
#include "output.h"

#include <inttypes.h>
#include <string.h>

static bool is_elf(struct bytes bytes)
{
	return bytes.size >= 4 && !memcmp(bytes.data, "\177ELF", 4);
}

static enum status load_elf(struct mip_profile *profile, const char *path, struct error *error)
{
	struct image image = {0};
	enum status status = image_open(&image, path, error);

	if (status == STATUS_OK)
		status = mip_image_read(profile, &image, error);
	image_close(&image);
	return status;
}

static enum status load_bytes(struct mip_profile *profile, struct bytes bytes, struct error *error)
{
	struct mip_start start;
	enum status status;

	if (!mip_start_read(&start, bytes)) {
		status = bytes.size ? foreign_refuse(bytes, error) : STATUS_OK;
		if (status != STATUS_OK)
			return status;
		return error_set(error, STATUS_INVALID_INPUT,
			"is neither an ELF file nor a map (.mipmap) nor a machine profile (.mip); give such a file; "
			"'bareprof mip merge --elf ELF' makes a machine profile from raw machine profiles, and "
			"'bareprof mip convert --to mip --elf ELF' makes one from counters of clang");
	}
	if (start.type == BAREPROF_MIP_TYPE_PROFILE)
		return mip_file_read(profile, bytes, error);
	status = mip_map_read(profile, bytes, error);
	return status == STATUS_OK ? mip_map_guess(profile, error) : status;
}

enum status mip_load(struct mip_profile *profile, const char *path)
{
	struct input input = {0};
	struct error error;
	enum status status = input_read(&input, path, &error);

	*profile = (struct mip_profile){0};
	if (status == STATUS_OK)
		status = is_elf(input.bytes) ? load_elf(profile, path, &error)
		                             : load_bytes(profile, input.bytes, &error);
	if (status != STATUS_OK)
		error_print(input_name(path), &error);
	input_free(&input);
	return status;
}

enum status mip_require_runs(const struct mip_profile *profile, const char *path)
{
	if (profile->merged)
		return STATUS_OK;
	complain(input_name(path), "has no raw profile yet: add one with 'bareprof mip merge'");
	return STATUS_INVALID_INPUT;
}

/* The dumps of one input. */
struct dumps {
	struct dump_receiver receiver;
	const char *name;
	size_t machine; /* number of dumps of machine profiles */
	size_t left_out; /* how many of them are not used, because a later dump has all of their counts */
	size_t others; /* how many of them are not used, because their build id is not that of the profile */
	bool by_id; /* at least one dump has the build id of the profile */
};

static bool has_id(const struct sent_dump *sent, const struct mip_profile *profile)
{
	return profile && profile->id.size && sent->begin.id.size == profile->id.size &&
	       !memcmp(sent->begin.id.data, profile->id.data, profile->id.size);
}

static void count_dumps(struct dumps *dumps, const struct mip_profile *profile)
{
	const struct capture *capture = &dumps->receiver.capture;
	size_t i;

	for (i = 0; i < capture->sent_count; i++) {
		dumps->machine += capture->sent_dumps[i].machine;
		dumps->by_id |= capture->sent_dumps[i].machine && has_id(&capture->sent_dumps[i], profile);
	}
}

/* Returns an error for an input without a dump of a machine profile. */
static enum status no_dump(struct dumps *dumps, struct bytes bytes, struct error *error)
{
	const struct capture *capture = &dumps->receiver.capture;
	struct buffer text = {0};
	enum status status = capture->sent_count ? STATUS_OK : foreign_refuse(bytes, error);
	const struct sent_dump *last;

	if (status != STATUS_OK)
		return status;
	dump_receiver_damage(&dumps->receiver, &text);
	last = capture->sent_count ? &capture->sent_dumps[capture->sent_count - 1] : NULL;
	if (!last)
		error_set(error, STATUS_INVALID_INPUT,
			"is not a raw machine profile (.mipraw), and " NO_DUMP_FOUND "%s", buffer_string(&text));
	else if (last->state != DUMP_COMPLETE) {
		sent_dump_problem(last, &text);
		error_set(error, STATUS_INVALID_INPUT, "has no complete dump of a machine profile%s; dump again",
			buffer_string(&text));
	} else
		error_set(error, STATUS_INVALID_INPUT,
			"has dumps, but none of a machine profile: 'bareprof pull' and 'bareprof merge' read the dump "
			"%08" PRIx32 "%s",
			last->tag, buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

static enum status pass_raw(struct bytes bytes, const char *name, mip_raw_function function, void *context)
{
	struct mip_raw raw;
	struct error error;
	enum status status = mip_raw_read(&raw, bytes, &error);

	if (status == STATUS_OK)
		return function(context, &raw, name);
	error_print(name, &error);
	return status;
}

static enum status pass_dump(struct dumps *dumps, size_t index, mip_raw_function function, void *context)
{
	const struct sent_dump *sent = &dumps->receiver.capture.sent_dumps[index];
	struct buffer raw = {0};
	struct buffer text = {0};
	struct error error;
	enum status status = STATUS_INVALID_INPUT;

	if (sent->state != DUMP_COMPLETE) {
		sent_dump_problem(sent, &text);
		complain(dumps->name, "%s; dump again, or append another log of the same dump", buffer_string(&text));
		buffer_free(&text);
		return status;
	}
	status = mip_dump_raw(&raw, &dumps->receiver.capture, sent, &error);
	if (status != STATUS_OK)
		error_print(dumps->name, &error);
	else
		status = pass_raw((struct bytes){raw.data, raw.size}, dumps->name, function, context);
	buffer_free(&raw);
	return status;
}

static void tell_left_out(const struct dumps *dumps)
{
	if (dumps->left_out)
		complain(dumps->name,
			"note: %zu of %zu dumps of machine profiles %s left out, because a later dump of the same boot "
			"has all counts of %s; if the dumps come from different boots, dump again with another nonce "
			"for each boot",
			dumps->left_out, dumps->machine, dumps->left_out == 1 ? "was" : "were",
			dumps->left_out == 1 ? "the earlier dump" : "the earlier dumps");
	if (dumps->others)
		complain(dumps->name,
			"note: %zu of %zu dumps of machine profiles %s left out, because of another build id",
			dumps->others, dumps->machine, dumps->others == 1 ? "was" : "were");
}

static enum status pass_dumps(struct bytes bytes, const char *name, const struct mip_profile *profile,
	mip_raw_function function, void *context)
{
	struct dumps dumps = {.name = name};
	struct error error;
	enum status status = STATUS_OK;
	size_t i;

	dump_receiver_start(&dumps.receiver, NULL, NULL);
	scan_bytes(&dumps.receiver.scan, bytes);
	dump_receiver_sort(&dumps.receiver);
	count_dumps(&dumps, profile);
	if (!dumps.machine) {
		status = no_dump(&dumps, bytes, &error);
		error_print(name, &error);
	}
	for (i = 0; i < dumps.receiver.capture.sent_count && status == STATUS_OK; i++) {
		const struct sent_dump *sent = &dumps.receiver.capture.sent_dumps[i];

		if (!sent->machine)
			continue;
		if (dumps.by_id && !has_id(sent, profile))
			dumps.others++;
		else if (!dump_receiver_adds_up(&dumps.receiver, i))
			dumps.left_out++;
		else
			status = pass_dump(&dumps, i, function, context);
	}
	if (status == STATUS_OK)
		tell_left_out(&dumps);
	dump_receiver_free(&dumps.receiver);
	return status;
}

enum status mip_load_raws(
	const char *path, const struct mip_profile *profile, mip_raw_function function, void *context, bool *is_profile)
{
	struct input input = {0};
	struct mip_start start;
	struct error error;
	enum status status = input_read(&input, path, &error);

	if (status != STATUS_OK)
		error_print(input_name(path), &error);
	else if (!mip_start_read(&start, input.bytes))
		status = pass_dumps(input.bytes, input_name(path), profile, function, context);
	else if (is_profile && start.type == BAREPROF_MIP_TYPE_PROFILE)
		*is_profile = true;
	else
		status = pass_raw(input.bytes, input_name(path), function, context);
	input_free(&input);
	return status;
}

enum status mip_write(const char *path, struct bytes content)
{
	struct error error;
	enum status status = output_write(path, content, &error);

	if (status != STATUS_OK)
		error_print(output_name(path), &error);
	return status;
}

enum status mip_write_profile(const char *path, const struct mip_profile *profile, unsigned int version)
{
	struct buffer content = {0};
	struct error error;
	enum status status = mip_file_write(&content, profile, version, &error);

	if (status == STATUS_OK)
		status = mip_write(path, (struct bytes){content.data, content.size});
	else
		error_print(output_name(path), &error);
	buffer_free(&content);
	return status;
}

void mip_tell_notes(const char *subject, struct buffer *note)
{
	if (note->size)
		complain(subject, "note: %s", buffer_string(note));
	buffer_free(note);
}
