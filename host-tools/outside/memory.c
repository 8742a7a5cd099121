/* SPDX-License-Identifier: BSD-2-Clause */
/* memory.c - reads and writes any kind of memory, and leaves the target. */
#include "memory.h"

#include <inttypes.h>
#include <stdlib.h>

static enum status check_range(uint64_t address, size_t size, struct error *error)
{
	if (!size || address + (size - 1) >= address)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID_INPUT, "has no %zu bytes at 0x%" PRIx64, size, address);
}

enum status memory_read(
	struct memory *memory, enum memory_space space, uint64_t address, void *to, size_t size, struct error *error)
{
	if (check_range(address, size, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	return size ? memory->source->read(memory, space, address, to, size, error) : STATUS_OK;
}

enum status memory_write(struct memory *memory, enum memory_space space, uint64_t address, const void *from,
	size_t size, struct error *error)
{
	if (!memory_can_write(memory))
		return error_set(error, STATUS_USAGE, "cannot be written; only a stub of gdb (gdb:) writes memory");
	if (check_range(address, size, error) != STATUS_OK)
		return STATUS_INVALID_INPUT;
	return size ? memory->source->write(memory, space, address, from, size, error) : STATUS_OK;
}

bool memory_can_write(const struct memory *memory)
{
	return memory->source->write;
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
	free(memory->name);
	*memory = (struct memory){0};
	return status;
}
