/* SPDX-License-Identifier: BSD-2-Clause */
/* place_tables.c - tries page tables, and proves them: they must map the program to the place where it is. */
#include "place_tables.h"

#include <elf.h>
#include <stdlib.h>

/* Where the link addresses of x86_64 Linux begin. */
#define KERNEL_HALF 0xffffffff80000000ull

/* Variables of kernels that are the first page table for kernel addresses. */
static const struct root {
	const char *symbol;
	unsigned int machine;
	enum page_format format;
	unsigned int region;
} roots[] = {
	{"init_top_pgt", EM_X86_64, PAGES_X86_64, 0}, /* Linux */
	{"idle_pg_table", EM_X86_64, PAGES_X86_64, 0}, /* Xen */
	{"swapper_pg_dir", EM_AARCH64, PAGES_AARCH64, 1},
	{"xen_pgtable", EM_AARCH64, PAGES_AARCH64, 0},
	{"swapper_pg_dir", EM_ARM, PAGES_ARM_SHORT, 0},
	{"swapper_pg_dir", EM_ARM, PAGES_ARM_LONG, 0},
};

/* The sizes that these tables can have. A kernel chooses one when it is configured, or on x86_64 when it boots. */
static const struct size {
	enum page_format format;
	unsigned int granule;
	unsigned int bits;
} sizes[] = {
	{PAGES_X86_64, 12, 48},
	{PAGES_X86_64, 12, 57},
	{PAGES_AARCH64, 12, 48},
	{PAGES_AARCH64, 12, 39},
	{PAGES_AARCH64, 16, 48},
	{PAGES_AARCH64, 16, 42},
	{PAGES_AARCH64, 16, 52},
	{PAGES_AARCH64, 14, 48},
	{PAGES_AARCH64, 14, 47},
	{PAGES_AARCH64, 14, 36},
	{PAGES_AARCH64, 12, 52},
	{PAGES_ARM_SHORT, 12, 32},
	{PAGES_ARM_LONG, 12, 32},
};

bool place_is_x86_kernel(const struct program *program)
{
	return program->image.machine == EM_X86_64 && program->build_id_address >= KERNEL_HALF;
}

/* Finds a number in the note that a Linux kernel writes for readers of its dumps. @key ends with '='. */
static bool find_number(struct memory *memory, const char *key, int base, uint64_t *number)
{
	struct buffer note = {0};
	const char *at;
	char *end;

	memory_notes(memory, "VMCOREINFO", &note);
	at = strstr(buffer_string(&note), key);
	if (at) {
		at += strlen(key);
		*number = (uint64_t)strtoll(at, &end, base);
		at = end > at && (*end == '\n' || !*end) ? at : NULL;
	}
	buffer_free(&note);
	return at;
}

bool place_kernel_offset(struct memory *memory, uint64_t *slide)
{
	return find_number(memory, "KERNELOFFSET=", 16, slide);
}

bool place_kernel_load(struct memory *memory, uint64_t *load_slide)
{
	uint64_t base;

	if (!place_kernel_offset(memory, load_slide) || !find_number(memory, "NUMBER(phys_base)=", 10, &base))
		return false;
	*load_slide += base;
	return true;
}

/* Returns whether the tables map @address of the ELF file to where it is. */
static bool maps(const struct placed *placed, uint64_t address)
{
	struct error unused;
	struct page page;

	return memory_page(placed->memory, placed_address(placed, address), &page, &unused) == STATUS_OK &&
	       page.physical == placed_locate(placed, address);
}

bool place_is_mapped(const struct placed *placed)
{
	const struct elf_section_copy *counters = &placed->program->section[BAREPROF_CNTS];

	return maps(placed, placed->program->build_id_address) && (!counters->size || maps(placed, counters->address));
}

/* Returns whether the tables map the program with @slide. If they do, the slide is known. */
static bool maps_with(struct placed *placed, uint64_t slide)
{
	struct placed moved = *placed;

	moved.slide = slide;
	moved.slide_known = true;
	if (!place_is_mapped(&moved))
		return false;
	*placed = moved;
	return true;
}

/* Tries @tables with all slides that the program may have. @slide is the one that the kernel noted, or NULL. */
static bool try_tables(struct placed *placed, const struct page_tables *tables, const uint64_t *slide)
{
	static const struct page_tables none = {0};
	unsigned int i;

	memory_translate(placed->memory, tables);
	if (placed->slide_known) {
		if (maps_with(placed, placed->slide))
			return true;
	} else {
		if (maps_with(placed, 0) || (slide && maps_with(placed, *slide)))
			return true;
		for (i = 1; i <= KASLR_STEPS && place_is_x86_kernel(placed->program); i++)
			if (maps_with(placed, i * KASLR_STEP))
				return true;
	}
	memory_translate(placed->memory, &none);
	return false;
}

/* Tries the table at the physical address @address in all sizes. */
static bool try_root(struct placed *placed, const struct root *root, uint64_t address, const uint64_t *slide)
{
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct page_tables tables = {.format = root->format, .big = placed->program->image.big};

		tables.region[root->region] = (struct page_region){address, sizes[i].bits, sizes[i].granule};
		if (sizes[i].format == root->format && try_tables(placed, &tables, slide))
			return true;
	}
	return false;
}

/* Tries the table that the program defines as a symbol. */
static bool try_symbol(struct placed *placed, const struct root *root, const uint64_t *slide)
{
	const struct image_symbol *symbol = image_symbol(&placed->program->image, root->symbol);
	uint64_t anchor = placed->program->build_id_address;
	uint64_t physical;

	if (!symbol || root->machine != placed->program->image.machine)
		return false;
	/* The table of 32-bit Arm is before the kernel, and in no segment. */
	if (placed_physical(placed->program, symbol->value, &physical))
		physical = placed_locate(placed, symbol->value);
	else
		physical = symbol->value - anchor + placed_locate(placed, anchor);
	return try_root(placed, root, physical, slide);
}

/* The note QEMU of x86_64, which each CPU has: its size, and the offsets of CR3 and CR4. */
#define QEMU_NOTE 440u
#define QEMU_CR3  416u
#define QEMU_CR4  424u
/* Tables of more CPUs are not tried. Those of CPUs that run programs need not map a kernel, but one of many does. */
#define CPUS_MAX 256u

/* Tries the tables of the CPUs. */
static bool try_cpus(struct placed *placed, const uint64_t *slide)
{
	struct buffer notes = {0};
	bool found = false;
	size_t at;

	if (placed->program->image.machine == EM_X86_64)
		memory_notes(placed->memory, "QEMU", &notes);
	for (at = 0; at + QEMU_NOTE <= notes.size && at < CPUS_MAX * QEMU_NOTE && !found; at += QEMU_NOTE) {
		struct page_tables tables = {.format = PAGES_X86_64};
		bool five = load_uint(notes.data + at + QEMU_CR4, 8, false) & 1 << 12;

		tables.region[0] = (struct page_region){
			load_uint(notes.data + at + QEMU_CR3, 8, false) & 0xffffffffff000, five ? 57 : 48, 12};
		found = try_tables(placed, &tables, slide);
	}
	buffer_free(&notes);
	return found;
}

bool place_tables(struct placed *placed)
{
	uint64_t noted;
	/* The notes can be large, and are read only once. */
	const uint64_t *slide = place_kernel_offset(placed->memory, &noted) ? &noted : NULL;
	size_t i;

	if (try_cpus(placed, slide))
		return true;
	for (i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		if (try_symbol(placed, &roots[i], slide))
			return true;
	return false;
}
