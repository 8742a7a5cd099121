/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip.c - fuzzes the readers of machine profiles. The first part of an input is a map or a machine profile, the second
 * part is a raw profile. If a reader accepts a part, all writers must accept it too, and reading the result must give
 * the same profile.
 */
#include "fuzz.h"
#include "mip_file.h"
#include "mip_header.h"
#include "mip_join.h"
#include "mip_map.h"
#include "mip_merge.h"

#include <bareprof/capture.h>

static struct bytes bytes_of(const struct buffer *buffer)
{
	return (struct bytes){buffer->data, buffer->size};
}

static bool read_profile(struct mip_profile *profile, struct bytes bytes)
{
	struct error error = {""};
	struct mip_start start;
	enum status status;

	*profile = (struct mip_profile){0};
	if (mip_start_read(&start, bytes) && start.type == BAREPROF_MIP_TYPE_PROFILE) {
		status = mip_file_read(profile, bytes, &error);
	} else {
		status = mip_map_read(profile, bytes, &error);
		if (status == STATUS_OK)
			status = mip_map_guess(profile, &error);
	}
	must(status == STATUS_OK || error.text[0], "a refusal has a reason");
	if (status != STATUS_OK)
		mip_profile_free(profile);
	return status == STATUS_OK;
}

/* Writes and reads a profile twice. Returns false if the version cannot hold the profile. */
static bool check_file(const struct mip_profile *profile, unsigned int version)
{
	struct buffer first = {NULL, 0, 0};
	struct buffer second = {NULL, 0, 0};
	struct mip_profile again = {0};
	struct error error;
	bool good = mip_file_write(&first, profile, version, &error) == STATUS_OK;

	if (good) {
		must(mip_file_read(&again, bytes_of(&first), &error) == STATUS_OK,
			"a .mip that was written can be read");
		must(mip_file_write(&second, &again, version, &error) == STATUS_OK && same(&first, &second),
			"a .mip that was read is written as it was");
	}
	mip_profile_free(&again);
	buffer_free(&first);
	buffer_free(&second);
	return good;
}

static void check_map(const struct mip_profile *profile, unsigned int version)
{
	struct buffer first = {NULL, 0, 0};
	struct buffer second = {NULL, 0, 0};
	struct mip_profile again = {0};
	struct error error;

	if (mip_map_write(&first, profile, version, &error) == STATUS_OK) {
		must(mip_map_read(&again, bytes_of(&first), &error) == STATUS_OK, "a map that was written can be read");
		must(mip_map_place(&again, profile->section, &error) == STATUS_OK,
			"its raw bytes are in their sections");
		must(mip_map_write(&second, &again, version, &error) == STATUS_OK && same(&first, &second),
			"a map that was read is written as it was");
	}
	mip_profile_free(&again);
	buffer_free(&first);
	buffer_free(&second);
}

/* A header may have words for sections that are empty. Such a header becomes shorter. */
static void check_raw_file(const struct mip_raw *raw, struct bytes bytes)
{
	struct buffer first = {NULL, 0, 0};
	struct buffer second = {NULL, 0, 0};
	struct error error = {""};
	struct mip_raw again;

	mip_raw_write(&first, raw);
	must(first.size <= bytes.size, "a .mipraw that is written again does not grow");
	must(first.size < bytes.size || !memcmp(first.data, bytes.data, bytes.size), "a .mipraw is written as it was");
	must(mip_raw_read(&again, bytes_of(&first), &error) == STATUS_OK, "a .mipraw that was written can be read");
	mip_raw_write(&second, &again);
	must(same(&first, &second), "a .mipraw is written the same each time");
	buffer_free(&first);
	buffer_free(&second);
}

static void check_raw(struct mip_profile *profile, struct bytes bytes)
{
	struct buffer out = {NULL, 0, 0};
	struct buffer note = {NULL, 0, 0};
	struct error error = {""};
	struct mip_raw raw;

	if (mip_raw_read(&raw, bytes, &error) != STATUS_OK) {
		must(error.text[0], "a refusal has a reason");
		return;
	}
	if (raw.version == BAREPROF_MIP_V9) {
		check_raw_file(&raw, bytes);
	}
	if (profile && mip_raw_fits(&raw, profile, &note, &error) == STATUS_OK) {
		if (raw.version == BAREPROF_MIP_V9 && mip_raw_v8_write(&out, &raw, profile, &error) == STATUS_OK) {
			must(mip_raw_read(&raw, bytes_of(&out), &error) == STATUS_OK,
				"a .mipraw of version 8 can be read");
			must(mip_merge_raw(profile, &raw, &note, &error) == STATUS_OK, "it belongs to the profile");
		} else if (mip_merge_raw(profile, &raw, &note, &error) != STATUS_OK) {
			/* A call entry is impossible, so the profile is not written. */
			buffer_free(&out);
			buffer_free(&note);
			return;
		}
		must(check_file(profile, BAREPROF_MIP_V9), "version 9 holds every profile");
		check_file(profile, BAREPROF_MIP_V8);
	}
	buffer_free(&out);
	buffer_free(&note);
}

/* Joins a profile with a copy that has other raw bytes. */
static void check_join(const struct mip_profile *profile, struct bytes bytes)
{
	struct mip_profile copy;

	if (read_profile(&copy, bytes)) {
		mip_join_number(&copy);
		if (mip_join_can(&copy, profile)) {
			mip_join(&copy, profile);
			must(check_file(&copy, BAREPROF_MIP_V9), "version 9 holds a joined profile");
		}
		mip_profile_free(&copy);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mip_profile profile;
	struct bytes part[2];
	bool good;

	if (!take_two((struct bytes){data, size}, &part[0], &part[1]))
		return 0;
	good = read_profile(&profile, part[0]);
	if (good) {
		must(check_file(&profile, BAREPROF_MIP_V9), "version 9 holds every profile");
		check_file(&profile, BAREPROF_MIP_V8);
		check_map(&profile, BAREPROF_MIP_V9);
		check_map(&profile, BAREPROF_MIP_V8);
		check_join(&profile, part[0]);
	}
	check_raw(good ? &profile : NULL, part[1]);
	if (good)
		mip_profile_free(&profile);
	return 0;
}

/* A .mip of version 9 ends with a checksum. If it were wrong, no other code of the reader would run. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct mip_start start;
	struct bytes part[2];

	size = change_two(data, size, most, &dice);
	if (take_two((struct bytes){data, size}, &part[0], &part[1]) && mip_start_read(&start, part[0]) &&
		start.version == BAREPROF_MIP_V9 && start.type == BAREPROF_MIP_TYPE_PROFILE && part[0].size > 12)
		store_uint(data + (part[0].data - data) + part[0].size - 4,
			bareprof_crc32c(0, part[0].data, part[0].size - 4), 4, false);
	return size;
}
