/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_blocks.c - reads the table of blocks from the ELF file of an image. The table has an entry for each block byte,
 * with the address of the block. So functions and blocks need no map. If the image has a map too, the addresses of
 * functions join both.
 */
#include "mip_blocks.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The data with which the entries of the table are joined. */
struct blocks {
	struct mip_profile *profile;
	const struct image *image;
	struct buffer table;
	size_t count; /* number of entries */
	uint64_t wraps_start; /* index of the first byte that wraps; all bytes before it come from `bareprof mip cc` */
	uint64_t wraps_stop;
	const struct image_symbol **symbols; /* functions, sorted by address */
	size_t symbol_count;
	size_t *records; /* indices of the functions of the map, sorted by address */
	size_t record_count;
};

/* qsort() and lower_bound() pass no context to the functions that compare. */
static const struct mip_function *sorted_functions;

static int compare_records(const void *left, const void *right)
{
	size_t a = *(const size_t *)left;
	size_t b = *(const size_t *)right;
	int order = compare_uint(sorted_functions[a].address, sorted_functions[b].address);

	return order ? order : compare_uint(a, b);
}

/* If several functions have one address, a global one comes first. */
static int compare_symbols(const void *left, const void *right)
{
	const struct image_symbol *a = *(const struct image_symbol *const *)left;
	const struct image_symbol *b = *(const struct image_symbol *const *)right;
	int order = compare_uint(a->value, b->value);

	if (!order)
		order = compare_uint(*a->file != 0, *b->file != 0);
	return order ? order : strcmp(a->name, b->name);
}

/* For lower_bound(), which passes the element first, and then the address. */
static int compare_record_address(const void *record, const void *address)
{
	return compare_uint(sorted_functions[*(const size_t *)record].address, *(const uint64_t *)address);
}

static int compare_symbol_address(const void *symbol, const void *address)
{
	return compare_uint((*(const struct image_symbol *const *)symbol)->value, *(const uint64_t *)address);
}

static void sort_functions(struct blocks *blocks)
{
	const struct image *image = blocks->image;
	size_t i;

	blocks->symbols = allocate(image->symbol_count + 1, sizeof(*blocks->symbols));
	for (i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].function && image->symbols[i].section)
			blocks->symbols[blocks->symbol_count++] = &image->symbols[i];
	qsort(blocks->symbols, blocks->symbol_count, sizeof(*blocks->symbols), compare_symbols);
	blocks->record_count = blocks->profile->count;
	blocks->records = allocate(blocks->record_count + 1, sizeof(*blocks->records));
	for (i = 0; i < blocks->record_count; i++)
		blocks->records[i] = i;
	sorted_functions = blocks->profile->functions;
	if (blocks->record_count)
		qsort(blocks->records, blocks->record_count, sizeof(*blocks->records), compare_records);
}

static uint64_t entry_word(const struct blocks *blocks, size_t index, unsigned int word)
{
	unsigned int width = blocks->image->width;

	return load_uint(blocks->table.data + (2 * index + word) * width, width, blocks->image->big);
}

static uint64_t entry_address(const struct blocks *blocks, size_t index)
{
	uint64_t address = entry_word(blocks, index, 0);

	return blocks->image->machine == EM_ARM ? address & ~(uint64_t)1 : address;
}

/* Returns the function of the map at @address that has no blocks yet, or NULL. */
static struct mip_function *find_record(const struct blocks *blocks, uint64_t address)
{
	size_t at;

	/* A function that was added may have moved the array. */
	sorted_functions = blocks->profile->functions;
	at = lower_bound(
		&address, blocks->records, blocks->record_count, sizeof(*blocks->records), compare_record_address);

	for (; at < blocks->record_count; at++) {
		struct mip_function *function = &blocks->profile->functions[blocks->records[at]];

		if (function->address != address)
			break;
		if (!(function->kinds & BAREPROF_MIP_KIND_BLOCKS))
			return function;
	}
	return NULL;
}

static const struct image_symbol *find_symbol(const struct blocks *blocks, uint64_t address)
{
	size_t at = lower_bound(
		&address, blocks->symbols, blocks->symbol_count, sizeof(*blocks->symbols), compare_symbol_address);

	return at < blocks->symbol_count && blocks->symbols[at]->value == address ? blocks->symbols[at] : NULL;
}

/* Adds a function that the map does not have. If it has no symbol, its address becomes its name. */
static struct mip_function *add_function(const struct blocks *blocks, uint64_t address)
{
	const struct image_symbol *symbol = find_symbol(blocks, address);
	char *name = symbol ? format("%s", symbol->name) : format("0x%" PRIx64, address);
	struct mip_function function = {
		.name = {(const uint8_t *)name, strlen(name)},
		.address = address,
		.size = symbol && symbol->size <= UINT32_MAX ? (uint32_t)symbol->size : 0,
	};
	struct mip_function *added = mip_profile_add(blocks->profile, &function);

	free(name);
	return added;
}

/*
 * Sets the blocks of @function to the entries from @first + 1 to @end. Entries of blocks that the compiler deleted, or
 * that are not in the function, become no blocks.
 */
