/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page_walk.c - fuzzes page tables. An input consists of the size of a text in 4 bytes, the text, which has the registers of
 * the CPU, and a part that has the options, an address, and the physical memory. Memory that was read through the tables
 * must be the same as if each byte was translated alone.
 */
#include "fuzz.h"
#include "memory.h"
#include "page_registers.h"

#include <elf.h>
#include <stdlib.h>

/* The first byte of the second part: the machine in the lowest two bits, and these options. */
#define BIG       0x04u
#define ENDLESS   0x08u /* the memory repeats for ever, so that most tables are there */
#define UNALIGNED 0x10u /* the first table is at an odd address, as damaged symbols can tell */
#define RAW       0x20u /* the sizes of both regions come from the upper bits of the first address */

/* The options, and an address that is translated. */
#define HEAD 9u

/* The most bytes of a read. */
#define READ_MAX 700u

/* x86_64 has five levels at most. */
#define ENTRIES_MAX 5u

/* The physical memory. */
struct target {
	struct bytes memory;
	bool endless;
	unsigned int reads;
};

static enum status read_bytes(struct target *target, uint64_t address, uint8_t *to, size_t size, struct error *error)
{
	size_t i;

	for (i = 0; i < size; i++, address++) {
		uint64_t at = target->endless && target->memory.size ? address % target->memory.size : address;

		if (at >= target->memory.size)
			return error_set(error, STATUS_INVALID_INPUT, "no memory");
		to[i] = target->memory.data[at];
	}
	return STATUS_OK;
}

static enum status read_target(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	must(space == MEMORY_PHYSICAL, "virtual addresses are translated");
	must(size && address + (size - 1) >= address, "a read does not go on at address 0");
	return read_bytes(memory->state, address, to, size, error);
}

static enum status close_target(struct memory *memory, struct error *error)
{
	(void)memory, (void)error;
	return STATUS_OK;
}

static enum status read_entry(void *context, uint64_t address, void *to, size_t size, struct error *error)
{
	struct target *target = context;

	target->reads++;
	must(size == 4 || size == 8, "an entry has 4 or 8 bytes");
	return read_bytes(target, address, to, size, error);
}

/* Returns the number of bits that a physical address can have. */
static unsigned int physical_bits(const struct page_tables *tables)
{
	switch (tables->format) {
	case PAGES_OFFSET:
		return 64;
	case PAGES_X86_64:
		return 52;
	case PAGES_AARCH64:
		return tables->wide ? 52 : 48;
	default:
		return 40;
	}
}

/* Translates @address alone. Returns false if it is not mapped. */
static bool translate(const struct page_tables *tables, struct target *target, uint64_t address, struct page *page)
{
	struct error error = {""};
	enum status status;

	target->reads = 0;
	*page = (struct page){0, 0};
	status = page_walk(tables, read_entry, target, address, page, &error);
	must(target->reads <= ENTRIES_MAX, "a walk reads one entry of each level");
	must(status == STATUS_OK || error.text[0], "a refusal has a reason");
	return status == STATUS_OK;
}

static void check_page(const struct page_tables *tables, struct target *target, uint64_t address)
{
	struct page page;
	struct page last;

	if (!translate(tables, target, address, &page))
		return;
	must(page.run, "a page has at least one byte");
	must(address + (page.run - 1) >= address, "a page does not go on at the virtual address 0");
	must(page.physical + (page.run - 1) >= page.physical, "a page does not go on at the physical address 0");
	must((page.physical + (page.run - 1)) >> (physical_bits(tables) - 1) <= 1, "a CPU has such a physical address");
	/* See check_read(). */
	if (tables->format == PAGES_ARM_SHORT)
		return;
	must(translate(tables, target, address + (page.run - 1), &last), "the end of a page is mapped");
	must(last.physical == page.physical + (page.run - 1), "a page is one part of physical memory");
	must(last.run == 1 || tables->format == PAGES_OFFSET, "a page ends where it said");
}

