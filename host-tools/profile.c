/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c - tell a .profraw from a capture, and both from what is neither.
 */
#include "profile.h"

#include <string.h>

static bool starts_with(struct bytes bytes, const char *text, size_t n)
{
	return bytes.size >= n && !memcmp(bytes.data, text, n);
}

/* Files that people give by mistake. */
static enum status check_kind(struct profile_file *file, struct error *error)
{
	struct bytes bytes = file->input.bytes;

	if (!bytes.size)
		return error_set(error, STATUS_BAD, "is empty: the program that should have written it did not");
	file->indexed = starts_with(bytes, "\xfflprofi\x81", 8);
	if (file->indexed)
		return error_set(error, STATUS_BAD,
			"is an indexed profile (.profdata), not a raw one; 'bareprof show' reads it");
	if (starts_with(bytes,
		    "\x7f"
		    "ELF",
		    4))
		return error_set(error, STATUS_BAD, "is an ELF file, not a profile");
	return STATUS_OK;
}

enum status profile_read(struct profile_file *file, const char *path, struct error *error)
{
	enum status status;

	*file = (struct profile_file){0};
	dump_start(&file->dump, NULL, NULL);
	status = input_read(&file->input, path, error);
	if (status != STATUS_OK)
		return status;
	file->raw = file->input.bytes;
	status = check_kind(file, error);
	if (status != STATUS_OK || raw_magic(file->raw))
		return status;
	scan_bytes(&file->dump.scan, file->raw);
	status = dump_finish(&file->dump, NULL, error);
	if (status != STATUS_OK && !file->dump.capture.session_count && !file->dump.scan.damaged_lines)
		return error_set(error, STATUS_BAD, "is no raw profile (its magic is not there), and no dump is in it");
	file->raw = (struct bytes){file->dump.stream.data, file->dump.stream.size};
	file->dumped = true;
	return status;
}

void profile_free(struct profile_file *file)
{
	dump_free(&file->dump);
	input_free(&file->input);
}
