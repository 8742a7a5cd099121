/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_stamp.c - `bareprof stamp`: writes a build id into an image if the linker does not make one. stamp.c reserves the
 * space for the id.
 */
#include "commands.h"
#include "exit.h"
#include "image.h"
#include "input.h"
#include "md5.h"
#include "output.h"

#include <stdio.h>
#include <string.h>

#define ID_SIZE 16u /* the size of an MD5, as in stamp.c */

/*
 * The id comes after the first 16 bytes of its note: the size of the name, the size of the
 * id, the type and the name.
 */
#define NOTE_HEADER   16u
#define NOTE_BUILD_ID 3u

/* The location of the build id in the image, or of the space for it. */
struct reserved_note {
	const struct image_section *section; /* section of the note; NULL: there is neither an id nor space */
	uint64_t at; /* offset of the id in the section */
	uint64_t size; /* size of the id in bytes */
	uint8_t id[ID_SIZE]; /* the bytes of the id; valid only if @size is ID_SIZE */
};

static bool find_in(struct reserved_note *room, const struct image *image, const struct image_section *section)
{
	struct bytes content = image_content(image, section);
	struct bytes note;
	struct bytes id;
	uint64_t at = 0;

	while (bytes_slice(content, at, NOTE_HEADER, &note)) {
		uint64_t name = load_uint(note.data, 4, image->big);
		uint64_t size = load_uint(note.data + 4, 4, image->big);
		uint64_t start = at + 12 + ((name + 3) & ~3ull);

		if (!bytes_slice(content, start, size, &id))
			return false;
		if (load_uint(note.data + 8, 4, image->big) == NOTE_BUILD_ID && name == 4 &&
			!memcmp(note.data + 12, "GNU", 4)) {
			*room = (struct reserved_note){.section = section, .at = start, .size = size};
			if (size == ID_SIZE)
				memcpy(room->id, id.data, ID_SIZE);
			return true;
		}
		at = start + ((size + 3) & ~3ull);
	}
	return false;
}

static void find_room(struct reserved_note *room, const struct image *image)
{
	size_t i;

	for (i = 0; i < image->section_count; i++)
		if (!strncmp(image->sections[i].name, ".note", 5) && find_in(room, image, &image->sections[i]))
			return;
}

static void add_number(struct buffer *buffer, uint64_t value)
{
	uint8_t bytes[8];

	store_uint(bytes, value, 8, false);
	buffer_add(buffer, bytes, 8);
}

/*
 * Makes the id: a hash of all loaded sections and of the profile's sections that are not loaded. The bytes of the id
 * itself are hashed as zeros. Because nothing else is hashed, strip does not change the id.
 */
static void make_id(uint8_t id[ID_SIZE], const struct image *image, const struct reserved_note *room)
{
	struct buffer all = {0};
	size_t i;

	for (i = 0; i < image->section_count; i++) {
		const struct image_section *section = &image->sections[i];
		struct bytes content = image_content(image, section);

		if (!section->allocated && strncmp(section->name, "__llvm_", 7) != 0)
			continue;
		buffer_add(&all, section->name, strlen(section->name) + 1);
		add_number(&all, section->address);
		add_number(&all, section->size);
		buffer_add(&all, content.data, content.size);
		if (section == room->section)
			memset(all.data + all.size - content.size + room->at, 0, ID_SIZE);
	}
	md5((struct bytes){all.data, all.size}, id);
	buffer_free(&all);
}

static enum status fill_room(
	const char *path, const struct reserved_note *room, const uint8_t id[ID_SIZE], struct error *error)
{
	struct input input = {0};
	struct buffer copy = {0};
	struct bytes there;
	enum status status = input_read(&input, path, error);

	if (status == STATUS_OK && !bytes_slice(input.bytes, room->section->offset + room->at, ID_SIZE, &there))
		status = error_set(error, STATUS_INVALID_INPUT,
			"was changed by another program while bareprof read it; "
			"run 'bareprof stamp' again when the linker has ended");
	if (status == STATUS_OK) {
		buffer_add(&copy, input.bytes.data, input.bytes.size);
		memcpy(copy.data + room->section->offset + room->at, id, ID_SIZE);
		status = output_write(path, (struct bytes){copy.data, copy.size}, error);
	}
	buffer_free(&copy);
	input_free(&input);
	return status;
}

static void print_id(const char *path, const uint8_t id[ID_SIZE], const char *what)
{
	size_t i;

	printf("%s: %s ", path, what);
	for (i = 0; i < ID_SIZE; i++)
		printf("%02x", id[i]);
	printf("\n");
}

static enum status stamp(const char *path, const struct image *image, struct error *error)
{
	static const uint8_t empty[ID_SIZE];
	struct reserved_note room = {0};
	uint8_t id[ID_SIZE];

	find_room(&room, image);
	if (!room.section)
		return error_set(error, STATUS_INVALID_INPUT,
			"has neither a build id nor space for a build id: link the image with --build-id; if your "
			"linker has no such option, link it with stamp.c (bareprof.c with -DBAREPROF_STAMP) and a "
			"linker fragment that keeps the section .note.bareprof");
	if (room.size == ID_SIZE) {
		make_id(id, image, &room);
		if (!memcmp(room.id, id, ID_SIZE)) {
			print_id(path, id, "is stamped already, its build id is");
			return STATUS_OK;
		}
	}
	if (room.size != ID_SIZE || memcmp(room.id, empty, ID_SIZE) != 0)
		return error_set(error, STATUS_INVALID_INPUT,
			"has a build id of %zu bytes that is not its stamp: if the linker made this build id, no stamp "
			"is needed; "
			"if the image was changed after it was stamped, link and stamp it again",
			(size_t)room.size);
	if (fill_room(path, &room, id, error) != STATUS_OK)
		return STATUS_SYSTEM;
	print_id(path, id, "build id");
	return STATUS_OK;
}

static enum status run(char **operands)
{
	struct image image;
	struct error error;
	enum status status = image_open(&image, operands[0], &error);

	if (status == STATUS_OK)
		status = stamp(operands[0], &image, &error);
	if (status != STATUS_OK)
		error_print(operands[0], &error);
	image_close(&image);
	return status;
}

static const struct option options[] = {
	{OPT_END},
};

const struct command command_stamp = {
	.name = "stamp",
	.summary = "write a build id into an image whose linker makes none",
	.operands = "ELF",
	.operands_min = 1,
	.operands_max = 1,
	.help = "ELF is the linked image. It contains stamp.c (bareprof.c with -DBAREPROF_STAMP),\n"
		"which reserves a note for the id. The id is a hash of the loaded sections and of\n"
		"the profile's sections: the same image gets the same id, and stamping it again\n"
		"changes nothing. Make a .bin or .hex from the image after stamping, not before.\n"
		"An image with a build id from the linker (--build-id) needs no stamp; stamp\n"
		"refuses it.\n",
	.options = options,
	.run = run,
};
