/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_try.c - makes calls at the limits of the interface. Checks that each call returns the right
 * result and writes only the requested bytes.
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

/* Checks a whole page of canaries, one word at a time. */
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

/* Reads a window that must be refused, and checks that no memory has changed. */
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
		"a window with the last byte: only that is written");
	expect(!untouched(0, 0) && !untouched(ARENA_AT, 1), "the canaries show that write");
	canaries();
	expect_is(reads(size, ARENA_AT, 1), 0, "a window at the end of the profile");
	expect_is(reads(size + 1, ARENA_AT, 1), 0, "a window after the end of the profile");
	expect_is(reads(~(uintptr_t)0, ARENA_AT, 1), 0, "a window at the largest offset");
	expect_is(reads(0, ARENA_AT, 0), BAREPROF_HYPERCALL_ARGUMENT, "a window of 0 bytes");
	expect(untouched(0, 0), "these windows wrote nothing");
	n = reads(0, ARENA_AT + 8, ~(uintptr_t)0);
	expect_is(untouched(ARENA_AT + 8, most) ? n : 0, (intptr_t)most, "the largest window, across two pages");
	expect(__builtin_memcmp(at + 8, pulled.profile, most) == 0, "it contains the profile");
	canaries();
	n = reads(1, GUEST_END - 5, 5);
	expect_is(untouched(GUEST_END - 5, 5) ? n : 0, 5, "a window up to the end of memory");
	canaries();
}

static void try_addresses(void)
{
	static const struct {
		uint64_t address;
		uintptr_t n;
		const char *what;
	} cases[] = {
		{GUEST_END - 5, 6, "a window to one byte after the end of memory"},
		{GUEST_END, 1, "a window after memory"},
		{GUEST_BASE - 1, 2, "a window from one byte before memory"},
		{GUEST_BASE + GUEST_HOLE * PAGE_SIZE - 1, 2, "a window into a page that is not there"},
		{GUEST_BASE + GUEST_HOLE * PAGE_SIZE + 5, 1, "a window in a page that is not there"},
		{GUEST_BASE + (GUEST_HOLE + 1) * PAGE_SIZE - 1, 2, "a window out of a page that is not there"},
		{GUEST_BASE + GUEST_CONSTANT * PAGE_SIZE - 1, 2, "a window into a read-only page"},
		{GUEST_BASE + GUEST_CONSTANT * PAGE_SIZE, 1, "a window in a read-only page"},
		{0, 1, "a window at address 0"},
		{CPU_CONSOLE, 4, "a window on the console"},
		{CPU_HYPERVISOR, 8, "a window on the hypervisor's memory"},
		{0x100000000u + ARENA_AT, 8, "a window where only the upper half of the address is wrong"},
		{~(uint64_t)0, 1, "a window on the last byte of the address space"},
		{~(uint64_t)0 - 7, 4096, "a window across the end of the address space"},
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
		"a block is refused if one byte of space is missing");
	n = block(0, end);
	expect_is(untouched(ARENA_AT, end) ? n : 0, (intptr_t)end, "a block with just enough space");
	canaries();
	expect_is(block(pulled.count, PAGE_SIZE), 0, "the block after the last");
	expect_is(block(~(uintptr_t)0, PAGE_SIZE), 0, "the block with the largest number");
	if (wide && sizeof(uintptr_t) == 8)
		expect_is(block((uintptr_t)1 << 16 << 16, PAGE_SIZE), 0, "a block number whose lower half is 0");
	expect(untouched(0, 0), "these blocks wrote nothing");
}

