/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page_walk.c - the formats of page tables as the manuals of the architectures define them, and one loop for all of them:
 * "Paging" in volume 3 of Intel's manual, and the chapters on the VMSA in the Arm ARMs for Armv7-A and for A-profile.
 */
#include "page_walk.h"

#include <inttypes.h>

/* x86_64 has five levels at most, and AArch64 with pages of 4 KiB and 52 bits too. */
#define LEVELS_MAX 5u

#define BIT(n) (1ull << (n))
/* The bits @high to @low of a number. */
#define BITS(high, low) ((~0ull >> (63 - (high))) & ~0ull << (low))

enum entry_kind {
	ENTRY_ABSENT,
	ENTRY_TABLE, /* has the address of a table of the next level */
	ENTRY_PAGE, /* has the address of memory */
	ENTRY_RESERVED, /* has a form that no CPU accepts */
};

/* A form of an entry. */
struct entry_form {
	uint64_t spans; /* bit n: the form exists for entries that stand for 2^n bytes */
	uint64_t mask; /* the entry has the form if these bits of it are @value */
	uint64_t value;
	enum entry_kind kind;
	unsigned int low; /* the lowest bit of the address in the entry; 0: all lower bits are in the span or granule */
	uint64_t reserved; /* these bits must be 0 */
};

#define ANY ~0ull

static const struct entry_form x86_64[] = {
	{ANY, 0x1, 0x0, ENTRY_ABSENT, 0, 0},
	{BIT(12), 0x1, 0x1, ENTRY_PAGE, 12, 0},
	{BIT(21), 0x81, 0x81, ENTRY_PAGE, 21, BITS(20, 13)},
	{BIT(30), 0x81, 0x81, ENTRY_PAGE, 30, BITS(29, 13)},
	{BIT(21) | BIT(30) | BIT(39) | BIT(48), 0x81, 0x1, ENTRY_TABLE, 12, 0},
	{ANY, 0, 0, ENTRY_RESERVED, 0, 0},
};

/* AArch64 and LPAE. Blocks of 2^39, 2^36 and 2^42 bytes need physical addresses of 52 bits. */
static const struct entry_form arm_long[] = {
	{ANY, 0x1, 0x0, ENTRY_ABSENT, 0, 0},
	{BIT(12) | BIT(14) | BIT(16), 0x3, 0x3, ENTRY_PAGE, 0, 0},
	{BIT(12) | BIT(14) | BIT(16), 0x3, 0x1, ENTRY_RESERVED, 0, 0},
	{ANY, 0x3, 0x3, ENTRY_TABLE, 0, 0},
	{BIT(21) | BIT(25) | BIT(29) | BIT(30) | BIT(36) | BIT(39) | BIT(42), 0x3, 0x1, ENTRY_PAGE, 0, 0},
	{ANY, 0, 0, ENTRY_RESERVED, 0, 0},
};

/* Supersections and large pages are larger than the span of an entry: 16 equal entries stand for each. */
static const struct entry_form arm_short[] = {
	{ANY, 0x3, 0x0, ENTRY_ABSENT, 0, 0},
	{BIT(20), 0x3, 0x1, ENTRY_TABLE, 10, 0},
	{BIT(20), 0x40002, 0x00002, ENTRY_PAGE, 20, 0},
	{BIT(20), 0x40002, 0x40002, ENTRY_PAGE, 24, 0},
	{BIT(12), 0x3, 0x1, ENTRY_PAGE, 16, 0},
	{BIT(12), 0x2, 0x2, ENTRY_PAGE, 12, 0},
	{ANY, 0, 0, ENTRY_RESERVED, 0, 0},
};

/* What the formats differ in. */
static const struct layout {
	const struct entry_form *forms; /* the last form has all entries */
	unsigned int entry; /* log2 of the size of an entry */
	unsigned int physical; /* number of bits of a physical address that are in their place in an entry */
	unsigned int address; /* number of bits of a virtual address */
} layouts[] = {
	[PAGES_X86_64] = {x86_64, 3, 52, 64},
	[PAGES_AARCH64] = {arm_long, 3, 48, 64},
	[PAGES_ARM_SHORT] = {arm_short, 2, 32, 32},
	[PAGES_ARM_LONG] = {arm_long, 3, 40, 32},
};

/* A level: the bits of the virtual address that are the index of its table, from bit @shift on. */
struct level {
	unsigned int shift;
	unsigned int width;
};

/* Sets the levels of @region, and returns their number, or 0 if the region cannot be so large or so small. */
static unsigned int find_levels(const struct page_tables *tables, const struct page_region *region, struct level *level)
{
	unsigned int width = region->granule - layouts[tables->format].entry;
	unsigned int count;
	unsigned int i;

	if (tables->format == PAGES_ARM_SHORT) {
		if (region->bits < 25 || region->bits > 32)
			return 0;
		level[0] = (struct level){20, region->bits - 20};
		level[1] = (struct level){12, 8};
		return 2;
	}
	if (region->granule < 12 || region->granule > 16 || region->bits <= region->granule || region->bits > 57)
		return 0;
	count = (region->bits - region->granule + width - 1) / width;
	for (i = 0; i < count && count <= LEVELS_MAX; i++) {
		level[i].shift = region->granule + (count - 1 - i) * width;
		level[i].width = i ? width : region->bits - level[0].shift;
	}
	return count <= LEVELS_MAX ? count : 0;
}

