/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile_guest.c - makes hypercalls at the limits of docs/SPEC.md, part 3. Checks that each call returns the right
 * result and writes only the requested bytes.
 */
#include "hostile_memory.h"

#define LARGEST     (~(uintptr_t)0)
#define FIRST_BYTES 64 /* number of bytes to read if the size of the window does not matter */

static intptr_t reads(struct bareprof_hostile *test, uintptr_t offset, uint64_t address, uintptr_t length)
{
	return bareprof_hostile_fetch(test, BAREPROF_HYPERCALL_READ, offset, address, length, test->client.serial);
}

static intptr_t block(struct bareprof_hostile *test, uintptr_t index, uintptr_t length)
{
	return bareprof_hostile_fetch(test, BAREPROF_HYPERCALL_BLOCK, index, test->target, length, test->client.serial);
}

/* Prints the case @what, which passes if nothing in the arena has changed. */
static void expect_untouched(struct bareprof_hostile *test, const char *what)
{
	bareprof_hostile_expect(test, bareprof_hostile_untouched(test, 0, 0), what);
}

/*
 * Prints the case @what. The case passes if two conditions are true. The result @is of a call is @n, and the call
 * wrote only to the @n bytes at @address.
 */
static void expect_bytes(struct bareprof_hostile *test, intptr_t is, uint64_t address, uintptr_t n, const char *what)
{
	if (!bareprof_hostile_untouched(test, address, n)) {
		bareprof_hostile_print(test, "other bytes were written too:\n");
		is = -1;
	}
	bareprof_hostile_is(test, is, (intptr_t)n, what, "");
}

static void try_functions(struct bareprof_hostile *test)
{
	bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_INFO, 2), BAREPROF_HYPERCALL_ARGUMENT,
		"INFO on a form that does not exist", "");
	if (!test->exclusive)
		return;
	bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_FIRST - 1, 0),
		BAREPROF_HYPERCALL_NOT_SUPPORTED, "the function before the first", "");
	bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_SNAPSHOT + 1, 0),
		BAREPROF_HYPERCALL_NOT_SUPPORTED, "the function after the last", "");
	if (test->base == BAREPROF_HYPERCALL_64)
		bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_UID, 0),
			BAREPROF_HYPERCALL_NOT_SUPPORTED, "the UID as a 64-bit function", "");
}

static void try_windows(struct bareprof_hostile *test)
{
	uint64_t at = test->target;
	uintptr_t size = test->profile_size;
	uintptr_t largest = size < test->read_max ? size : test->read_max;
	const uint8_t *last = test->profile + size - 1;

	expect_bytes(test, reads(test, size - 1, at + 1, LARGEST), at + 1, 1,
		"a window with the last byte: only that is written");
	bareprof_hostile_expect(
		test, bareprof_hostile_equal(test, at + 1, last, 1), "it contains the last byte of the profile");
	if (*last != BAREPROF_HOSTILE_CANARY)
		bareprof_hostile_expect(test,
			!bareprof_hostile_untouched(test, 0, 0) && !bareprof_hostile_untouched(test, at, 1),
			"the canaries show that write");
	bareprof_hostile_canaries(test);
	bareprof_hostile_is(test, reads(test, size, at, 1), 0, "a window at the end of the profile", "");
	bareprof_hostile_is(test, reads(test, size + 1, at, 1), 0, "a window after the end of the profile", "");
	bareprof_hostile_is(test, reads(test, LARGEST, at, 1), 0, "a window at the largest offset", "");
	bareprof_hostile_is(test, reads(test, 0, at, 0), BAREPROF_HYPERCALL_ARGUMENT, "a window of 0 bytes", "");
	expect_untouched(test, "these windows wrote nothing");
	expect_bytes(test, reads(test, 0, at + 8, LARGEST), at + 8, largest, "the largest window");
	bareprof_hostile_expect(
		test, bareprof_hostile_equal(test, at + 8, test->profile, largest), "it contains the profile");
	bareprof_hostile_canaries(test);
	at = bareprof_hostile_end(test) - 5;
	if (!bareprof_hostile_forbids(test, at, 5)) {
		expect_bytes(test, reads(test, 1, at, 5), at, 5, "a window up to the end of the memory");
		bareprof_hostile_canaries(test);
	}
}

/* Reads a window that the hypervisor must refuse, and checks that nothing in the arena has changed. */
static void refused(struct bareprof_hostile *test, uint64_t address, uintptr_t n, const char *what, const char *where)
{
	intptr_t is = reads(test, 0, address, n);

	if (!bareprof_hostile_untouched(test, 0, 0)) {
		bareprof_hostile_print(test, "some bytes were written:\n");
		bareprof_hostile_canaries(test);
		is = 0;
	}
	bareprof_hostile_is(test, is, BAREPROF_HYPERCALL_FAULT, what, where);
}

static void try_addresses(struct bareprof_hostile *test)
{
	uint64_t wrong = ((uint64_t)1 << 32) + test->target;
	size_t i;

	for (i = 0; i < test->ranges; i++) {
		const struct bareprof_forbidden *range = &test->forbidden[i];
		uint64_t last = range->address + range->size - 1;

		refused(test, range->address, 1, "a window at the start of ", range->what);
		refused(test, last, 1, "a window at the end of ", range->what);
		if (range->address)
			refused(test, range->address - 1, 2, "a window into ", range->what);
		if (last + 1)
			refused(test, last, 2, "a window out of ", range->what);
	}
	/* A hypervisor that ignores the upper half of the address would write to the arena. */
	if (bareprof_hostile_forbids(test, wrong, 8))
		refused(test, wrong, 8, "a window where only the upper half of the address is wrong", "");
	refused(test, ~(uint64_t)0, 1, "a window on the last byte of the address space", "");
	refused(test, ~(uint64_t)0 - 7, 4096, "a window across the end of the address space", "");
}

