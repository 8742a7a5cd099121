/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_binary.c - compares the image with the file that objcopy -O binary made of it, and finds sections of the
 * profile that the file lacks. A list of sections for objcopy (-j) often lacks the profile's sections.
 */
#include "check.h"
#include "foreign.h"
#include "input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A section is found in the file by a search for its first bytes. The search compares at most this many bytes. */
#define SAMPLE 4096u
/* A section with fewer bytes is not searched, because a short sequence can also occur elsewhere in the file. */
#define SAMPLE_MIN 8u

static bool is_uniform(struct bytes bytes)
{
	return !bytes.size || !memcmp(bytes.data, bytes.data + 1, bytes.size - 1);
}

/*
 * Compares the sizes of two sections for qsort(). The largest section comes first, because the search begins with it.
 */
static int compare_sizes(const void *left, const void *right)
{
	const struct image_section *a = *(const struct image_section *const *)left;
	const struct image_section *b = *(const struct image_section *const *)right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return compare_uint(a->index, b->index);
}

/* Finds the load address of the first byte of the file. Returns false if the file has no section of the image. */
static bool find_base(const struct check *check, struct bytes file, uint64_t *base)
{
	const struct image *image = &check->image;
	const struct image_section **list = allocate(image->section_count + 1, sizeof(*list));
	bool found = false;
	size_t count = 0;
	size_t i;

	for (i = 0; i < image->section_count; i++)
		if (image->sections[i].allocated && image->sections[i].loaded)
			list[count++] = &image->sections[i];
	qsort(list, count, sizeof(*list), compare_sizes);
	for (i = 0; i < count && !found; i++) {
		struct bytes bytes = image_content(image, list[i]);
		const uint8_t *at;

		if (bytes.size > SAMPLE)
			bytes.size = SAMPLE;
		if (bytes.size < SAMPLE_MIN || is_uniform(bytes))
			continue;
		at = memmem(file.data, file.size, bytes.data, bytes.size);
		if (at) {
			*base = list[i]->load - (uint64_t)(at - file.data);
			found = true;
		}
	}
	free(list);
	return found;
}

enum presence {
	PRESENT,
	ABSENT,
	DIFFERENT
};

/*
 * Compares @wanted with the bytes that the file contains for the load address @load. The first byte of the file has the
 * load address @base.
 */
static enum presence find_bytes(struct bytes file, uint64_t base, uint64_t load, struct bytes wanted)
{
	struct bytes there;

	if (load < base || !bytes_slice(file, load - base, wanted.size, &there))
		return ABSENT;
	if (!memcmp(there.data, wanted.data, wanted.size))
		return PRESENT;
	/* objcopy fills gaps with zeros, so zeros mean that the bytes are absent. */
	return is_uniform(there) && !*there.data ? ABSENT : DIFFERENT;
}

struct comparison {
	struct check *check;
	struct bytes file;
	uint64_t base;
	struct buffer absent; /* list of the absent sections, such as "SECTION (N bytes), SECTION (N bytes)" */
	struct buffer options; /* options for objcopy that add the absent sections */
	const char *different; /* name of a section whose bytes differ, or NULL */
};

static void compare(struct comparison *comparison, const char *name, struct extent extent)
{
	const struct image *image = &comparison->check->image;
	const struct image_section *section = image_where(image, extent.address, extent.size);
	struct bytes wanted;

	if (!section || !section->loaded ||
		!bytes_slice(image_content(image, section), extent.address - section->address, extent.size, &wanted))
		return;
	switch (find_bytes(
		comparison->file, comparison->base, section->load + (extent.address - section->address), wanted)) {
	case PRESENT:
		break;
	case ABSENT:
		buffer_printf(&comparison->absent, "%s%s (%" PRIu64 " bytes)", comparison->absent.size ? ", " : "",
			name, extent.size);
		buffer_printf(&comparison->options, "%s-j %s", comparison->options.size ? " " : "", section->name);
		break;
	case DIFFERENT:
		comparison->different = name;
		break;
	}
}

static void compare_all(struct comparison *comparison)
{
	static const char *const others[] = {
		"__llvm_prf_vals", "__llvm_prf_vnds", ".note.gnu.build-id", ".bareprof_bias"};
	struct check *check = comparison->check;
	size_t i;

	for (i = 0; i < SECTIONS; i++)
		if (check->present[i] && !check->not_loaded[i])
			compare(comparison, section_name[i], check->extent[i]);
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		const struct image_section *section = image_section(&check->image, others[i]);

		if (section && section->allocated && section->size)
			compare(comparison, others[i], (struct extent){section->address, section->size});
	}
	if (comparison->absent.size)
		fix_add(check_add(check, FINDING_BINARY_INCOMPLETE,
				"%s lacks sections of the image: %s; objcopy left them out, so the target would find "
				"other bytes at their addresses",
				check->binary, buffer_string(&comparison->absent)),
			FIX_OBJCOPY, "%s", buffer_string(&comparison->options));
	if (comparison->different)
		check_add(check, FINDING_BINARY_DIFFERS,
			"%s and the image have different bytes in the section %s: make the file again from this image",
			check->binary, comparison->different);
	buffer_free(&comparison->absent);
	buffer_free(&comparison->options);
}

/* Returns the name of the file's format if the file is not a plain copy of memory, otherwise NULL. */
static const char *other_format(struct bytes file)
{
	if (file.size >= 4 && !memcmp(file.data, "\177ELF", 4))
		return "an ELF file";
	return foreign_firmware(file);
}

enum status check_binary(struct check *check, struct error *error)
{
	struct comparison comparison = {.check = check};
	struct input input = {0};
	enum status status;
	const char *format;

	if (!check->binary)
		return STATUS_OK;
	status = input_read(&input, check->binary, error);
	if (status != STATUS_OK)
		return status;
	comparison.file = input.bytes;
	format = other_format(input.bytes);
	if (format)
		status = error_set(error, STATUS_INVALID_INPUT,
			"is %s: --bin takes a plain copy of memory, as objcopy -O binary makes it", format);
	else if (!find_base(check, input.bytes, &comparison.base))
		check_add(check, FINDING_BINARY_DIFFERS,
			"%s contains none of the image's sections: the file was made from another build, or is packed; "
			"make it again from this image",
			check->binary);
	else
		compare_all(&comparison);
	input_free(&input);
	return status;
}