static void set_blocks(const struct blocks *blocks, struct mip_function *function, size_t first, size_t end)
{
	uint64_t size = function->size ? function->size : UINT32_MAX;
	size_t i;

	function->kinds |= BAREPROF_MIP_KIND_BLOCKS;
	if (first < blocks->wraps_start)
		function->kinds |= BAREPROF_MIP_KIND_FULL;
	else if (first < blocks->wraps_stop)
		function->kinds |= BAREPROF_MIP_KIND_WRAPS;
	function->block_raw = first;
	function->block_count = 0;
	function->blocks = arena_take(&blocks->profile->arena, (end - first) * sizeof(*function->blocks));
	for (i = first + 1; i < end; i++) {
		uint64_t offset = entry_address(blocks, i) - function->address;

		if (entry_word(blocks, i, 0) == BAREPROF_MIP_PCS_DELETED || offset >= size)
			continue;
		function->blocks[function->block_count++] =
			(struct mip_block){.offset = (uint32_t)offset, .index = (uint32_t)(i - first)};
	}
}

static void join(const struct blocks *blocks)
{
	size_t first = 0;

	while (first < blocks->count) {
		uint64_t address = entry_address(blocks, first);
		struct mip_function *function = find_record(blocks, address);
		size_t end = first + 1;

		while (end < blocks->count && !(entry_word(blocks, end, 1) & BAREPROF_MIP_PCS_FUNCTION))
			end++;
		if (!function)
			function = add_function(blocks, address);
		set_blocks(blocks, function, first, end);
		first = end;
	}
}

/* Finds out which block bytes wrap. */
static enum status find_wraps(struct blocks *blocks, const struct mip_extent *bytes, struct error *error)
{
	const struct image_symbol *start = image_bound(blocks->image, BOUNDS_OURS, BAREPROF_MIP_BOUNDS_WRAPS, false);
	const struct image_symbol *stop = image_bound(blocks->image, BOUNDS_OURS, BAREPROF_MIP_BOUNDS_WRAPS, true);

	if (!start || !stop)
		return error_set(error, STATUS_INVALID_INPUT,
			"has block bytes, but no symbols of '" BAREPROF_MIP_BOUNDS_WRAPS
			"', which show the producer of each byte; link it with mip.ld");
	blocks->wraps_start = start->value - bytes->address;
	blocks->wraps_stop = stop->value - bytes->address;
	if (blocks->wraps_start > blocks->wraps_stop || blocks->wraps_stop > bytes->size)
		return error_set(error, STATUS_INVALID_INPUT,
			"has the symbols of '" BAREPROF_MIP_BOUNDS_WRAPS
			"' outside of its block bytes; link it with mip.ld");
	if (blocks->wraps_start == blocks->wraps_stop || blocks->wraps_stop == bytes->size)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT,
		"has both '" BAREPROF_MIP_SANCOV_COUNTERS "' and '" BAREPROF_MIP_SANCOV_FLAGS
		"', so the order of the entries of their table is not known; compile all files with only one of the "
		"options "
		"-fsanitize-coverage=inline-8bit-counters and -fsanitize-coverage=inline-bool-flag");
}

const struct image_section *mip_blocks_section(const struct image *image)
{
	return image_section(image, BAREPROF_MIP_SECTION_PCS);
}

static enum status read_table(struct blocks *blocks, const struct mip_extent *bytes, struct error *error)
{
	const struct image_section *section = mip_blocks_section(blocks->image);
	uint64_t entry = 2 * (uint64_t)blocks->image->width;

	if (!section)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %" PRIu64 " block bytes, but no section '" BAREPROF_MIP_SECTION_PCS
			"'; compile with pc-table, link it with mip.ld, and give the ELF file as it was before strip",
			bytes->size);
	image_relocate_section(blocks->image, section, &blocks->table);
	blocks->count = blocks->table.size / entry;
	if (blocks->table.size % entry || blocks->count != bytes->size)
		return error_set(error, STATUS_INVALID_INPUT,
			"has %" PRIu64 " block bytes, but its table of blocks has %zu bytes, not %" PRIu64
			" bytes for each block; compile all files with pc-table, and link with mip.ld",
			bytes->size, blocks->table.size, entry);
	if (!(entry_word(blocks, 0, 1) & BAREPROF_MIP_PCS_FUNCTION))
		return error_set(error, STATUS_INVALID_INPUT,
			"has a table of blocks whose first entry is not the entry of a function; link with mip.ld");
	return find_wraps(blocks, bytes, error);
}

enum status mip_blocks_read(
	struct mip_profile *profile, const struct image *image, const struct mip_extent *bytes, struct error *error)
{
	struct blocks blocks = {.profile = profile, .image = image};
	enum status status = STATUS_OK;

	if (!bytes->size)
		return STATUS_OK;
	status = read_table(&blocks, bytes, error);
	if (status == STATUS_OK) {
		sort_functions(&blocks);
		join(&blocks);
	}
	buffer_free(&blocks.table);
	free(blocks.symbols);
	free(blocks.records);
	return status;
}
