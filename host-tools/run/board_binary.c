/* SPDX-License-Identifier: BSD-2-Clause */
/* board_binary.c - copies the sections of a linked ELF file to their places in a raw binary. */
#include "board_binary.h"
#include "child.h"
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The maximum number of zeros in all gaps between sections together. The flash memories of usual boards are smaller. */
#define GAPS_MAX (64u << 20)

/* One section of the binary. */
struct part {
	const struct image_section *section;
	uint64_t load; /* load address */
};

struct parts {
	struct part *list; /* in the order of the load addresses */
	size_t count;
	size_t room;
};

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left;
	const struct part *b = right;

	return compare_uint(a->load, b->load);
}

static uint64_t part_end(const struct part *part)
{
	return part->load + part->section->size;
}

/* Collects the sections whose bytes are in the binary. objcopy selects the same sections. */
static void collect(const struct image *image, struct parts *parts)
{
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];

		if (!section->allocated || !section->filled || !section->size)
			continue;
		parts->list = array_grow(parts->list, parts->count, &parts->room, sizeof(*parts->list));
		parts->list[parts->count++] =
			(struct part){section, section->loaded ? section->load : section->address};
	}
	if (parts->count)
		qsort(parts->list, parts->count, sizeof(*parts->list), compare_parts);
}

/* Checks that no two sections overlap, and that the binary is not much larger than the ELF file. */
static enum status check_places(const struct image *image, const struct parts *parts, struct error *error)
{
	const struct part *widest = parts->list;
	uint64_t widest_gap = 0;
	uint64_t filled = 0;
	uint64_t gaps = 0;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct part *part = &parts->list[i];
		uint64_t gap = i ? part->load - part_end(part - 1) : 0;

		/* Every section is within the file, so its size cannot make this sum overflow before the check. */
		filled += part->section->size;
		if (part->section->size > UINT64_MAX - part->load || filled > image->size)
			return error_set(error, STATUS_INVALID_INPUT,
				"cannot become a raw binary for {bin}: the header of its section %s is damaged, "
				"because it gives %" PRIu64 " bytes at the load address 0x%" PRIx64
				"; link the program again",
				part->section->name, part->section->size, part->load);
		if (i && part->load < part_end(part - 1))
			return error_set(error, STATUS_INVALID_INPUT,
				"cannot become a raw binary for {bin}: its sections %s and %s overlap at the load "
				"address 0x%" PRIx64 "; change the load addresses in the linker script",
				part[-1].section->name, part->section->name, part->load);
		if (gap > widest_gap) {
			widest = part;
			widest_gap = gap;
		}
		gaps = add_saturating(gaps, gap);
	}
	if (gaps <= GAPS_MAX)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"cannot become a raw binary for {bin}: its section %s ends at the load address 0x%" PRIx64
		", and the next section %s starts at 0x%" PRIx64
		", so the binary would have more than %u MiB of zeros; place %s directly after %s with AT> in the "
		"linker script, or load {elf}",
		widest[-1].section->name, part_end(widest - 1), widest->section->name, widest->load, GAPS_MAX >> 20,
		widest->section->name, widest[-1].section->name);
}

static bool write_at(int fd, struct bytes bytes, uint64_t offset)
{
	while (bytes.size) {
		ssize_t n = pwrite(fd, bytes.data, bytes.size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes = (struct bytes){bytes.data + n, bytes.size - (size_t)n};
		offset += (uint64_t)n;
	}
	return true;
}

/* Writes the sections to the file at @path. The bytes between them are holes of the file, which read as zeros. */
static enum status write_parts(
	const struct image *image, const struct parts *parts, const char *path, struct error *error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool written = fd >= 0;
	size_t i;

	for (i = 0; i < parts->count && written; i++)
		written = write_at(
			fd, image_content(image, parts->list[i].section), parts->list[i].load - parts->list[0].load);
	if (fd >= 0 && close(fd))
		written = false;
	if (written)
		return STATUS_OK;
	error_set(error, STATUS_SYSTEM, "cannot be written: %s", strerror(errno));
	return temporary_failed(path, error);
}

static enum status make_binary(const char *elf, const char *path, struct error *error)
{
	struct parts parts = {0};
	struct image image;
	enum status status = image_open(&image, elf, error);

	if (status == STATUS_OK && image.module)
		status = error_set(error, STATUS_INVALID_INPUT,
			"cannot become a raw binary for {bin}: it is an object file, whose sections have no addresses; "
			"link it");
	if (status == STATUS_OK)
		collect(&image, &parts);
	if (status == STATUS_OK && !parts.count)
		status = error_set(error, STATUS_INVALID_INPUT,
			"cannot become a raw binary for {bin}: it has no section with contents to load");
	if (status == STATUS_OK)
		status = check_places(&image, &parts, error);
	if (status == STATUS_OK)
		status = write_parts(&image, &parts, path, error);
	free(parts.list);
	image_close(&image);
	return status;
}

enum status board_binary(
	const struct board *board, const char *elf, const char *folder, char **path, struct error *error)
{
	free(*path);
	*path = strstr(board->qemu, "{bin}") ? format("%s/bin", folder) : NULL;
	return *path ? make_binary(elf, *path, error) : STATUS_OK;
}
