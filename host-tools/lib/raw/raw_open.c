/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_open.c - reads the header of a raw profile and finds its sections. The header contains the sizes of the sections.
 * Each of these sizes is compared with the size of the file before it is used.
 */
#include "raw_open.h"
#include "raw_release.h"
#include "raw_values.h"
#include "raw_weak_duplicates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* For each index of a header word, the table has the first raw version with that word. */
static const uint8_t since[BAREPROF_HEADER_MAX] = {
#define SINCE(name, first, ...) [BAREPROF_HEADER_##name] = first,
	BAREPROF_HEADER_WORDS(SINCE)
#undef SINCE
};

/* The state of a walk through the sections of a profile, in the order of the file. */
struct walk {
	struct bytes rest; /* the bytes from the next section to the end of the file */
	struct error *error;
	enum status status;
};

static bool identify(struct raw_profile *profile, struct bytes bytes)
{
	int big;

	if (bytes.size < 8)
		return false;
	for (big = 0; big < 2; big++) {
		uint64_t magic = load_uint(bytes.data, 8, big);

		profile->big = big;
		profile->width = magic == BAREPROF_RAW_MAGIC_32 ? 4 : 8;
		if (magic == BAREPROF_RAW_MAGIC_32 || magic == BAREPROF_RAW_MAGIC_64)
			return true;
	}
	return false;
}

bool raw_magic(struct bytes file)
{
	struct raw_profile unused;

	return identify(&unused, file);
}

static enum status check_version(const struct raw_profile *profile, struct error *error)
{
	struct buffer text = {0};

	if (raw_release(profile->version))
		return STATUS_OK;
	if (!profile->version)
		return error_set(
			error, STATUS_INVALID_INPUT, "has a damaged header: it claims raw version 0" HINT_FETCH_AGAIN);
	if (profile->version == BAREPROF_RAW_V6)
		return error_set(error, STATUS_INVALID_INPUT,
			"has raw version 6, which no release of LLVM writes" HINT_FETCH_AGAIN);
	if (profile->version < BAREPROF_RAW_OLDEST) {
		const struct raw_release *oldest = raw_release(BAREPROF_RAW_OLDEST);

		return error_set(error, STATUS_INVALID_INPUT,
			"has raw version %u, but this bareprof reads only raw version %u (LLVM %u) and later: compile "
			"the program with clang %u or later, and run it again",
			profile->version, BAREPROF_RAW_OLDEST, oldest->oldest, oldest->oldest);
	}
	raw_release_text(BAREPROF_RAW_NEWEST, &text);
	error_set(error, STATUS_INVALID_INPUT,
		"has raw version %u, but this bareprof reads only raw versions %u to %u (%s): use a newer bareprof",
		profile->version, BAREPROF_RAW_OLDEST, BAREPROF_RAW_NEWEST, buffer_string(&text));
	buffer_free(&text);
	return STATUS_INVALID_INPUT;
}

/* Checks that the distances between sections fit into a pointer of the program. */
static enum status check_deltas(const struct raw_profile *profile, struct error *error)
{
	const uint64_t *header = profile->header;
	uint64_t delta = header[BAREPROF_HEADER_COUNTERS_DELTA];

	if (header[BAREPROF_HEADER_NUM_BITMAP_BYTES])
		delta |= header[BAREPROF_HEADER_BITMAP_DELTA];
	if (profile->width == 8 || delta <= UINT32_MAX)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"has a damaged header: the distance %016" PRIx64
		" between two sections does not fit into 32 bits" HINT_FETCH_AGAIN,
		delta);
}

enum status raw_identify(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error)
{
	size_t i;

	*profile = (struct raw_profile){0};
	if (!identify(profile, bytes))
		return error_set(error, STATUS_INVALID_INPUT,
			bytes.size ? "is not a raw profile: it does not start with the magic number of a raw profile"
				   : "is empty: the program that should have written it wrote nothing");
	if (bytes.size < RAW_START)
		return error_set(error, STATUS_INVALID_INPUT, "is cut short in the header" HINT_FETCH_AGAIN);
	profile->version_word = load_uint(bytes.data + 8, 8, profile->big);
	profile->version = (unsigned int)(profile->version_word & BAREPROF_VERSION_NUMBER);
	*size = 0;
	for (i = 0; i < BAREPROF_HEADER_MAX; i++)
		*size += since[i] > profile->version ? 0 : 8;
	return check_version(profile, error);
}

enum status raw_header(struct raw_profile *profile, struct bytes bytes, size_t *size, struct error *error)
{
	const uint8_t *at = bytes.data;
	size_t i;

