/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile_memory.c - manages the memory of the hostile guest, which contains the pulled profile and the arena. Also
 * makes the hypercalls, which write to the arena, and prints the cases.
 */
#include "hostile_memory.h"

#define CANARIES  (~(uintptr_t)0 / 255 * BAREPROF_HOSTILE_CANARY)
#define ARENA_MAX 65536u
#define ARENA_MIN 16384u

void bareprof_hostile_print(struct bareprof_hostile *test, const char *text)
{
	test->print(test->context, text);
}

void bareprof_hostile_hex(struct bareprof_hostile *test, const char *before, uint64_t n)
{
	char text[17];
	unsigned int i = 16;

	text[i] = 0;
	do {
		text[--i] = (char)((n & 15) < 10 ? '0' + (n & 15) : 'a' + (n & 15) - 10);
		n >>= 4;
	} while (n);
	bareprof_hostile_print(test, before);
	bareprof_hostile_print(test, text + i);
}

void bareprof_hostile_case(struct bareprof_hostile *test, int holds, const char *what, const char *where)
{
	test->failed += !holds;
	bareprof_hostile_print(test, holds ? "ok - hostile guest" : "not ok - hostile guest");
	bareprof_hostile_print(test, test->base == BAREPROF_HYPERCALL_64 ? ", 64-bit calls: " : ": ");
	bareprof_hostile_print(test, what);
	bareprof_hostile_print(test, where);
	bareprof_hostile_print(test, "\n");
}

void bareprof_hostile_expect(struct bareprof_hostile *test, int holds, const char *what)
{
	bareprof_hostile_case(test, holds, what, "");
}

void bareprof_hostile_is(
	struct bareprof_hostile *test, intptr_t is, intptr_t should, const char *what, const char *where)
{
	if (is != should) {
		bareprof_hostile_hex(test, "result ", (uintptr_t)is);
		bareprof_hostile_hex(test, ", expected ", (uintptr_t)should);
		bareprof_hostile_print(test, ":\n");
	}
	bareprof_hostile_case(test, is == should, what, where);
}

intptr_t bareprof_hostile_fetch(struct bareprof_hostile *test, uint32_t function, uintptr_t position, uint64_t address,
	uintptr_t length, uintptr_t serial)
{
	uintptr_t reg[6];
	unsigned int i;

	reg[0] = test->base + function;
	reg[1] = position;
	reg[2] = (uintptr_t)address;
	if (test->base == BAREPROF_HYPERCALL_64) {
		reg[3] = length;
		reg[4] = serial;
		reg[5] = ~(uintptr_t)0;
	} else {
		reg[3] = (uintptr_t)(address >> 32);
		reg[4] = length;
		reg[5] = serial;
	}
	test->call(test->context, reg);
	for (i = 0; i < 4; i++)
		test->result[i] = reg[i];
	return (intptr_t)reg[0];
}

intptr_t bareprof_hostile_call(struct bareprof_hostile *test, uint32_t function, uintptr_t argument)
{
	return bareprof_hostile_fetch(test, function, argument, ~(uint64_t)0, ~(uintptr_t)0, ~(uintptr_t)0);
}

uint8_t *bareprof_hostile_pointer(const struct bareprof_hostile *test, uint64_t address)
{
	return (uint8_t *)test->memory + (size_t)(address - test->address);
}

uint64_t bareprof_hostile_arena(const struct bareprof_hostile *test)
{
	return test->address + test->arena;
}

uint64_t bareprof_hostile_end(const struct bareprof_hostile *test)
{
	return test->address + test->size;
}

/* Returns non-zero if the two ranges have a common byte. A range may end at 2^64. */
static int overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
	return a_size && b_size && (a - b < b_size || b - a < a_size);
}

int bareprof_hostile_forbids(const struct bareprof_hostile *test, uint64_t address, uint64_t n)
{
	size_t i;

	for (i = 0; i < test->ranges; i++)
		if (overlap(address, n, test->forbidden[i].address, test->forbidden[i].size))
			return 1;
	return 0;
}

/*
 * Finds the next piece of the arena, from the address *@at on. The piece contains no byte of a forbidden range, and
 * none of the @n bytes at @but. Sets *@at to the start of the piece and returns the end of the piece. If there is no
 * piece left, the two addresses are equal.
 */
static uint64_t next_piece(const struct bareprof_hostile *test, uint64_t *at, uint64_t but, uint64_t n)
{
	uint64_t end = bareprof_hostile_end(test);
	size_t i = 0;

	while (i <= test->ranges && *at < end) {
		uint64_t start = i < test->ranges ? test->forbidden[i].address : but;
		uint64_t size = i < test->ranges ? test->forbidden[i].size : n;

		if (*at - start < size) {
			/* Begin again with the first range, because another range may contain the new *at. */
			*at = size - (*at - start) < end - *at ? start + size : end;
			end = bareprof_hostile_end(test);
			i = 0;
			continue;
		}
		if (size && start - *at < end - *at)
			end = start;
		i++;
	}
	return *at < end ? end : *at;
}

