/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core.c - fuzzes ELF cores, and the search for a program in them. An input consists of the size of the program in 4
 * bytes, the program, a byte with options, and the core. What the core gives must be what its segments say.
 */
#include "fuzz.h"
#include "memory_core.h"
#include "place_check.h"
#include "place_find.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The option byte: the lowest five bits are log2 of the size of the file on paper, and these options. */
#define PAPER 0x1fu
#define PLAIN 0x20u /* the file is a plain copy of memory */
#define SLIDE 0x40u /* the place of the program is given */

/* The bytes that a probe reads. */
#define PROBE 64u
/* More segments are not compared. */
#define COMPARED_MAX 64u

/* A segment as the ELF file tells it. */
struct part {
	uint64_t address[2];
	uint64_t offset;
	uint64_t saved;
};

struct parts {
	struct part part[COMPARED_MAX];
	size_t count;
	bool all; /* the file has no other parts */
};

static void find_parts(struct parts *parts, struct bytes core)
{
	Elf *elf = elf_memory((char *)(uintptr_t)core.data, core.size);
	GElf_Phdr header;
	size_t count = 0;
	size_t i;

	parts->all = elf && !elf_getphdrnum(elf, &count);
	for (i = 0; i < count && parts->all; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !header.p_memsz)
			continue;
		if (parts->count == COMPARED_MAX) {
			parts->all = false;
			break;
		}
		parts->part[parts->count++] = (struct part){{header.p_vaddr, header.p_paddr}, header.p_offset,
			header.p_filesz < header.p_memsz ? header.p_filesz : header.p_memsz};
	}
	elf_end(elf);
}

/* Returns the byte of the file at @offset. Beyond the bytes of the input, the file has only zeros on paper. */
static uint8_t byte_at(struct bytes core, uint64_t offset)
{
	return offset < core.size ? core.data[offset] : 0;
}

/* What the segments have at an address. */
struct bytes_at {
	bool any; /* a segment has a byte there */
	bool same; /* one has the byte that was read */
	bool differ; /* two have other bytes */
};

static struct bytes_at find_bytes(
	const struct parts *parts, struct bytes core, enum memory_space space, uint64_t address, uint8_t expected)
{
	struct bytes_at found = {false, false, false};
	uint8_t first = 0;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		const struct part *part = &parts->part[i];
		uint64_t at = address - part->address[space];
		uint8_t byte;

		/* A segment ends at the last address. */
		if (address < part->address[space] || at >= part->saved)
			continue;
		byte = byte_at(core, part->offset + at);
		first = found.any ? first : byte;
		found.differ |= byte != first;
		found.same |= byte == expected;
		found.any = true;
	}
	return found;
}

/* Reads @size bytes at @address, and compares them with the segments. */
static void probe(struct memory *memory, const struct parts *parts, struct bytes core, enum memory_space space,
	uint64_t address, size_t size)
{
	uint8_t *to = allocate(1, size);
	struct error error = {""};
	enum status status = memory_read(memory, space, address, to, size, &error);
	bool readable = address + (size - 1) >= address && !strstr(error.text, "has no ");
	size_t i;

	must(status == STATUS_OK || error.text[0], "a refusal has a reason");
	for (i = 0; i < size && parts->all; i++) {
		struct bytes_at found = find_bytes(parts, core, space, address + i, to[i]);

		must(status != STATUS_OK || found.same, "a read gives the bytes of a segment");
		readable = readable && found.any && !found.differ;
	}
	must(!parts->all || status == STATUS_OK || !readable, "what is saved can be read");
	free(to);
}

static void probe_all(struct memory *memory, struct bytes core)
{
	struct parts parts = {.count = 0};
	int space;
	size_t i;

	find_parts(&parts, core);
	for (space = MEMORY_VIRTUAL; space <= MEMORY_PHYSICAL; space++) {
		for (i = 0; i < parts.count; i++) {
			uint64_t address = parts.part[i].address[space];
			uint64_t end = address + parts.part[i].saved;

			probe(memory, &parts, core, space, address, 1);
			probe(memory, &parts, core, space, address - 1, PROBE);
			probe(memory, &parts, core, space, end - 1, 2);
			probe(memory, &parts, core, space, end - PROBE, PROBE);
			probe(memory, &parts, core, space, address + parts.part[i].saved / 2, PROBE);
		}
	}
}

/* Walks over all memory. Returns the number of bytes. */
static void walk(struct memory *memory, enum memory_space space, uint64_t file)
{
	struct memory_part part = {0};
	struct error error = {""};
	uint64_t total = 0;
	uint8_t byte;

	while (memory_next(memory, space, &part)) {
		must(part.size, "a part has bytes");
		total += part.size;
		must(total <= 2 * file, "a walk ends when it gave as many bytes as the file has");
		must(memory_read(memory, space, part.address, &byte, 1, &error) == STATUS_OK ||
				strstr(error.text, "has two contents of"),
			"a part begins");
		must(memory_read(memory, space, part.address + (part.size - 1), &byte, 1, &error) == STATUS_OK ||
				strstr(error.text, "has two contents of"),
			"a part ends where it said");
	}
}