/* Compares a read of at most READ_MAX bytes through memory.c with the translation of each byte. */
static void check_read(const struct page_tables *tables, struct target *target, uint64_t address, size_t size)
{
	static const struct memory_source source = {.name = "fuzz", .read = read_target, .close = close_target};
	struct memory memory = {.source = &source, .state = target};
	uint8_t *to = allocate(1, size);
	struct error error = {""};
	struct page page;
	enum status status;
	uint8_t bytes[READ_MAX];
	size_t step;
	size_t i;

	memory_translate(&memory, tables);
	status = memory_read(&memory, MEMORY_VIRTUAL, address, to, size, &error);
	must(status == STATUS_OK || error.text[0], "a refusal has a reason");
	for (i = 0; i < size && address + i >= address; i += step) {
		bool mapped = translate(tables, target, address + i, &page);

		/* The 16 entries of a large page of Armv7 can differ in damaged tables. The first one counts. */
		step = 1;
		if (tables->format == PAGES_ARM_SHORT && page.run > 1)
			step = page.run < size - i ? (size_t)page.run : size - i;
		if (!mapped || read_bytes(target, page.physical, bytes, step, &error) != STATUS_OK)
			break;
		must(status != STATUS_OK || !memcmp(bytes, to + i, step), "a read gives the bytes of the pages");
	}
	must((status == STATUS_OK) == (i == size), "a read succeeds if all its bytes are there");
	memory_close(&memory, &error);
	free(to);
}

static void check_tables(const struct page_tables *tables, struct target *target, uint64_t address)
{
	const uint64_t more[] = {address, address | 0xfff, ~address, 0, ~0ull, 0xffffffff, 0xffff800000000000,
		0xffffffff81000ff8, (1ull << 47) - 1, tables->offset, tables->offset - 1};
	size_t i;

	for (i = 0; i < sizeof(more) / sizeof(*more); i++)
		check_page(tables, target, more[i]);
	check_read(tables, target, address, READ_MAX);
	check_read(tables, target, address | 0xfff, 2);
	check_read(tables, target, -(address & 0xff), 1 + (address & 0xff));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned int machines[] = {EM_X86_64, EM_AARCH64, EM_ARM, EM_ARM};
	struct page_tables tables = {0};
	struct error error = {""};
	struct bytes text;
	struct bytes rest;
	struct target target;
	uint64_t address;
	unsigned int options;
	char *registers;

	if (!take_two((struct bytes){data, size}, &text, &rest) || rest.size < HEAD)
		return 0;
	options = rest.data[0];
	address = load_uint(rest.data + 1, 8, false);
	target = (struct target){{rest.data + HEAD, rest.size - HEAD}, options & ENDLESS, 0};
	registers = format("%.*s", (int)text.size, (const char *)text.data);
	if (page_registers(&tables, registers, machines[options & 3], options & BIG, &error) == STATUS_OK) {
		if (options & UNALIGNED)
			tables.region[0].root += address & 0xfff;
		if (options & RAW)
			tables.region[0].bits = address >> 56, tables.region[1].bits = address >> 48 & 0xff;
		check_tables(&tables, &target, address);
	} else {
		must(error.text[0], "a refusal has a reason");
	}
	free(registers);
	return 0;
}

/* Writes an entry that points back into the memory, with the lowest bits that make it a table or a page. */
static void change_entry(uint8_t *memory, size_t size, struct dice *dice)
{
	static const uint64_t kinds[] = {0x1, 0x3, 0x81, 0x83, 0x2, 0x402, 0x40402, 0x703, 0x701, 0xf03};
	unsigned int width = dice_throw(dice, 3) ? 8 : 4;
	uint64_t kind = kinds[dice_throw(dice, sizeof(kinds) / sizeof(*kinds))];
	uint64_t page = dice_throw(dice, 4) ? dice_throw(dice, size / 4096 + 1) << 12
	                                    : dice_number(dice, 0, size) & 0xffffffffff000;

	if (size >= 8)
		store_uint(memory + dice_throw(dice, size / width) * width, page | kind, width, false);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
	struct dice dice = {seed};
	struct bytes text;
	struct bytes rest;
	uint8_t *part;

	if (!take_two((struct bytes){data, size}, &text, &rest) || rest.size < HEAD)
		return LLVMFuzzerMutate(data, size, most);
	part = data + (rest.data - data);
	switch (dice_throw(&dice, 4)) {
	case 0:
		return change_two(data, size, most, &dice);
	case 1:
		*part ^= (uint8_t)(1u << dice_throw(&dice, 6));
		return size;
	case 2:
		store_uint(part + 1, dice_number(&dice, load_uint(part + 1, 8, false), size), 8, false);
		return size;
	default:
		change_entry(part + HEAD, rest.size - HEAD, &dice);
		return size;
	}
}