	if (raw_identify(profile, bytes, size, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	if (bytes.size < *size)
		return error_set(error, STATUS_INVALID_INPUT, "is cut short in the header" HINT_FETCH_AGAIN);
	for (i = 0; i < BAREPROF_HEADER_MAX; i++) {
		if (since[i] > profile->version)
			continue;
		profile->header[i] = load_uint(at, 8, profile->big);
		at += 8;
	}
	profile->counter_size = profile->version_word & BAREPROF_VARIANT_BYTE_COVERAGE ? 1 : 8;
	profile->record_size = BAREPROF_RECORD_SIZE(profile->version, profile->width);
	profile->records = profile->header[BAREPROF_HEADER_NUM_DATA];
	if (profile->header[BAREPROF_HEADER_VALUE_KIND_LAST] != BAREPROF_VALUE_KINDS_OF(profile->version) - 1)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a damaged header: it claims %" PRIu64
			" kinds of values, but raw version %u has %u" HINT_FETCH_AGAIN,
			profile->header[BAREPROF_HEADER_VALUE_KIND_LAST] + 1, profile->version,
			BAREPROF_VALUE_KINDS_OF(profile->version));
	return check_deltas(profile, error);
}

void raw_section_list(const struct raw_profile *profile, struct raw_section *part)
{
	const uint64_t *header = profile->header;
	uint64_t names = header[BAREPROF_HEADER_NAMES_SIZE];
	uint64_t vtables = header[BAREPROF_HEADER_NUM_VTABLES];
	uint64_t vnames = header[BAREPROF_HEADER_VNAMES_SIZE];
	size_t vtable_size = BAREPROF_VTABLE_SIZE(profile->width);
	const struct raw_section parts[RAW_SECTIONS] = {
		{"build ids", BAREPROF_BUILD_ID, header[BAREPROF_HEADER_BINARY_IDS_SIZE], 1, 0},
		{"records", BAREPROF_DATA, profile->records, profile->record_size,
			header[BAREPROF_HEADER_PAD_BEFORE_COUNTERS]},
		{"counters", BAREPROF_CNTS, header[BAREPROF_HEADER_NUM_COUNTERS], profile->counter_size,
			header[BAREPROF_HEADER_PAD_AFTER_COUNTERS]},
		{"bitmaps", BAREPROF_BITS, header[BAREPROF_HEADER_NUM_BITMAP_BYTES], 1,
			header[BAREPROF_HEADER_PAD_AFTER_BITMAP]},
		/* Raw version 11 can have uniform counters, which clang uses for GPUs. bareprof skips them. */
		{"uniform counters", BAREPROF_SECTIONS, header[BAREPROF_HEADER_NUM_UNIFORM_COUNTERS], 8,
			header[BAREPROF_HEADER_PAD_AFTER_UNIFORM_COUNTERS]},
		{"names", BAREPROF_NAMES, names, 1, BAREPROF_PAD8(names)},
		{"vtable records", BAREPROF_VTAB, vtables, vtable_size, BAREPROF_PAD8(vtables * vtable_size)},
		{"vtable names", BAREPROF_VNAMES, vnames, 1, BAREPROF_PAD8(vnames)},
	};

	memcpy(part, parts, sizeof(parts));
}

/*
 * Moves the walk past @count elements of @size bytes and @pad bytes of padding. Returns the
 * elements. After an error in this walk, the result is empty.
 */
static struct bytes take_section(struct walk *walk, const char *what, uint64_t count, size_t size, uint64_t pad)
{
	struct bytes result = {NULL, 0};
	struct bytes padding;

	if (walk->status != STATUS_OK)
		return result;
	if (count > walk->rest.size / size || !bytes_slice(walk->rest, 0, count * size, &result) ||
		!bytes_slice(walk->rest, result.size, pad, &padding)) {
		walk->status = error_set(walk->error, STATUS_INVALID_INPUT,
			"is cut short or has a damaged header: its %s should have %" PRIu64 " bytes and %" PRIu64
			" of padding, but only %zu bytes are left" HINT_FETCH_AGAIN,
			what, count > UINT64_MAX / size ? UINT64_MAX : count * size, pad, walk->rest.size);
		return (struct bytes){NULL, 0};
	}
	walk->rest.data += result.size + padding.size;
	walk->rest.size -= result.size + padding.size;
	return result;
}

static void take_sections(struct raw_profile *profile, struct walk *walk)
{
	struct raw_section part[RAW_SECTIONS];
	size_t i;

	raw_section_list(profile, part);
	for (i = 0; i < RAW_SECTIONS; i++) {
		struct bytes bytes = take_section(walk, part[i].what, part[i].count, part[i].size, part[i].pad);

		if (part[i].section < BAREPROF_SECTIONS)
			profile->section[part[i].section] = bytes;
	}
}

static enum status read_build_ids(struct raw_profile *profile, struct error *error)
{
	struct bytes rest = profile->section[BAREPROF_BUILD_ID];
	struct bytes id;

