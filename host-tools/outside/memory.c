/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory.c - reads and writes any kind of memory, translates virtual addresses if the page tables are known, and leaves
 * the target.
 */
#include "memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* Entries of page tables are read a page at a time, because neighbours are needed next. */
#define CACHED_PAGES 8u
#define CACHED_BYTES 4096u

struct page_cache {
	size_t next; /* the page to replace */
	struct {
		bool used;
		uint64_t address;
		uint8_t content[CACHED_BYTES];
	} page[CACHED_PAGES];
};

static enum status check_range(uint64_t address, size_t size, struct error *error)
{
	if (!size || address + (size - 1) >= address)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT, "has no %zu bytes at 0x%" PRIx64, size, address);
}

/* Reads an entry of a page table. The target stands still, so its tables do not change. */
static enum status read_entry(void *context, uint64_t address, void *to, size_t size, struct error *error)
{
	struct memory *memory = context;
	struct page_cache *cache = memory->cache;
	uint64_t offset = address % CACHED_BYTES;
	struct error unused;
	size_t i;

	/* The table that a damaged symbol names can be at an odd address. */
	if (size > CACHED_BYTES - offset)
		return memory->source->read(memory, MEMORY_PHYSICAL, address, to, size, error);
	for (i = 0; i < CACHED_PAGES; i++)
		if (cache->page[i].used && cache->page[i].address == address - offset)
			break;
	if (i == CACHED_PAGES) {
		i = cache->next++ % CACHED_PAGES;
		cache->page[i].address = address - offset;
		cache->page[i].used = memory->source->read(memory, MEMORY_PHYSICAL, address - offset,
					      cache->page[i].content, CACHED_BYTES, &unused) == STATUS_OK;
		if (!cache->page[i].used)
			return memory->source->read(memory, MEMORY_PHYSICAL, address, to, size, error);
	}
	memcpy(to, cache->page[i].content + offset, size);
	return STATUS_OK;
}

void memory_translate(struct memory *memory, const struct page_tables *tables)
{
	free(memory->cache);
	memory->cache = allocate(1, sizeof(*memory->cache));
	memory->tables = *tables;
}

enum status memory_page(struct memory *memory, uint64_t address, struct page *page, struct error *error)
{
	return page_walk(&memory->tables, read_entry, memory, address, page, error);
}

/* Translates @address, and as many of the @size bytes from there as follow each other in physical memory. */
static enum status find_run(
	struct memory *memory, uint64_t address, size_t size, struct page *page, struct error *error)
{
	enum status status = memory_page(memory, address, page, error);
	struct page next;

	while (status == STATUS_OK && page->run < size) {
		status = memory_page(memory, address + page->run, &next, error);
		/* Physical memory does not go on at address 0. */
		if (status != STATUS_OK || !next.physical || next.physical != page->physical + page->run)
			break;
		page->run = add_saturating(page->run, next.run);
	}
	if (status == STATUS_OK && page->run > size)
		page->run = size;
	return status;
}

/* Reads or writes virtual memory through memory->tables. One of @to and @from is NULL. */
static enum status transfer(
	struct memory *memory, uint64_t address, uint8_t *to, const uint8_t *from, size_t size, struct error *error)
{
	const struct memory_source *source = memory->source;
	enum status status = STATUS_OK;
	size_t done = 0;

	while (done < size && status == STATUS_OK) {
		struct page page = {0, 0};

		status = find_run(memory, address + done, size - done, &page, error);
		if (status == STATUS_OK && to)
			status = source->read(
				memory, MEMORY_PHYSICAL, page.physical, to + done, (size_t)page.run, error);
		else if (status == STATUS_OK)
			status = source->write(
				memory, MEMORY_PHYSICAL, page.physical, from + done, (size_t)page.run, error);
		done += (size_t)page.run;
	}
	return status;
}

static bool translated(const struct memory *memory, enum memory_space space)
{
	return space == MEMORY_VIRTUAL && memory->tables.format != PAGES_UNKNOWN;
}

enum status memory_read(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	if (check_range(address, size, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	if (translated(memory, space))
		return transfer(memory, address, to, NULL, size, error);
	return size ? memory->source->read(memory, space, address, to, size, error) : STATUS_OK;
}

enum status memory_write(struct memory *memory, enum memory_space space, uint64_t address, const void *from,
	size_t size, struct error *error)
{
	if (!memory_can_write(memory))
		return error_set(error, STATUS_USAGE, "cannot be written; only a stub of gdb (gdb:) writes memory");
	if (check_range(address, size, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	if (translated(memory, space))
		return transfer(memory, address, NULL, from, size, error);
	return size ? memory->source->write(memory, space, address, from, size, error) : STATUS_OK;
}

bool memory_can_write(const struct memory *memory)
{
	return memory->source->write;
}

bool memory_next(struct memory *memory, enum memory_space space, struct memory_part *part)
{
	return memory->source->next && memory->source->next(memory, space, part);
}

void memory_notes(struct memory *memory, const char *owner, struct buffer *out)
{
	if (memory->source->notes)
		memory->source->notes(memory, owner, out);
}

bool memory_may_run(const struct memory *memory)
{
	return memory->source->stop;
}

enum status memory_stop(struct memory *memory, struct error *error)
{
	if (!memory->source->stop)
		return STATUS_OK;
	/* The page tables may have changed. */
	if (memory->cache)
		*memory->cache = (struct page_cache){0};
	return memory->source->stop(memory, error);
}

bool memory_runs_on(const struct memory *memory, bool running)
{
	return memory->leave == LEAVE_RUNNING || (memory->leave == LEAVE_AS_FOUND && running);
}

enum status memory_close(struct memory *memory, struct error *error)
{
	enum status status = STATUS_OK;

	if (memory->source)
		status = memory->source->close(memory, error);
	free(memory->cache);
	free(memory->name);
	*memory = (struct memory){0};
	return status;
}
