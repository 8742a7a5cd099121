/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tables.c - the tables with which the processor translates guest physical addresses to
 * physical addresses. They are the same for Arm and x86, except for the bits of an entry,
 * which are in the pages.h of each architecture.
 */
#include "cpu.h"
#include "hyper.h"
#include "pages.h"

#define ENTRIES   (PAGE_SIZE / sizeof(uint64_t))
#define TABLES    8u
#define ADDRESSES 32u /* number of bits in the guest's addresses */
#define ADDRESS   0xfffff000u /* address bits of an entry; the hypervisor uses only the first 4 GiB */

/* For each level: 1 << shift is the number of bytes that an entry maps. The last level maps pages. */
static const unsigned int shifts[] = PAGES_SHIFTS;
#define LEVELS (sizeof(shifts) / sizeof(shifts[0]))

static uint64_t tables[TABLES][ENTRIES] __attribute__((aligned(PAGE_SIZE)));
static unsigned int used = 1; /* number of tables in use; the first one is the root */

static uint64_t *entry(uint64_t *table, uint64_t address, unsigned int level)
{
	return &table[address >> shifts[level] & (ENTRIES - 1)];
}

/*
 * Returns the last-level table for @address, or NULL if there is no such table. If @make is true,
 * creates missing tables.
 */
static uint64_t *find(uint64_t address, bool make)
{
	uint64_t *table = tables[0];
	unsigned int level;

	if (address >> ADDRESSES != 0)
		return NULL;
	for (level = 0; level < LEVELS - 1; level++) {
		uint64_t *next = entry(table, address, level);

		if (*next == 0) {
			if (!make || used == TABLES)
				return NULL;
			*next = (uintptr_t)tables[used++] | PAGES_TABLE;
		}
		table = (uint64_t *)(uintptr_t)(*next & ADDRESS);
	}
	return table;
}

bool tables_map(uint64_t address, const void *page, uint32_t kind)
{
	uint64_t *table = find(address, true);

	if (table == NULL || *entry(table, address, LEVELS - 1) != 0)
		return false;
	*entry(table, address, LEVELS - 1) = (uintptr_t)page | kind;
	return true;
}

const uint64_t *tables_start(void)
{
	unsigned int i;

	for (i = 0; i < GUEST_PAGES; i++)
		if (i != GUEST_HOLE)
			tables_map(GUEST_BASE + i * PAGE_SIZE, guest_page(i),
				i == GUEST_CONSTANT ? PAGES_CONSTANT : PAGES_MEMORY);
	return tables[0];
}

uint8_t *tables_writable(uint64_t address)
{
	uint64_t *table = find(address, false);
	uint64_t found = table != NULL ? *entry(table, address, LEVELS - 1) : 0;

	/* The guest may write to the console too, but the console is not memory. */
	return (found & PAGES_KIND) == PAGES_MEMORY ? (uint8_t *)(uintptr_t)(found & ADDRESS) : NULL;
}
