/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_change.c - damages ELF files, and lets code that opens files by path read them. */
#include "fuzz.h"

#include <elf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

const char *in_memory(struct bytes bytes)
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

void change_elf(uint8_t *elf, size_t size, struct dice *dice)
{
	if (size < sizeof(Elf64_Ehdr))
		return;
	if (dice_throw(dice, 8) < 3)
		change_header(elf, size, dice);
	else
		change_section(elf, size, dice);
}