static void try_functions(void)
{
	expect_is(call(BAREPROF_HYPERCALL_INFO, 2), BAREPROF_HYPERCALL_ARGUMENT, "INFO on a form that does not exist");
	expect_is(call(BAREPROF_HYPERCALL_FIRST - 1, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"the function before the first");
	expect_is(call(BAREPROF_HYPERCALL_SNAPSHOT + 1, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"the function after the last");
	expect_is(call(0x80000000u | BAREPROF_HYPERCALL_INFO, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"a function of another type of call");
	expect_is(call(0xfe000000u | BAREPROF_HYPERCALL_INFO, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
		"a function of another owner");
	if (wide)
		expect_is(call(BAREPROF_HYPERCALL_UID, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED,
			"the UID as a 64-bit function");
#ifdef __arm__
	wide = true;
	expect_is(call(BAREPROF_HYPERCALL_INFO, 0), BAREPROF_HYPERCALL_NOT_SUPPORTED, "a 64-bit function on Arm");
	wide = false;
#endif
}

void try_bounds(void)
{
	volatile uint8_t *hypervisor = (volatile uint8_t *)CPU_HYPERVISOR;

	expect(pull(), "the profile is pulled once more");
	canaries();
	/* The first byte of the hypervisor's memory is not 0. So if the guest reads 0, it does not see this memory. */
	expect(*hypervisor == 0, "the guest cannot read the hypervisor's memory");
	expect(call_hyper(CALL_KEEP, 0) > GUEST_PAGES * PAGE_SIZE, "the hypervisor keeps a copy of its memory");
	try_functions();
	try_windows();
	try_addresses();
	try_blocks();
	/* The guest cannot write to the hypervisor's memory directly either. */
	*hypervisor = 0x55;
	expect(call_hyper(CALL_COMPARE, 0) == 0, "the hypervisor's memory has not changed");
	*hypervisor = 0;
}

void try_resets(void)
{
	uintptr_t old = pulled.serial;
	uint32_t size = pulled.size;

	expect_is(call(BAREPROF_HYPERCALL_RESET, old + 1), BAREPROF_HYPERCALL_STALE, "a reset with a wrong serial");
	expect(reads(0, ARENA_AT, 64) == 64, "the first part of a profile");
	expect_is(call(BAREPROF_HYPERCALL_RESET, old), 0, "a reset between two reads");
	canaries();
	expect_is(reads(64, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "the next part is stale");
	expect_is(block(0, PAGE_SIZE), BAREPROF_HYPERCALL_STALE, "the blocks are stale");
	expect_is(reads(size, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "the end is stale");
	expect_is(call(BAREPROF_HYPERCALL_RESET, old), BAREPROF_HYPERCALL_STALE, "a second reset is stale");
	expect(untouched(0, 0), "stale calls wrote nothing");
	expect(pull() && pulled.size == size && pulled.serial != old, "a new pull has a new serial");
	call_hyper(CALL_RESET, 0);
	expect_is(reads(0, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "a reset by the hypervisor is noticed");
	expect(pull() && pulled.size == size, "a new pull works after it");
	expect_is(call(BAREPROF_HYPERCALL_SNAPSHOT, 0), 0, "a snapshot");
	expect_is(reads(0, ARENA_AT, 64), BAREPROF_HYPERCALL_STALE, "what was pulled before the snapshot is stale");
	expect(pull() && pulled.size == size, "a new pull works after the snapshot");
}

static void try_all_denied(const char *what)
{
	uint32_t function;

	for (function = BAREPROF_HYPERCALL_INFO; function <= BAREPROF_HYPERCALL_SNAPSHOT; function++) {
		bool denied = fetch(function, 0, ARENA_AT, 64, pulled.serial) == BAREPROF_HYPERCALL_DENIED;

		expect(denied && !result[1] && !result[2] && !result[3], what);
	}
	expect(call(BAREPROF_HYPERCALL_RESET, pulled.serial) == BAREPROF_HYPERCALL_DENIED,
		"a reset with the right serial is denied, too");
}

void try_denied(void)
{
	uintptr_t changed;

	canaries();
	call_hyper(CALL_KEEP, 0);
	call_hyper(CALL_PRIVILEGE, 0);
	changed = call_hyper(CALL_COMPARE, 0);
	expect(changed > 0 && changed <= sizeof(int),
		"the hypervisor records in its memory who is privileged, and the comparison notices it");
	try_all_denied("denied to a guest that is not privileged");
	wide = false;
	try_all_denied("denied to a guest that is not privileged");
	expect(untouched(0, 0), "denied calls wrote nothing");
	expect_is(
		call(BAREPROF_HYPERCALL_UID, 0), (intptr_t)BAREPROF_HYPERCALL_UID_0, "every guest may ask for the UID");
	call_hyper(CALL_PRIVILEGE, 1);
	expect(reads(0, ARENA_AT, 64) == 64, "the profile is still available");
}

#ifdef __x86_64__
void try_program(void)
{
	enter_program();
	canaries();
	try_all_denied("denied to a program of the guest");
	expect(untouched(0, 0), "denied calls wrote nothing");
}
#endif
