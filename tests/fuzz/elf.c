/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf.c - fuzzes ELF files. An input consists of the size of a raw profile in 4 bytes, the profile, and the ELF file.
 * The fuzz target checks the ELF file as `bareprof check` does, relocates its debug information, and completes the
 * profile with the ELF file. The mutator knows where section headers and sections are.
 */
#include "check.h"
#include "fuzz.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Writes @bytes to a file in memory and returns its path. The path is needed because the code under test opens files
 * by path.
 */
static const char *in_memory(struct bytes bytes)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	must(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, bytes.data, bytes.size, 0) == (ssize_t)bytes.size,
		"there is room for a file in memory");
	return path;
}

static void judge(const char *path)
{
	static const char *const forbidden[] = {".text", NULL};
	struct check check = {.path = path, .forbidden = forbidden};
	struct error error = {""};

	if (check_image(&check, &error) == STATUS_OK)
		check_estimate(&check);
	else
		must(error.text[0], "a refusal has a reason");
	check_free(&check);
}

static void complete(const char *path, struct bytes raw)
{
	struct programs programs;
	struct read_options options = {.add = {.weight = 1}, .completion = {.programs = &programs}};
	struct error error = {""};
	struct model model;

	model_start(&model);
	programs_start(&programs);
	if (programs_elf(&programs, path, &error) != STATUS_OK || raw_read(&model, raw, &options, &error) != STATUS_OK)
		must(error.text[0], "a refusal has a reason");
	programs_free(&programs);
	model_free(&model);
}

static void relocate(const char *path)
{
	struct image image;
	struct error error = {""};

	if (image_open(&image, path, &error) == STATUS_OK)
		image_relocate_debug(&image);
	else
		must(error.text[0], "a refusal has a reason");
	image_close(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes raw;
	struct bytes elf;
	const char *path;

	if (!take_two((struct bytes){data, size}, &raw, &elf) || !elf.size)
		return 0;
	path = in_memory(elf);
	judge(path);
	relocate(path);
	complete(path, raw);
	return 0;
}

/* Changes a number in the ELF header or in a section header of a 64-bit file. */
static void change_header(uint8_t *elf, size_t size, struct dice *dice)
{
	static const struct {
		size_t at;
		unsigned int width;
	} file[] =
		{
			{offsetof(Elf64_Ehdr, e_shoff), 8},
			{offsetof(Elf64_Ehdr, e_phoff), 8},
			{offsetof(Elf64_Ehdr, e_shnum), 2},
			{offsetof(Elf64_Ehdr, e_phnum), 2},
			{offsetof(Elf64_Ehdr, e_shstrndx), 2},
			{offsetof(Elf64_Ehdr, e_shentsize), 2},
			{offsetof(Elf64_Ehdr, e_type), 2},
			{offsetof(Elf64_Ehdr, e_machine), 2},
		},
	  section[] = {
		  {offsetof(Elf64_Shdr, sh_name), 4},
		  {offsetof(Elf64_Shdr, sh_type), 4},
		  {offsetof(Elf64_Shdr, sh_flags), 8},
		  {offsetof(Elf64_Shdr, sh_addr), 8},
		  {offsetof(Elf64_Shdr, sh_offset), 8},
		  {offsetof(Elf64_Shdr, sh_size), 8},
		  {offsetof(Elf64_Shdr, sh_link), 4},
		  {offsetof(Elf64_Shdr, sh_info), 4},
		  {offsetof(Elf64_Shdr, sh_addralign), 8},
		  {offsetof(Elf64_Shdr, sh_entsize), 8},
	  };
	uint64_t headers = load_uint(elf + offsetof(Elf64_Ehdr, e_shoff), 8, false);
	uint64_t count = load_uint(elf + offsetof(Elf64_Ehdr, e_shnum), 2, false);
	uint64_t field = dice_throw(dice, 8);
	uint64_t at = file[field].at;
	unsigned int width = file[field].width;

	if (dice_throw(dice, 4)) {
		field = dice_throw(dice, 10);
		at = headers + sizeof(Elf64_Shdr) * dice_throw(dice, count) + section[field].at;
		width = section[field].width;
	}
	if (at < size && width <= size - at)
		store_uint(elf + at, dice_number(dice, load_uint(elf + at, width, false), size), width, false);
}

/* Changes a number in a section, or replaces some bytes of the section. */
static void change_section(uint8_t *elf, size_t size, struct dice *dice)
{
	uint64_t headers = load_uint(elf + offsetof(Elf64_Ehdr, e_shoff), 8, false);
	uint64_t count = load_uint(elf + offsetof(Elf64_Ehdr, e_shnum), 2, false);
	uint64_t header = headers + sizeof(Elf64_Shdr) * dice_throw(dice, count);
	uint64_t offset;
	uint64_t length;

	if (header > size || size - header < sizeof(Elf64_Shdr))
		return;
	offset = load_uint(elf + header + offsetof(Elf64_Shdr, sh_offset), 8, false);
	length = load_uint(elf + header + offsetof(Elf64_Shdr, sh_size), 8, false);
	if (offset > size || length > size - offset || length < 8)
		return;
	if (dice_throw(dice, 2)) {
		LLVMFuzzerMutate(elf + offset, length, length);
	} else {
		offset += dice_throw(dice, length / 8) * 8;
		store_uint(elf + offset, dice_number(dice, load_uint(elf + offset, 8, false), size), 8, false);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes raw;
	struct bytes elf;
	uint8_t *file;

	if (!take_two((struct bytes){data, size}, &raw, &elf) || elf.size < sizeof(Elf64_Ehdr))
		return LLVMFuzzerMutate(data, size, most);
	file = data + (elf.data - data);
	switch (dice_throw(&dice, 8)) {
	case 0:
		return change_two(data, size, most, &dice);
	case 1:
	case 2:
	case 3:
		change_header(file, elf.size, &dice);
		break;
	default:
		change_section(file, elf.size, &dice);
	}
	return size;
}
