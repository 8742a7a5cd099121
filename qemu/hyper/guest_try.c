/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_try.c - calls at the edges of what can be asked for: each has the result
 * that it should, and nothing is written but what was asked for.
 */
#include "guest.h"

#define CANARY 0x5au
#define WORDS  (PAGE_SIZE / sizeof(uintptr_t))

static bool can_write(uint32_t page)
{
	return page < GUEST_PAGES && page != GUEST_HOLE && page != GUEST_CONSTANT;
}

static uint8_t *page_at(uint32_t page)
{
	return (uint8_t *)(uintptr_t)(GUEST_BASE + page * PAGE_SIZE);
}

void canaries(void)
{
	uint32_t page;

	for (page = ARENA; page < GUEST_PAGES; page++)
		if (can_write(page))
			__builtin_memset(page_at(page), CANARY, PAGE_SIZE);
}

/* A whole page of canaries, a word at a time. */
static bool all_canaries(uint32_t page)
{
	const uintptr_t *word = (const uintptr_t *)page_at(page);
	uintptr_t differ = 0;
	uint32_t i;

	for (i = 0; i < WORDS; i++)
		differ |= word[i] ^ (uintptr_t)0x5a5a5a5a5a5a5a5a;
	return differ == 0;
}

bool untouched(uint64_t address, uintptr_t n)
{
	uint32_t page;
	uint32_t i;

	for (page = ARENA; page < GUEST_PAGES; page++) {
		uintptr_t start = (uintptr_t)page_at(page);

		if (!can_write(page) || (!(address < start + PAGE_SIZE && address + n > start) && all_canaries(page)))
			continue;
		for (i = 0; i < PAGE_SIZE; i++)
			if (page_at(page)[i] != CANARY && !(start + i >= address && start + i < address + n))
				return false;
	}
	return true;
}

bool writable(uint64_t address, uintptr_t n)
{
	uint64_t page;

	if (address < GUEST_BASE || address >= GUEST_END || n > GUEST_END - address)
		return false;
	for (page = (address - GUEST_BASE) / PAGE_SIZE; page <= (address + n - 1 - GUEST_BASE) / PAGE_SIZE; page++)
		if (!can_write((uint32_t)page))
			return false;
	return true;
}

static intptr_t reads(uintptr_t offset, uint64_t address, uintptr_t length)
{
	return fetch(BAREPROF_HYPERCALL_READ, offset, address, length, pulled.serial);
}

/* A window that is refused, and leaves everything as it was. */
static void refused(uint64_t address, uintptr_t n, const char *what)
{
	intptr_t is = reads(0, address, n);

	expect_is(untouched(0, 0) ? is : 0, BAREPROF_HYPERCALL_FAULT, what);
}

static void try_windows(void)
{
	uintptr_t size = pulled.size;
	uintptr_t most = size < pulled.window ? size : pulled.window;
	uint8_t *at = page_at(ARENA);
	intptr_t n = reads(size - 1, ARENA_AT + 1, ~(uintptr_t)0);

	expect_is(untouched(ARENA_AT + 1, 1) && at[1] == pulled.profile[size - 1] ? n : 0, 1,
		"the last byte, and no more");
	expect(!untouched(0, 0) && !untouched(ARENA_AT, 1), "which the canaries notice");
	canaries();
	expect_is(reads(size, ARENA_AT, 1), 0, "at the end");
	expect_is(reads(size + 1, ARENA_AT, 1), 0, "behind it");
	expect_is(reads(~(uintptr_t)0, ARENA_AT, 1), 0, "far behind it");
	expect_is(reads(0, ARENA_AT, 0), BAREPROF_HYPERCALL_ARGUMENT, "a window of nothing");
	expect(untouched(0, 0), "and nothing was written");
	n = reads(0, ARENA_AT + 8, ~(uintptr_t)0);
	expect_is(untouched(ARENA_AT + 8, most) ? n : 0, (intptr_t)most, "as much as there can be, over two pages");
	expect(__builtin_memcmp(at + 8, pulled.profile, most) == 0, "with what it should have");
	canaries();
	n = reads(1, GUEST_END - 5, 5);
	expect_is(untouched(GUEST_END - 5, 5) ? n : 0, 5, "up to the end of memory");
	canaries();
}

static void try_addresses(void)
{
	static const struct {
		uint64_t address;
		uintptr_t n;
		const char *what;
	} cases[] = {
		{GUEST_END - 5, 6, "a byte behind the end of memory"},
		{GUEST_END, 1, "behind memory"},
		{GUEST_BASE - 1, 2, "a byte before memory"},
		{GUEST_BASE + GUEST_HOLE * PAGE_SIZE - 1, 2, "into a page that is not there"},
		{GUEST_BASE + GUEST_HOLE * PAGE_SIZE + 5, 1, "in a page that is not there"},
		{GUEST_BASE + (GUEST_HOLE + 1) * PAGE_SIZE - 1, 2, "out of a page that is not there"},
		{GUEST_BASE + GUEST_CONSTANT * PAGE_SIZE - 1, 2, "into a page that is not to be written"},
		{GUEST_BASE + GUEST_CONSTANT * PAGE_SIZE, 1, "in a page that is not to be written"},
		{0, 1, "at 0"},
		{CPU_CONSOLE, 4, "the console"},
		{CPU_HYPERVISOR, 8, "the hypervisor's memory"},
		{0x100000000u + ARENA_AT, 8, "where only the upper half of the address is wrong"},
		{~(uint64_t)0, 1, "the last byte of all"},
		{~(uint64_t)0 - 7, 4096, "over the end of all"},
	};
	uint32_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused(cases[i].address, cases[i].n, cases[i].what);
}

