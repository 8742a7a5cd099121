/* SPDX-License-Identifier: BSD-2-Clause */
/* probe_functions.c - reads the descriptors of pseudo probes, and finds the functions of the image by their GUIDs. */
#include "probe_functions.h"
#include "md5.h"
#include "probe_layout.h"

#include <stdlib.h>

static int compare_descriptors(const void *left, const void *right)
{
	const struct probe_descriptor *a = left;
	const struct probe_descriptor *b = right;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return compare_uint(a->hash, b->hash);
}

/* A copy of a function whose name has a suffix comes after the function itself. */
static int compare_extents(const void *left, const void *right)
{
	const struct probe_extent *a = left;
	const struct probe_extent *b = right;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->suffixed != b->suffixed)
		return a->suffixed ? 1 : -1;
	return compare_uint(a->start, b->start);
}

static enum status bad_descriptor(size_t offset, const char *reason, struct error *error)
{
	return error_set(error, STATUS_INVALID_INPUT,
		"has a damaged descriptor at offset 0x%zx of its section '" PROBE_DESC_SECTION
		"': %s; link the image again",
		offset, reason);
}

static enum status read_descriptors(
	struct probe_functions *functions, struct bytes content, bool big, struct error *error)
{
	size_t room = functions->count;
	size_t at = 0;

	while (at < content.size) {
		struct bytes rest = {content.data + at, content.size - at};
		struct probe_descriptor *descriptor;
		struct cursor cursor;
		struct bytes name;

		if (rest.size < PROBE_DESCRIPTOR_MIN)
			return bad_descriptor(at, "the section ends within it", error);
		cursor = cursor_of(rest);
		cursor.at += 16;
		name = take_bytes(&cursor, take_uleb(&cursor));
		if (cursor.failed)
			return bad_descriptor(at, "the section ends within its name", error);
		if (!name.size || memchr(name.data, 0, name.size))
			return bad_descriptor(at, "its name is empty or contains a zero byte", error);
		functions->descriptors =
			array_grow(functions->descriptors, functions->count, &room, sizeof(*descriptor));
		descriptor = &functions->descriptors[functions->count++];
		descriptor->guid = load_uint(rest.data, 8, big);
		descriptor->hash = load_uint(rest.data + 8, 8, big);
		descriptor->name = name;
		at = (size_t)(cursor.at - content.data);
	}
	return STATUS_OK;
}

/* Sorts the descriptors. A function that several objects define has several equal descriptors; keeps one of them. */
static void sort_descriptors(struct probe_functions *functions)
{
	size_t count = 0;
	size_t i;

	if (!functions->count)
		return;
	qsort(functions->descriptors, functions->count, sizeof(*functions->descriptors), compare_descriptors);
	for (i = 0; i < functions->count; i++) {
		const struct probe_descriptor *last = count ? &functions->descriptors[count - 1] : NULL;
		const struct probe_descriptor *next = &functions->descriptors[i];

		if (last && last->guid == next->guid && last->hash == next->hash)
			continue;
		functions->descriptors[count++] = *next;
	}
	functions->count = count;
}

/*
 * Returns the part of @name that clang hashed. LLVM and the linker append these suffixes after clang chose the GUID.
 * A part that was split off, such as NAME.cold, is a function of its own.
 */
static struct bytes hashed_name(const char *name)
{
	static const char *const suffixes[] = {".llvm.", ".part."};
	struct bytes result = {(const uint8_t *)name, strlen(name)};
	size_t i;

	for (i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const char *found = strstr(name, suffixes[i]);

		if (found && (size_t)(found - name) < result.size)
			result.size = (size_t)(found - name);
	}
	return result;
}

/*
 * A linker that folds equal functions keeps all symbols. If the records of a function are discarded with it, static
 * functions of one name have one group of records for each address. Keeps one extent for each.
 */
static void unite_folded(struct probe_functions *functions)
{
	size_t count = 0;
	size_t i;

	for (i = 0; i < functions->extent_count; i++)
		if (!count || compare_extents(&functions->extents[count - 1], &functions->extents[i]))
			functions->extents[count++] = functions->extents[i];
	functions->extent_count = count;
}

static void read_extents(struct probe_functions *functions, const struct image *image)
{
	struct bytes *names = allocate(2 * image->symbol_count + 1, sizeof(*names));
	uint64_t *guids = allocate(2 * image->symbol_count + 1, sizeof(*guids));
	size_t count = 0;
	size_t i;

	functions->extents = allocate(2 * image->symbol_count + 1, sizeof(*functions->extents));
	for (i = 0; i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];
		struct bytes name = {(const uint8_t *)symbol->name, strlen(symbol->name)};
		struct probe_extent extent = {0, symbol->value, symbol->value + symbol->size, symbol->name, false};

		if (!symbol->function)
			continue;
		if (extent.end < extent.start)
			extent.end = extent.start;
		functions->extents[count] = extent;
		names[count++] = name;
		name = hashed_name(symbol->name);
		if (name.size < names[count - 1].size) {
			extent.suffixed = true;
			functions->extents[count] = extent;
			names[count++] = name;
		}
	}
	md5_low_each(names, count, guids);
	for (i = 0; i < count; i++)
		functions->extents[i].guid = guids[i];
	functions->extent_count = count;
	qsort(functions->extents, count, sizeof(*functions->extents), compare_extents);
	free(names);
	free(guids);
}

static bool has_linked_probes(const struct image *image)
{
	size_t i;

	for (i = 0; i < image->section_count; i++)
		if (!strcmp(image->sections[i].name, PROBE_SECTION) && image->sections[i].linked)
			return true;
	return false;
}

enum status probe_functions_read(struct probe_functions *functions, const struct image *image, struct error *error)
{
	struct bytes content;
	enum status status;
	size_t i;

	memset(functions, 0, sizeof(*functions));
	for (i = 0; i < image->section_count; i++)
		if (!strcmp(image->sections[i].name, PROBE_DESC_SECTION))
			image_relocate_section(image, &image->sections[i], &functions->content);
	content = (struct bytes){functions->content.data, functions->content.size};
	status = read_descriptors(functions, content, image->big, error);
	sort_descriptors(functions);
	if (status == STATUS_OK)
		read_extents(functions, image);
	if (has_linked_probes(image))
		unite_folded(functions);
	return status;
}

void probe_functions_free(struct probe_functions *functions)
{
	free(functions->descriptors);
	free(functions->extents);
	buffer_free(&functions->content);
}

const struct probe_descriptor *probe_descriptor(const struct probe_functions *functions, uint64_t guid)
{
	size_t i = lower_bound(
		&guid, functions->descriptors, functions->count, sizeof(*functions->descriptors), compare_numbers);

	return i < functions->count && functions->descriptors[i].guid == guid ? &functions->descriptors[i] : NULL;
}

const struct probe_extent *probe_extent(const struct probe_functions *functions, uint64_t guid)
{
	size_t i = lower_bound(
		&guid, functions->extents, functions->extent_count, sizeof(*functions->extents), compare_numbers);

	return i < functions->extent_count && functions->extents[i].guid == guid ? &functions->extents[i] : NULL;
}

const struct probe_extent *probe_extent_next(const struct probe_functions *functions, const struct probe_extent *extent)
{
	const struct probe_extent *next = extent + 1;

	if (next == functions->extents + functions->extent_count || next->guid != extent->guid ||
		next->suffixed != extent->suffixed)
		return NULL;
	return next;
}
