/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units.c - reads the source files of functions from a coverage mapping. A record of
 * __llvm_covfun has the name hash of a function and a reference to a list of file names in
 * __llvm_covmap. The reference is the MD5 of the packed list.
 */
#include "units.h"
#include "inflate.h"
#include "md5.h"

#include <stdlib.h>

/*
 * The first and the last version of the mapping that this file reads. These versions have the functions in the section
 * __llvm_covfun. Each number is as in the file, which is 1 less than in LLVM's sources.
 */
#define VERSION_APART 3u
#define VERSION_LAST  6u

/* The maximum size of an unpacked list of file names, in bytes. A list with a larger size in its header is refused. */
#define LIST_MAX (1u << 24)

static uint64_t take(struct cursor *cursor, unsigned int width, bool big)
{
	struct bytes bytes = take_bytes(cursor, width);

	return bytes.data ? load_uint(bytes.data, width, big) : 0;
}

/* Records of both sections start at multiples of 8. */
static void align(struct cursor *cursor, const uint8_t *start)
{
	while ((cursor->at - start) % 8 && cursor->at < cursor->end)
		cursor->at++;
}

static int compare_functions(const void *left, const void *right)
{
	return compare_uint(((const struct unit_function *)left)->name, ((const struct unit_function *)right)->name);
}

static int compare_files(const void *left, const void *right)
{
	return compare_uint(
		((const struct unit_files *)left)->reference, ((const struct unit_files *)right)->reference);
}

static void read_files(struct units *units, struct bytes covmap, bool big)
{
	struct cursor cursor = cursor_of(covmap);
	const uint8_t *start = cursor.at;

	while (cursor.at < cursor.end) {
		uint64_t records = take(&cursor, 4, big);
		uint64_t size = take(&cursor, 4, big);
		uint64_t coverage = take(&cursor, 4, big);
		uint64_t version = take(&cursor, 4, big);
		struct bytes packed = take_bytes(&cursor, size);

		if (cursor.failed || records || coverage || version < VERSION_APART || version > VERSION_LAST)
			return;
		units->files = array_grow(units->files, units->file_count, &units->file_room, sizeof(*units->files));
		units->files[units->file_count++] = (struct unit_files){md5_low(packed), packed};
		align(&cursor, start);
	}
}

static void read_functions(struct units *units, struct bytes covfun, bool big)
{
	struct cursor cursor = cursor_of(covfun);
	const uint8_t *start = cursor.at;

	while (cursor.at < cursor.end) {
		struct unit_function function = {.name = take(&cursor, 8, big)};
		uint64_t size = take(&cursor, 4, big);
		struct cursor mapping;

		function.structure = take(&cursor, 8, big);
		function.files = take(&cursor, 8, big);
		mapping = cursor_of(take_bytes(&cursor, size));
		if (cursor.failed)
			return;
		align(&cursor, start);
		/*
		 * The mapping begins with the number of files and the index of the file in
		 * which the function starts.
		 */
		if (!take_uleb(&mapping))
			continue;
		function.file = take_uleb(&mapping);
		if (mapping.failed)
			continue;
		units->functions =
			array_grow(units->functions, units->function_count, &units->function_room, sizeof(function));
		units->functions[units->function_count++] = function;
	}
}

void units_read(struct units *units, struct bytes covmap, struct bytes covfun, bool big)
{
	read_files(units, covmap, big);
	read_functions(units, covfun, big);
	if (units->file_count)
		qsort(units->files, units->file_count, sizeof(*units->files), compare_files);
	if (units->function_count)
		qsort(units->functions, units->function_count, sizeof(*units->functions), compare_functions);
}

/*
 * Returns the file name with index @wanted, or NULL. A list begins with three numbers: the number of names, the size of
 * the unpacked names, and the size of the packed names. The third number is 0 if the names are not packed. Then come
 * the names. The length of each name is before the name.
 */
static char *name_of(struct bytes list, uint64_t wanted)
{
	struct cursor cursor = cursor_of(list);
	uint64_t count = take_uleb(&cursor);
	uint64_t size = take_uleb(&cursor);
	uint64_t packed = take_uleb(&cursor);
	struct bytes content = take_bytes(&cursor, packed ? packed : size);
	struct bytes name = {NULL, 0};
	struct buffer unpacked = {0};
	char *result = NULL;

	if (cursor.failed || wanted >= count || size > LIST_MAX)
		return NULL;
	if (packed) {
		if (!inflate_all(content, (size_t)size, &unpacked)) {
			buffer_free(&unpacked);
			return NULL;
		}
		content = (struct bytes){unpacked.data, unpacked.size};
	}
	cursor = cursor_of(content);
	do
		name = take_bytes(&cursor, take_uleb(&cursor));
	while (wanted-- && !cursor.failed);
	if (name.size)
		result = format("%.*s", (int)(name.size & 0xffff), (const char *)name.data);
	buffer_free(&unpacked);
	return result;
}

const struct unit_function *units_function(const struct units *units, uint64_t name)
{
	struct unit_function wanted = {.name = name};

	if (!units->function_count)
		return NULL;
	return bsearch(&wanted, units->functions, units->function_count, sizeof(wanted), compare_functions);
}

bool units_is_unused(const struct units *units, uint64_t name)
{
	const struct unit_function *end = units->functions + units->function_count;
	const struct unit_function *at = units_function(units, name);

	if (!at)
		return false;
	while (at > units->functions && at[-1].name == name)
		at--;
	for (; at < end && at->name == name; at++)
		if (at->structure)
			return false;
	return true;
}

char *units_file(const struct units *units, uint64_t name)
{
	const struct unit_function *found = units_function(units, name);
	struct unit_files wanted = {0};
	const struct unit_files *list;

	if (!found || !units->file_count)
		return NULL;
	wanted.reference = found->files;
	list = bsearch(&wanted, units->files, units->file_count, sizeof(wanted), compare_files);
	return list ? name_of(list->packed, found->file) : NULL;
}

void units_free(struct units *units)
{
	free(units->functions);
	free(units->files);
	*units = (struct units){0};
}
