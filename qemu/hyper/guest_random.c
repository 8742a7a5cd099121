/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_random.c - makes many random calls. Each result is compared with the result of a second
 * implementation of docs/SPEC.md, which is in this file.
 */
#include "console.h"
#include "guest.h"

/* Only the first wrong results are printed, so that the console stays readable. */
#define SHOWN 10u

struct asked {
	uint32_t function;
	uintptr_t position;
	uint64_t address;
	uintptr_t length;
	uintptr_t serial;
};

static uint64_t random(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint32_t below(uint32_t n)
{
	/* Multiplies and shifts to avoid a division. */
	return (uint32_t)((random() >> 32) * n >> 32);
}

#define ANY_OF(array) (array)[below(sizeof(array) / sizeof((array)[0]))]

static uintptr_t random_number(uintptr_t around)
{
	const uintptr_t near[] = {0, 1, 7, 8, around, around - 1, around + 1, below((uint32_t)around + 1),
		PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, (uintptr_t)1 << 31, ~(uintptr_t)0, (uintptr_t)random()};

	return ANY_OF(near);
}

static uint64_t random_address(void)
{
	const uint64_t near[] = {ARENA_AT, ARENA_AT + below(4 * PAGE_SIZE), GUEST_BASE + GUEST_HOLE * PAGE_SIZE,
		GUEST_BASE + GUEST_CONSTANT * PAGE_SIZE, GUEST_END, 0, CPU_HYPERVISOR + below(1 << 22), CPU_CONSOLE,
		((uint64_t)1 << below(32) << 32) + ARENA_AT, ~(uint64_t)0, random(), (uint32_t)random()};
	uint64_t address = below(2) ? ARENA_AT + below(4 * PAGE_SIZE) : ANY_OF(near);

	if (below(3) == 0)
		address += below(2 * PAGE_SIZE) - (uint64_t)PAGE_SIZE;
	/* A call must not write to memory that the guest itself uses. ARENA_AT replaces an address of such memory. */
	return address > GUEST_BASE - PAGE_SIZE && address < ARENA_AT ? ARENA_AT : address;
}

static void ask(struct asked *a)
{
	const uint32_t functions[] = {BAREPROF_HYPERCALL_INFO, BAREPROF_HYPERCALL_RESET, BAREPROF_HYPERCALL_READ,
		BAREPROF_HYPERCALL_READ, BAREPROF_HYPERCALL_READ, BAREPROF_HYPERCALL_BLOCK, BAREPROF_HYPERCALL_BLOCK,
		BAREPROF_HYPERCALL_FIRST - 3 + below(11), below(0x3f000000) + BAREPROF_HYPERCALL_SNAPSHOT + 1};

	a->function = ANY_OF(functions);
	a->position = random_number(a->function == BAREPROF_HYPERCALL_BLOCK ? pulled.count : pulled.size);
	a->address = random_address();
	a->length = random_number(below(2) ? pulled.begin[1] : 64);
	if (below(2)) {
		/* Half of the calls have arguments that can succeed. */
		a->position = below(a->function == BAREPROF_HYPERCALL_BLOCK ? pulled.count : pulled.size);
		a->length = 1 + below(PAGE_SIZE);
	}
	a->serial = below(8) ? pulled.serial : random_number(pulled.serial);
	/* SNAPSHOT and RESET are avoided, because they would change the profile with which results are compared. */
	if (a->function == BAREPROF_HYPERCALL_SNAPSHOT)
		a->function++;
	if (a->function == BAREPROF_HYPERCALL_RESET && a->position == pulled.serial)
		a->position++;
}

/* Returns the part of an argument that a 32-bit function uses. */
static uintptr_t seen(uintptr_t argument)
{
	return wide ? argument : (uint32_t)argument;
}

/* Returns the expected result. If the call copies data, sets *@from to the source of the data. */
static intptr_t right(const struct asked *a, const uint8_t **from)
{
	uintptr_t position = seen(a->position);
	uintptr_t length = seen(a->length);
	uintptr_t n;

	*from = NULL;
	switch (a->function) {
	case BAREPROF_HYPERCALL_INFO:
		return position > 1 ? BAREPROF_HYPERCALL_ARGUMENT : 0;
	case BAREPROF_HYPERCALL_RESET:
		return BAREPROF_HYPERCALL_STALE;
	case BAREPROF_HYPERCALL_READ:
	case BAREPROF_HYPERCALL_BLOCK:
		break;
	case BAREPROF_HYPERCALL_UID:
		return wide ? BAREPROF_HYPERCALL_NOT_SUPPORTED : (intptr_t)BAREPROF_HYPERCALL_UID_0;
	case BAREPROF_HYPERCALL_REVISION:
		return wide ? BAREPROF_HYPERCALL_NOT_SUPPORTED : (intptr_t)BAREPROF_HYPERCALL_MAJOR;
	default:
		return BAREPROF_HYPERCALL_NOT_SUPPORTED;
	}
	if (!length)
		return BAREPROF_HYPERCALL_ARGUMENT;
	if (seen(a->serial) != pulled.serial)
		return BAREPROF_HYPERCALL_STALE;
	if (a->function == BAREPROF_HYPERCALL_BLOCK) {
		if (position >= pulled.count)
			return 0;
		n = pulled.begin[position + 1] - pulled.begin[position];
		if (n > length)
			return BAREPROF_HYPERCALL_NO_SPACE;
		*from = pulled.blocks + pulled.begin[position];
	} else {
		if (position >= pulled.size)
			return 0;
		n = pulled.size - position;
		n = n < pulled.window ? n : pulled.window;
		n = n < length ? n : length;
		*from = pulled.profile + position;
	}
	return writable(a->address, n) ? (intptr_t)n : BAREPROF_HYPERCALL_FAULT;
}

static bool try_one(void)
{
	struct asked a;
	const uint8_t *from;
	intptr_t should;
	intptr_t is;
	uintptr_t n = 0;

	ask(&a);
	should = right(&a, &from);
	is = fetch(a.function, a.position, a.address, a.length, a.serial);
	if (from != NULL && should > 0)
		n = (uintptr_t)should;
	if (is == should && untouched(a.address, n) &&
		(n == 0 || __builtin_memcmp((const void *)(uintptr_t)a.address, from, n) == 0)) {
		if (n > 0)
			__builtin_memset((void *)(uintptr_t)a.address, 0x5a, n);
		return true;
	}
	canaries();
	console_printf("function %x of %x, serial %x: ", a.function, a.position, a.serial);
	console_printf("address %x %x, length %x: result %x\n", (uint32_t)(a.address >> 32), (uint32_t)a.address,
		a.length, is);
	return false;
}

void try_random(uint32_t tries)
{
	uint32_t wrong = 0;
	uint32_t copied = 0;
	uint32_t i;

	expect(pull(), "the profile is pulled once more");
	canaries();
	call_hyper(CALL_KEEP, 0);
	for (i = 0; i < tries && wrong < SHOWN; i++) {
#ifndef __arm__
		wide = below(2) != 0;
#endif
		if (!try_one())
			wrong++;
		else if ((intptr_t)result[0] > 0)
			copied++;
	}
	console_printf("%u random calls, of which %u returned data\n", i, copied);
	expect(wrong == 0, "random calls all have the right result, and write nothing else");
	expect(copied > tries / 8, "enough of them return data");
	expect(call_hyper(CALL_COMPARE, 0) == 0, "the hypervisor's memory has not changed");
}