static int all_canaries(const uint8_t *p, const uint8_t *end)
{
	uintptr_t differ = 0;

	for (; p < end && (uintptr_t)p & (sizeof(differ) - 1); p++)
		differ |= *p ^ BAREPROF_HOSTILE_CANARY;
	for (; (size_t)(end - p) >= sizeof(differ); p += sizeof(differ))
		differ |= *(const uintptr_t __attribute__((may_alias)) *)(const void *)p ^ CANARIES;
	for (; p < end; p++)
		differ |= *p ^ BAREPROF_HOSTILE_CANARY;
	return !differ;
}

void bareprof_hostile_canaries(struct bareprof_hostile *test)
{
	uint64_t at = bareprof_hostile_arena(test);
	uint64_t end;

	while ((end = next_piece(test, &at, 0, 0)) != at) {
		bareprof_fill(bareprof_hostile_pointer(test, at), BAREPROF_HOSTILE_CANARY, (size_t)(end - at));
		at = end;
	}
}

int bareprof_hostile_untouched(const struct bareprof_hostile *test, uint64_t address, uint64_t n)
{
	uint64_t at = bareprof_hostile_arena(test);
	uint64_t end;

	while ((end = next_piece(test, &at, address, n)) != at) {
		if (!all_canaries(bareprof_hostile_pointer(test, at), bareprof_hostile_pointer(test, end)))
			return 0;
		at = end;
	}
	return 1;
}

int bareprof_hostile_equal(const struct bareprof_hostile *test, uint64_t address, const uint8_t *to, uintptr_t n)
{
	const uint8_t *at = bareprof_hostile_pointer(test, address);
	uintptr_t i;

	for (i = 0; i < n; i++)
		if (at[i] != to[i])
			return 0;
	return 1;
}

/* Gives the client the memory from the offset @at on as its buffer. */
static void place(struct bareprof_hostile *test, size_t at)
{
	test->client.buffer = (uint8_t *)test->memory + at;
	test->client.address = test->address + at;
	test->client.size = test->size - at;
}

/*
 * Pulls the profile in @form into the memory at the offset *@at. Then sets *@at to the end of the data. Returns 0 if
 * a call fails or the memory is too small.
 */
static int pull_form(struct bareprof_hostile *test, uintptr_t form, size_t *at)
{
	size_t start = *at;
	uintptr_t position = 0;
	intptr_t n;

	place(test, start);
	if (bareprof_client_open(&test->client, form))
		return 0;
	if (form) {
		if (test->client.total + 1 > (test->size - start) / sizeof(uint32_t))
			return 0;
		test->blocks_count = test->client.total;
		test->begin = (uint32_t *)(void *)((uint8_t *)test->memory + start);
		start += (test->client.total + 1) * sizeof(uint32_t);
		test->blocks = (uint8_t *)test->memory + start;
	}
	for (*at = start; *at < test->size; *at += (size_t)n) {
		place(test, *at);
		n = bareprof_client_fetch(&test->client, position);
		if (form)
			test->begin[position] = (uint32_t)(*at - start);
		if (n <= 0)
			return !n && position == test->client.total;
		position += form ? 1 : (uintptr_t)n;
	}
	return 0;
}

/*
 * Finds a place for a window in the arena. The place has 16 bytes more than the largest window. Returns 0 if the arena
 * has no such place.
 */
static int find_target(struct bareprof_hostile *test)
{
	uint64_t n = test->window + 16;

	test->target = bareprof_hostile_arena(test);
	while (n <= bareprof_hostile_end(test) - test->target) {
		if (!bareprof_hostile_forbids(test, test->target, n))
			return 1;
		test->target += 8;
	}
	return 0;
}

int bareprof_hostile_pull(struct bareprof_hostile *test)
{
	size_t at = 0;
	size_t left;

	if (!test->base)
		test->base = BAREPROF_HYPERCALL_32;
	test->client.call = test->call;
	test->client.context = test->context;
	test->client.base = test->base;
	test->profile = test->memory;
	if (!pull_form(test, BAREPROF_HYPERCALL_PROFRAW, &at))
		return 0;
	test->profile_size = test->client.total;
	test->window = test->read_max = test->client.maximum;
	at = (at + 7) & ~(size_t)7;
	if (!pull_form(test, BAREPROF_HYPERCALL_CAPTURE, &at))
		return 0;
	if (test->window < test->client.maximum)
		test->window = test->client.maximum;
	left = test->size - at;
	if (left > ARENA_MAX && test->window <= ARENA_MAX / 4)
		left = ARENA_MAX;
	test->arena = (test->size - left + 7) & ~(size_t)7;
	if (left < ARENA_MIN || !find_target(test)) {
		bareprof_hostile_print(test, "the memory of the test is too small\n");
		return 0;
	}
	if (bareprof_hostile_forbids(test, test->address, test->arena)) {
		bareprof_hostile_print(test, "a forbidden range is before the arena, in the memory for the profile\n");
		return 0;
	}
	bareprof_hostile_canaries(test);
	return 1;
}