/* Returns the region that @address belongs to, or NULL if it belongs to none. */
static const struct page_region *find_region(const struct page_tables *tables, uint64_t address)
{
	const struct page_region *low = &tables->region[0];
	const struct page_region *high = &tables->region[1];
	unsigned int width = layouts[tables->format].address;
	uint64_t all = ~0ull >> (64 - width);

	if (address > all)
		return NULL;
	if (tables->format == PAGES_X86_64) {
		/* All bits from the highest one of the table's index on are equal. */
		unsigned int sign = low->bits - 1;

		return sign < 57 && (!(address >> sign) || address >> sign == all >> sign) ? low : NULL;
	}
	if (low->bits && low->bits < width && !(address >> low->bits))
		return low;
	if (high->bits && high->bits < width && address >> high->bits == all >> high->bits)
		return high;
	/* On Armv7, one region may be everything that the other one leaves. */
	if (low->bits >= width)
		return low;
	return high->bits >= width ? high : NULL;
}

static const struct entry_form *form_of(const struct page_tables *tables, uint64_t entry, unsigned int shift)
{
	const struct entry_form *form = layouts[tables->format].forms;

	while (!(form->spans & BIT(shift)) || (entry & form->mask) != form->value)
		form++;
	return form;
}

/* Returns the address in @entry, whose lowest bit is @low. */
static uint64_t address_in(
	const struct page_tables *tables, const struct page_region *region, uint64_t entry, unsigned int low)
{
	unsigned int high = layouts[tables->format].physical - 1;

	if (tables->format == PAGES_ARM_SHORT && low == 24)
		return (entry & BITS(31, 24)) | (entry >> 20 & 0xf) << 32 | (entry >> 5 & 0xf) << 36;
	if (tables->wide && region->granule == 16)
		return (entry & BITS(high, low)) | (entry >> 12 & 0xf) << 48;
	if (tables->wide)
		return (entry & BITS(49, low)) | (entry >> 8 & 0x3) << 50;
	return entry & BITS(high, low);
}

/* A walk for one address. */
struct walk {
	const struct page_tables *tables;
	page_read *read;
	void *context;
	uint64_t address;
	struct error *error;
};

/* Reads the entry at @at, whose level is @number, counted from 1. */
static enum status read_entry(const struct walk *walk, uint64_t at, unsigned int number, uint64_t *entry)
{
	unsigned int size = 1u << layouts[walk->tables->format].entry;
	uint8_t bytes[8];
	enum status status = walk->read(walk->context, at, bytes, size, walk->error);

	if (status == STATUS_OK)
		*entry = load_uint(bytes, size, walk->tables->big);
	else if (status == STATUS_INVALID_INPUT)
		error_set(walk->error, status,
			"cannot translate 0x%" PRIx64 ": the page table of level %u would be at the physical address "
			"0x%" PRIx64 ", where no memory is; give the registers of the CPU with --page-tables",
			walk->address, number, at);
	return status;
}

static enum status refuse_absent(const struct walk *walk, uint64_t at, unsigned int number)
{
	return error_set(walk->error, STATUS_INVALID_INPUT,
		"does not map 0x%" PRIx64 ": the entry in its page table of level %u, at 0x%" PRIx64 ", is not present",
		walk->address, number, at);
}

static enum status refuse_form(const struct walk *walk, unsigned int number)
{
	return error_set(walk->error, STATUS_INVALID_INPUT,
		"cannot translate 0x%" PRIx64 ": the entry in its page table of level %u has a form that no CPU "
		"accepts; give the registers of the CPU with --page-tables",
		walk->address, number);
}

static enum status walk_region(const struct walk *walk, const struct page_region *region, struct page *page)
{
	struct level level[LEVELS_MAX];
	unsigned int count = find_levels(walk->tables, region, level);
	uint64_t table = region->root;
	unsigned int i;

	for (i = 0; i < count; i++) {
		const struct entry_form *form;
		uint64_t index = walk->address >> level[i].shift & BITS(level[i].width - 1, 0);
		uint64_t at = table + (index << layouts[walk->tables->format].entry);
		uint64_t entry = 0;
		enum status status = read_entry(walk, at, i + 1, &entry);
		unsigned int low;

		if (status != STATUS_OK)
			return status;
		form = form_of(walk->tables, entry, level[i].shift);
		if (form->kind == ENTRY_ABSENT)
			return refuse_absent(walk, at, i + 1);
		if (form->kind == ENTRY_RESERVED || entry & form->reserved)
			return refuse_form(walk, i + 1);
		low = form->low ? form->low : form->kind == ENTRY_TABLE ? region->granule : level[i].shift;
		table = address_in(walk->tables, region, entry, low);
		if (form->kind == ENTRY_PAGE) {
			uint64_t offset = walk->address & BITS(low - 1, 0);

			*page = (struct page){table + offset, BIT(low) - offset};
			return STATUS_OK;
		}
	}
	/* The last level has no form of a table, so only a region of no size comes here. */
	return refuse_form(walk, 1);
}

enum status page_walk(const struct page_tables *tables, page_read *read, void *context, uint64_t address,
	struct page *page, struct error *error)
{
	struct walk walk = {tables, read, context, address, error};
	const struct page_region *region;

	if (tables->format == PAGES_OFFSET) {
		uint64_t physical = address - tables->offset;
		uint64_t highest = address > physical ? address : physical;

		/* The page ends where virtual or physical addresses end. */
		*page = (struct page){physical, highest ? -highest : ~0ull};
		return STATUS_OK;
	}
	region = find_region(tables, address);
	if (region)
		return walk_region(&walk, region, page);
	return error_set(error, STATUS_INVALID_INPUT,
		"cannot translate 0x%" PRIx64
		": the page tables are not for such addresses; give the registers of the CPU with --page-tables",
		address);
}