static void try_blocks(struct bareprof_hostile *test)
{
	uint32_t size = test->begin[1];
	intptr_t n = block(test, 0, size - 1);

	bareprof_hostile_expect(test,
		n == BAREPROF_HYPERCALL_NO_SPACE && test->result[1] == size && bareprof_hostile_untouched(test, 0, 0),
		"a block is refused if one byte of space is missing");
	expect_bytes(test, block(test, 0, size), test->target, size, "a block with just enough space");
	bareprof_hostile_canaries(test);
	bareprof_hostile_is(test, block(test, test->blocks_count, 4096), 0, "the block after the last", "");
	bareprof_hostile_is(test, block(test, LARGEST, 4096), 0, "the block with the largest number", "");
	if (test->base == BAREPROF_HYPERCALL_64)
		bareprof_hostile_is(test, block(test, (uintptr_t)1 << 16 << 16, 4096), 0,
			"a block number whose lower half is 0", "");
	expect_untouched(test, "these blocks wrote nothing");
}

void bareprof_hostile_bounds(struct bareprof_hostile *test)
{
	int good = bareprof_hostile_pull(test);

	bareprof_hostile_expect(test, good, "the profile is pulled in windows, and in blocks");
	if (!good)
		return;
	try_functions(test);
	try_windows(test);
	try_addresses(test);
	try_blocks(test);
}

void bareprof_hostile_resets(struct bareprof_hostile *test)
{
	int good = bareprof_hostile_pull(test);
	uintptr_t old = test->client.serial;
	uintptr_t size = test->profile_size;
	uint64_t at = test->target;

	bareprof_hostile_expect(test, good && size > FIRST_BYTES, "the profile is pulled once more");
	if (!good)
		return;
	bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_RESET, old + 1),
		BAREPROF_HYPERCALL_STALE, "a reset with a wrong serial", "");
	bareprof_hostile_is(test, reads(test, 0, at, FIRST_BYTES), FIRST_BYTES, "the first part of a profile", "");
	bareprof_hostile_is(
		test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_RESET, old), 0, "a reset between two reads", "");
	bareprof_hostile_canaries(test);
	bareprof_hostile_is(test, reads(test, FIRST_BYTES, at, FIRST_BYTES), BAREPROF_HYPERCALL_STALE,
		"the next part is stale", "");
	bareprof_hostile_is(test, block(test, 0, 4096), BAREPROF_HYPERCALL_STALE, "the blocks are stale", "");
	bareprof_hostile_is(test, reads(test, size, at, FIRST_BYTES), BAREPROF_HYPERCALL_STALE, "the end is stale", "");
	bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_RESET, old), BAREPROF_HYPERCALL_STALE,
		"a second reset is stale", "");
	expect_untouched(test, "stale calls wrote nothing");
	bareprof_hostile_expect(test,
		bareprof_hostile_pull(test) && test->profile_size == size && test->client.serial != old,
		"a new pull has a new serial");
	bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_SNAPSHOT, 0), 0, "a snapshot", "");
	bareprof_hostile_is(test, reads(test, 0, at, FIRST_BYTES), BAREPROF_HYPERCALL_STALE,
		"what was pulled before the snapshot is stale", "");
	bareprof_hostile_expect(
		test, bareprof_hostile_pull(test) && test->profile_size == size, "a new pull works after the snapshot");
}

void bareprof_hostile_denied(struct bareprof_hostile *test)
{
	uint32_t function;
	int denied = 1;

	/* A guest that is not privileged cannot pull, so the whole memory is the arena. */
	if (!test->base)
		test->base = BAREPROF_HYPERCALL_32;
	if (!test->target)
		test->target = test->address;
	bareprof_hostile_canaries(test);
	for (function = BAREPROF_HYPERCALL_INFO; function <= BAREPROF_HYPERCALL_SNAPSHOT; function++) {
		denied &= bareprof_hostile_fetch(test, function, 0, test->target, FIRST_BYTES, test->client.serial) ==
		          BAREPROF_HYPERCALL_DENIED;
		denied &= !test->result[1] && !test->result[2] && !test->result[3];
	}
	bareprof_hostile_expect(test, denied, "all functions are denied");
	bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_RESET, test->client.serial),
		BAREPROF_HYPERCALL_DENIED, "a reset with the right serial is denied, too", "");
	expect_untouched(test, "denied calls wrote nothing");
}

uint32_t bareprof_hostile_guest(struct bareprof_hostile *test)
{
	for (test->base = BAREPROF_HYPERCALL_32;; test->base = BAREPROF_HYPERCALL_64) {
		bareprof_hostile_is(test, bareprof_hostile_call(test, BAREPROF_HYPERCALL_SNAPSHOT, 0), 0,
			"a snapshot, so that all reads return the same counts", "");
		bareprof_hostile_bounds(test);
		bareprof_hostile_resets(test);
		bareprof_hostile_random(test);
		if (sizeof(uintptr_t) == 4 || test->base == BAREPROF_HYPERCALL_64)
			return test->failed;
	}
}