	while (raw_next_build_id(profile, &rest, &id))
		if (!profile->build_id.size)
			profile->build_id = id;
	if (rest.size)
		return error_set(error, STATUS_INVALID_INPUT, "has a damaged list of build ids" HINT_FETCH_AGAIN);
	return STATUS_OK;
}

struct counter_extent {
	const uint8_t *start;
	uint64_t index;
	size_t size;
};

static int compare_extents(const void *left, const void *right)
{
	const struct counter_extent *a = left;
	const struct counter_extent *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

/*
 * Checks that no two records have a counter in common. The caller has already checked that the
 * counters of each record are in the section.
 */
static enum status check_overlaps(const struct raw_profile *profile, struct error *error)
{
	struct counter_extent *extent = allocate((size_t)profile->records, sizeof(*extent));
	enum status status = STATUS_OK;
	uint64_t i;

	for (i = 0; i < profile->records; i++) {
		struct raw_function function;

		raw_function(profile, i, &function, error);
		extent[i] = (struct counter_extent){function.counters.data, i, function.counters.size};
	}
	qsort(extent, (size_t)profile->records, sizeof(*extent), compare_extents);
	for (i = 1; i < profile->records && status == STATUS_OK; i++)
		if (extent[i].start < extent[i - 1].start + extent[i - 1].size)
			status = error_set(error, STATUS_INVALID_INPUT,
				"is malformed: functions %" PRIu64 " and %" PRIu64 " share counters" HINT_FETCH_AGAIN,
				extent[i - 1].index, extent[i].index);
	free(extent);
	return status;
}

enum status raw_records(struct raw_profile *profile, raw_each *each, void *context, struct error *error)
{
	enum status status = STATUS_OK;
	const uint8_t *end = NULL; /* end of the counters of the previous record */
	bool ascending = true;
	uint64_t i;

	for (i = 0; i < profile->records && status == STATUS_OK; i++) {
		struct raw_function function;

		status = raw_function(profile, i, &function, error);
		if (status != STATUS_OK)
			break;
		ascending = ascending && (!end || function.counters.data >= end);
		end = function.counters.data + function.counters.size;
		profile->has_sites = profile->has_sites || raw_has_sites(&function);
		if (each)
			status = each(context, i, &function, error);
	}
	/* If the counters are in the order of their records, as in most profiles, no counters overlap. */
	if (status == STATUS_OK && !ascending && !raw_fix_weak_duplicates(profile))
		status = check_overlaps(profile, error);
	return status;
}

/*
 * Finds the end of the profile. After the profile there may be zeros, and then the end of the file
 * or another raw profile.
 */
static enum status find_end(struct raw_profile *profile, struct bytes file, struct bytes rest, struct error *error)
{
	while (rest.size && !*rest.data) {
		rest.data++;
		rest.size--;
	}
	profile->end = file.size - rest.size;
	if (!rest.size)
		return STATUS_OK;
	if (!raw_magic(rest))
		return error_set(error, STATUS_INVALID_INPUT,
			"has %zu bytes at offset %zu that do not belong to a profile" HINT_FETCH_AGAIN, rest.size,
			profile->end);
	if (profile->end % 8)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a second profile at offset %zu, which is not a multiple of 8: pad each profile to a "
			"multiple of 8 bytes before you join them",
			profile->end);
	return STATUS_OK;
}

enum status raw_sections(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error)
{
	struct walk walk = {{NULL, 0}, error, STATUS_OK};
	enum status status;
	size_t size;

	*profile = (struct raw_profile){0};
	if (!bytes_slice(file, offset, file.size - offset, &walk.rest))
		return error_set(error, STATUS_INVALID_INPUT, "is cut short");
	status = raw_header(profile, walk.rest, &size, error);
	if (status != STATUS_OK)
		return status;
	profile->offset = offset;
	walk.rest.data += size;
	walk.rest.size -= size;
	take_sections(profile, &walk);
	profile->values = walk.rest;
	return walk.status == STATUS_OK ? read_build_ids(profile, error) : walk.status;
}

enum status raw_finish(struct raw_profile *profile, struct bytes file, struct error *error)
{
	struct bytes rest = profile->values;
	size_t values = 0;

	if (profile->has_sites && raw_values_skip(profile, rest, &values, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	profile->values.size = values;
	rest.data += values;
	rest.size -= values;
	return find_end(profile, file, rest, error);
}

enum status raw_open(struct raw_profile *profile, struct bytes file, size_t offset, struct error *error)
{
	enum status status = raw_sections(profile, file, offset, error);

	if (status == STATUS_OK)
		status = raw_records(profile, NULL, NULL, error);
	if (status == STATUS_OK)
		status = raw_finish(profile, file, error);
	if (status != STATUS_OK)
		raw_close(profile);
	return status;
}

void raw_close(struct raw_profile *profile)
{
	raw_weak_duplicates_free(profile);
}