static void find(struct memory *memory, const char *path, unsigned int options)
{
	const struct place_hints hints = {.slide = options & SLIDE ? 0x1000 : 0, .slide_given = options & SLIDE};
	struct program program;
	struct placed placed;
	struct error error = {""};
	enum status status = program_open(&program, path, &error);
	bool same = true;

	if (status == STATUS_OK)
		status = place_find(&placed, memory, &program, &hints, &error);
	must(status == STATUS_OK || error.text[0], "a refusal has a reason");
	/* What was read before must not change what is read now. */
	if (status == STATUS_OK)
		place_counts(&placed);
	if (status == STATUS_OK && placed.proven)
		must(place_has_build_id(&placed, &same, &error) == STATUS_OK && same, "a place has the build id");
	program_close(&program);
}

/* Writes @core to a file whose size on paper is @paper, if this is larger. */
static int file_of(struct bytes core, uint64_t paper)
{
	int fd = memfd_create("core", 0);

	must(fd >= 0 && pwrite(fd, core.data, core.size, 0) == (ssize_t)core.size,
		"there is room for a file in memory");
	must(paper <= core.size || !ftruncate(fd, (off_t)paper), "a file in memory can be sparse");
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory memory = {.source = &memory_core};
	struct error error = {""};
	struct buffer notes = {0};
	struct bytes program;
	struct bytes core;
	unsigned int options;
	char where[64];
	uint64_t paper;
	int fd;

	if (!take_two((struct bytes){data, size}, &program, &core) || !core.size)
		return 0;
	options = *core.data++;
	core.size--;
	/* Up to 64 GiB. */
	paper = 1ull << 5 << (options & PAPER);
	fd = file_of(core, paper);
	paper = paper > core.size ? paper : core.size;
	snprintf(where, sizeof(where), "/proc/self/fd/%d%s", fd, options & PLAIN ? "@0xffffffffffffe000" : "");
	memory.source = options & PLAIN ? &memory_ram : &memory_core;
	if (memory.source->open(&memory, where, &error) == STATUS_OK) {
		if (!(options & PLAIN))
			probe_all(&memory, core);
		walk(&memory, MEMORY_VIRTUAL, paper);
		walk(&memory, MEMORY_PHYSICAL, paper);
		memory_notes(&memory, "CORE", &notes);
		must(notes.size <= paper, "there are no more notes than bytes");
		find(&memory, in_memory(program), options);
	}
	must(memory.state, "an open memory can be closed");
	memory_close(&memory, &error);
	buffer_free(&notes);
	close(fd);
	return 0;
}

/* Changes a program header: a number of it, or to a number of another one. */
static void change_segment(uint8_t *elf, size_t size, struct dice *dice)
{
	static const struct {
		size_t at;
		unsigned int width;
	} fields[] = {{offsetof(Elf64_Phdr, p_type), 4}, {offsetof(Elf64_Phdr, p_offset), 8},
		{offsetof(Elf64_Phdr, p_vaddr), 8}, {offsetof(Elf64_Phdr, p_paddr), 8},
		{offsetof(Elf64_Phdr, p_filesz), 8}, {offsetof(Elf64_Phdr, p_memsz), 8}};
	uint64_t i = dice_throw(dice, sizeof(fields) / sizeof(*fields));
	uint64_t headers = load_uint(elf + offsetof(Elf64_Ehdr, e_phoff), 8, false);
	uint64_t count = load_uint(elf + offsetof(Elf64_Ehdr, e_phnum), 2, false);
	uint64_t at = headers + dice_throw(dice, count) * sizeof(Elf64_Phdr) + fields[i].at;
	uint64_t other = headers + dice_throw(dice, count) * sizeof(Elf64_Phdr) + fields[i].at;
	unsigned int width = fields[i].width;

	if (at >= size || size - at < width || other >= size || size - other < width)
		return;
	store_uint(elf + at,
		dice_throw(dice, 2) ? dice_number(dice, load_uint(elf + at, width, false), size)
				    : load_uint(elf + other, width, false),
		width, false);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes program;
	struct bytes core;

	if (!take_two((struct bytes){data, size}, &program, &core) || core.size <= sizeof(Elf64_Ehdr) ||
		!dice_throw(&dice, 4))
		return change_two(data, size, most, &dice);
	switch (dice_throw(&dice, 4)) {
	case 0:
		change_elf(data + (program.data - data), program.size, &dice);
		break;
	case 1:
		data[core.data - data] ^= (uint8_t)(1u << dice_throw(&dice, 8));
		break;
	default:
		change_segment(data + (core.data + 1 - data), core.size - 1, &dice);
	}
	return size;
}