static intptr_t block(uintptr_t index, uintptr_t length)
{
	return fetch(BAREPROF_HYPERCALL_BLOCK, index, ARENA_AT, length, pulled.serial);
}

static void try_blocks(void)
{
	uint32_t end = pulled.begin[1];
	intptr_t n = block(0, end - 1);

	expect(n == BAREPROF_HYPERCALL_NO_SPACE && result[1] == end && untouched(0, 0),
		"a block without room for a byte of it");
	n = block(0, end);
	expect_is(untouched(ARENA_AT, end) ? n : 0, (intptr_t)end, "with just enough");
	canaries();
	expect_is(block(pulled.count, PAGE_SIZE), 0, "the block behind the last");
	expect_is(block(~(uintptr_t)0, PAGE_SIZE), 0, "the last that can be said");
	if (wide && sizeof(uintptr_t) == 8)
		expect_is(block((uintptr_t)1 << 16 << 16, PAGE_SIZE), 0, "one whose lower half is 0");
	expect(untouched(0, 0), "and nothing was written");
}

static void try_functions(void)
{
	expect_is(call(BAREPROF_HYPERCALL_INFO, 2), BAREPROF_HYPERCALL_ARGUMENT, "a form that there is not");
	expect_is(call(BAREPROF_HYPERCALL_FIRST - 1, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"the function before the first");
	expect_is(call(BAREPROF_HYPERCALL_SNAPSHOT + 1, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED, "the one after the last");
	expect_is(call(0x80000000u | BAREPROF_HYPERCALL_INFO, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"of another kind of call");
	expect_is(call(0xfe000000u | BAREPROF_HYPERCALL_INFO, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED, "of another owner");
	if (wide)
		expect_is(call(BAREPROF_HYPERCALL_UID, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
			"the UID is no 64-bit function");
#ifdef __arm__
	wide = true;
	expect_is(call(BAREPROF_HYPERCALL_INFO, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED, "there are none");
	wide = false;
#endif
}

void try_bounds(void)
{
	volatile uint8_t *hypervisor = (volatile uint8_t *)CPU_HYPERVISOR;

	expect(pull(), "all of it once more");
	canaries();
	/* The hypervisor's first byte is not 0. */
	expect(*hypervisor == 0, "the hypervisor's memory is not there to be read");
	expect(call_hyper(CALL_KEEP, 0) > GUEST_PAGES * PAGE_SIZE, "the hypervisor keeps a copy of its memory");
	try_functions();
	try_windows();
	try_addresses();
	try_blocks();
	/* Nor is it there without asking. */
	*hypervisor = 0x55;
	expect(call_hyper(CALL_COMPARE, 0) == 0, "and nothing of it has changed");
	*hypervisor = 0;
}

void try_resets(void)
{
	uintptr_t old = pulled.serial;
	uint32_t size = pulled.size;

	expect_is(call(BAREPROF_HYPERCALL_RESET, old + 1), BAREPROF_HYPERCALL_STALE, "a reset of something else");
	expect(reads(0, ARENA_AT, 64) == 64, "half of a profile");
	expect_is(call(BAREPROF_HYPERCALL_RESET, old), 0, "a reset in the middle");
	canaries();
	expect_is(reads(64, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "the other half is no more");
	expect_is(block(0, PAGE_SIZE), BAREPROF_HYPERCALL_STALE, "nor the blocks");
	expect_is(reads(size, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "nor the end");
	expect_is(call(BAREPROF_HYPERCALL_RESET, old), BAREPROF_HYPERCALL_STALE, "nor what could be reset");
	expect(untouched(0, 0), "and nothing was written");
	expect(pull() && pulled.size == size && pulled.serial != old, "it begins anew");
	call_hyper(CALL_RESET, 0);
	expect_is(reads(0, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "a reset from elsewhere is noticed");
	expect(pull() && pulled.size == size, "it begins anew");
	expect_is(call(BAREPROF_HYPERCALL_SNAPSHOT, 0), 0, "a snapshot");
	expect_is(reads(0, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "is something else");
	expect(pull() && pulled.size == size, "it begins anew");
}

static void try_all_denied(const char *what)
{
	uint32_t function;

	for (function = BAREPROF_HYPERCALL_INFO; function <= BAREPROF_HYPERCALL_SNAPSHOT; function++) {
		bool denied = fetch(function, 0, ARENA_AT, 64, pulled.serial) == BAREPROF_HYPERCALL_DENIED;

		expect(denied && !result[1] && !result[2] && !result[3], what);
	}
	expect(call(BAREPROF_HYPERCALL_RESET, pulled.serial) == BAREPROF_HYPERCALL_DENIED,
		"as is a reset that would do");
}

void try_denied(void)
{
	uintptr_t changed;

	canaries();
	call_hyper(CALL_KEEP, 0);
	call_hyper(CALL_PRIVILEGE, 0);
	changed = call_hyper(CALL_COMPARE, 0);
	expect(changed > 0 && changed <= sizeof(int),
		"the hypervisor notices that its memory changes: it knows who is privileged");
	try_all_denied("denied to a guest that is not privileged");
	wide = false;
	try_all_denied("denied to a guest that is not privileged");
	expect(untouched(0, 0), "and nothing was written");
	expect_is(call(BAREPROF_HYPERCALL_UID, 0), (intptr_t)BAREPROF_HYPERCALL_UID_0, "the UID is for everybody");
	call_hyper(CALL_PRIVILEGE, 1);
	expect(reads(0, ARENA_AT, 64) == 64, "what was pulled is there still");
}

#ifdef __x86_64__
void try_program(void)
{
	enter_program();
	canaries();
	try_all_denied("denied to a program of the guest");
	expect(untouched(0, 0), "and nothing was written");
}
#endif
