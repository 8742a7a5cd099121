/* SPDX-License-Identifier: BSD-2-Clause */
/* page_registers.c - takes the address of the first table and the form of the tables out of the registers of a CPU. */
#include "page_registers.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

enum page_register {
	CR3,
	CR4,
	TTBR0,
	TTBR1,
	TCR, /* TTBCR on Armv7 */
	OFFSET,
	REGISTERS
};

static const struct {
	const char *name;
	enum page_register number;
	unsigned int machine; /* EM_NONE: all */
} names[] = {
	{"cr3", CR3, EM_X86_64},
	{"cr4", CR4, EM_X86_64},
	{"ttbr0", TTBR0, EM_AARCH64},
	{"ttbr1", TTBR1, EM_AARCH64},
	{"tcr", TCR, EM_AARCH64},
	{"ttbr0", TTBR0, EM_ARM},
	{"ttbr1", TTBR1, EM_ARM},
	{"ttbcr", TCR, EM_ARM},
	{"offset", OFFSET, EM_NONE},
};

/* The registers of a text. */
struct values {
	bool given[REGISTERS];
	uint64_t value[REGISTERS];
};

/* Returns the bits @high to @low of @value. */
static uint64_t field(uint64_t value, unsigned int high, unsigned int low)
{
	return value >> low & ~0ull >> (63 - (high - low));
}

/* Clears the bits below @low, and those from @high on. */
static uint64_t base(uint64_t value, unsigned int high, unsigned int low)
{
	return field(value, high - 1, low) << low;
}

static void set_x86_64(struct page_tables *tables, const struct values *values)
{
	bool five = field(values->value[CR4], 12, 12);

	tables->format = PAGES_X86_64;
	tables->region[0] = (struct page_region){base(values->value[CR3], 52, 12), five ? 57 : 48, 12};
}

static void set_aarch64(struct page_tables *tables, const struct values *values)
{
	/* The sizes of pages that TG0 and TG1 select. */
	static const unsigned int granules[2][4] = {{12, 16, 14, 0}, {0, 14, 12, 16}};
	/* Addresses of 48 bits and pages of 4 KiB. */
	uint64_t tcr = values->given[TCR] ? values->value[TCR] : 16 | 16 << 16 | 2ull << 30;
	unsigned int i;

	tables->format = PAGES_AARCH64;
	for (i = 0; i < 2; i++) {
		unsigned int granule = granules[i][i ? field(tcr, 31, 30) : field(tcr, 15, 14)];
		uint64_t ttbr = values->value[TTBR0 + i];
		uint64_t root = base(ttbr, 48, 5);

		/* DS, or IPS selects 52 bits. */
		if (field(tcr, 59, 59) || (granule == 16 && field(tcr, 34, 32) == 6)) {
			tables->wide = true;
			root = base(ttbr, 48, 6) | field(ttbr, 5, 2) << 48;
		}
		/* EPD0 and EPD1 switch a region off. */
		if (values->given[TTBR0 + i] && !field(tcr, i ? 23 : 7, i ? 23 : 7))
			tables->region[i] =
				(struct page_region){root, 64 - (unsigned int)field(tcr, 16 * i + 5, 16 * i), granule};
	}
}

static void set_arm(struct page_tables *tables, const struct values *values)
{
	uint64_t ttbcr = values->value[TCR];
	unsigned int size0 = (unsigned int)field(ttbcr, 2, 0);
	unsigned int size1 = (unsigned int)field(ttbcr, 18, 16);
	bool is_long = field(ttbcr, 31, 31);

	tables->format = is_long ? PAGES_ARM_LONG : PAGES_ARM_SHORT;
	tables->region[0] = (struct page_region){
		is_long ? base(values->value[TTBR0], 40, 5) : base(values->value[TTBR0], 32, 14 - size0), 32 - size0,
		12};
	if (is_long && (size0 || size1))
		tables->region[1] = (struct page_region){base(values->value[TTBR1], 40, 5), 32 - size1, 12};
	else if (!is_long && size0)
		tables->region[1] = (struct page_region){base(values->value[TTBR1], 32, 14), 32, 12};
}

/* Returns the entry of names[] for the register whose name is the @size bytes at @text, or -1. */
static int find_name(const char *text, size_t size, unsigned int machine)
{
	size_t i;

	if (size > 4 && !strncasecmp(text + size - 4, "_el", 3))
		size -= 4;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if ((names[i].machine == machine || !names[i].machine) && strlen(names[i].name) == size &&
			!strncasecmp(names[i].name, text, size))
			return (int)i;
	return -1;
}

/* Reads one register. */
static enum status read_one(struct values *values, const char *word, unsigned int machine, struct error *error)
{
	size_t size = strcspn(word, "=");
	int i = find_name(word, size, machine);
	struct buffer known = {0};
	size_t n;

	if (i >= 0 && word[size] && parse_address(word + size + 1, &values->value[names[i].number])) {
		values->given[names[i].number] = true;
		return STATUS_OK;
	}
	for (n = 0; n < sizeof(names) / sizeof(*names); n++)
		if (names[n].machine == machine || !names[n].machine)
			buffer_printf(&known, "%s%s=NUMBER", known.size ? ", " : "", names[n].name);
	error_set(error, STATUS_USAGE, "cannot use '%s' of --page-tables; for this ELF file, it takes %s", word,
		buffer_string(&known));
	buffer_free(&known);
	return STATUS_USAGE;
}

static enum status read_all(struct values *values, const char *text, unsigned int machine, struct error *error)
{
	char *copy = format("%s", text);
	enum status status = STATUS_OK;
	char *rest = NULL;
	char *word;

	for (word = strtok_r(copy, ", ", &rest); word && status == STATUS_OK; word = strtok_r(NULL, ", ", &rest))
		status = read_one(values, word, machine, error);
	free(copy);
	return status;
}

enum status page_registers(
	struct page_tables *tables, const char *text, unsigned int machine, bool big, struct error *error)
{
	struct values values = {{false}, {0}};
	enum status status = read_all(&values, text, machine, error);

	*tables = (struct page_tables){.big = big, .offset = values.value[OFFSET]};
	if (status != STATUS_OK)
		return status;
	if (values.given[OFFSET])
		tables->format = PAGES_OFFSET;
	else if (values.given[CR3])
		set_x86_64(tables, &values);
	else if (machine == EM_AARCH64 && (values.given[TTBR0] || values.given[TTBR1]))
		set_aarch64(tables, &values);
	else if (machine == EM_ARM && values.given[TTBR0])
		set_arm(tables, &values);
	else
		return error_set(error, STATUS_USAGE,
			"needs the address of the page tables with --page-tables: cr3=, ttbr0= or ttbr1=, or offset=");
	return STATUS_OK;
}
