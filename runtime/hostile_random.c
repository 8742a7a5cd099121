/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile_random.c - makes many random calls. Each result is compared with the result of a
 * second implementation of docs/SPEC.md, part 3, which is in this file.
 */
#include "hostile_memory.h"

/* Only the first wrong results are printed, so that the console stays readable. */
#define SHOWN 10u

struct random_call {
	uint32_t function;
	uintptr_t position;
	uint64_t address;
	uintptr_t length;
	uintptr_t serial;
	/* The expected result, and the data that the call copies. */
	intptr_t result;
	const uint8_t *from;
	uintptr_t n;
};

static uint64_t random(struct bareprof_hostile *test)
{
	test->seed ^= test->seed << 13;
	test->seed ^= test->seed >> 7;
	test->seed ^= test->seed << 17;
	return test->seed;
}

static uint32_t below(struct bareprof_hostile *test, uint32_t n)
{
	/* Multiplies and shifts to avoid a division. */
	return (uint32_t)((random(test) >> 32) * n >> 32);
}

static uintptr_t random_number(struct bareprof_hostile *test, uintptr_t around)
{
	switch (below(test, 14)) {
	case 0:
	case 1:
		return below(test, 2);
	case 2:
	case 3:
		return 7 + below(test, 2);
	case 4:
	case 5:
	case 6:
		return around - 1 + below(test, 3);
	case 7:
		return below(test, (uint32_t)around + 1);
	case 8:
	case 9:
	case 10:
		return 4095 + below(test, 3);
	case 11:
		return (uintptr_t)1 << 31;
	case 12:
		return ~(uintptr_t)0;
	default:
		return (uintptr_t)random(test);
	}
}

static uint64_t in_arena(struct bareprof_hostile *test)
{
	return bareprof_hostile_arena(test) + below(test, (uint32_t)(test->size - test->arena));
}

/* Returns an address at one end of a forbidden range, or within the range. */
static uint64_t in_forbidden(struct bareprof_hostile *test)
{
	const struct bareprof_forbidden *range = &test->forbidden[below(test, (uint32_t)test->ranges)];
	uint64_t offset = random(test) >> below(test, 64);

	if (below(test, 3) == 0)
		offset = 0;
	if (offset >= range->size)
		offset = range->size - 1;
	return range->address + offset;
}

static uint64_t random_address(struct bareprof_hostile *test)
{
	uint64_t address = in_arena(test);

	switch (below(test, 6)) {
	case 0:
	case 1:
	case 2:
		break;
	case 3:
		address += (uint64_t)1 << below(test, 32) << 32;
		break;
	case 4:
		return ~(uint64_t)0 - below(test, 16);
	default:
		if (test->ranges)
			address = in_forbidden(test);
	}
	if (below(test, 3) == 0)
		address += below(test, 8192) - (uint64_t)4096;
	return address;
}

static uint32_t random_function(struct bareprof_hostile *test)
{
	switch (below(test, 9)) {
	case 0:
		return BAREPROF_HYPERCALL_INFO;
	case 1:
		return BAREPROF_HYPERCALL_RESET;
	case 2:
	case 3:
	case 4:
		return BAREPROF_HYPERCALL_READ;
	case 5:
	case 6:
		return BAREPROF_HYPERCALL_BLOCK;
	case 7:
		if (test->exclusive)
			return BAREPROF_HYPERCALL_SNAPSHOT + 1 + below(test, 3);
		return BAREPROF_HYPERCALL_READ;
	default:
		if (test->exclusive)
			return BAREPROF_HYPERCALL_FIRST - 1 - below(test, 3);
		return BAREPROF_HYPERCALL_BLOCK;
	}
}

/* Chooses the arguments of a call. SNAPSHOT and RESET never succeed, because they would change the profile. */
static void choose(struct bareprof_hostile *test, struct random_call *call)
{
	uintptr_t end;

	call->function = random_function(test);
	end = call->function == BAREPROF_HYPERCALL_BLOCK ? test->blocks_count : test->profile_size;
	call->address = random_address(test);
	if (below(test, 2)) {
		/* Half of the calls have arguments with which the call can succeed. */
		call->position = below(test, (uint32_t)end);
		call->length = 1 + below(test, 4096);
	} else {
		call->position = random_number(test, end);
		call->length = random_number(test, below(test, 2) ? test->begin[1] : 64);
	}
	call->serial = below(test, 8) ? test->client.serial : random_number(test, test->client.serial);
	if (call->function == BAREPROF_HYPERCALL_RESET && (uint32_t)call->position == (uint32_t)test->client.serial)
		call->position++;
}

/* Returns the part of an argument that the function uses. */
static uintptr_t used(const struct bareprof_hostile *test, uintptr_t argument)
{
	return test->base == BAREPROF_HYPERCALL_64 ? argument : (uint32_t)argument;
}

/* Finds the data that READ or BLOCK must copy. Returns their number of bytes, or an error, or 0 at the end. */
static intptr_t find_data(const struct bareprof_hostile *test, struct random_call *call)
{
	uintptr_t position = used(test, call->position);
	uintptr_t length = used(test, call->length);
	uintptr_t n;

	if (!length)
		return BAREPROF_HYPERCALL_ARGUMENT;
	if (used(test, call->serial) != test->client.serial)
		return BAREPROF_HYPERCALL_STALE;
	if (call->function == BAREPROF_HYPERCALL_BLOCK) {
		if (position >= test->blocks_count)
			return 0;
		call->from = test->blocks + test->begin[position];
		n = test->begin[position + 1] - test->begin[position];
		return n > length ? BAREPROF_HYPERCALL_NO_SPACE : (intptr_t)n;
	}
	if (position >= test->profile_size)
		return 0;
	call->from = test->profile + position;
	n = test->profile_size - position;
	if (n > test->read_max)
		n = test->read_max;
	return (intptr_t)(n < length ? n : length);
}

/* Sets the expected result. */
static void expected(struct bareprof_hostile *test, struct random_call *call)
{
	call->n = 0;
	call->result = BAREPROF_HYPERCALL_NOT_SUPPORTED;
	if (call->function == BAREPROF_HYPERCALL_INFO)
		call->result = used(test, call->position) > 1 ? BAREPROF_HYPERCALL_ARGUMENT : 0;
	if (call->function == BAREPROF_HYPERCALL_RESET)
		call->result = BAREPROF_HYPERCALL_STALE;
	if (call->function != BAREPROF_HYPERCALL_READ && call->function != BAREPROF_HYPERCALL_BLOCK)
		return;
	call->result = find_data(test, call);
	if (call->result <= 0)
		return;
	call->n = (uintptr_t)call->result;
	/*
	 * The test knows the result in three cases: all bytes are in the arena, or one of the bytes is forbidden, or
	 * the address plus the number of bytes wraps. In all other cases, the call gets the address test->target.
	 */
	if (!bareprof_hostile_forbids(test, call->address, call->n) && call->address + call->n - 1 >= call->address &&
		(call->address < bareprof_hostile_arena(test) || call->address > bareprof_hostile_end(test) - call->n))
		call->address = test->target;
	if (bareprof_hostile_forbids(test, call->address, call->n) || call->address + call->n < call->n) {
		call->result = BAREPROF_HYPERCALL_FAULT;
		call->n = 0;
	}
}

/* Makes a random call. Returns the number of bytes that it copied, or -1 if its result is wrong. */
static intptr_t try_one(struct bareprof_hostile *test)
{
	struct random_call call;
	intptr_t is;

	choose(test, &call);
	expected(test, &call);
	is = bareprof_hostile_fetch(test, call.function, call.position, call.address, call.length, call.serial);
	if (is == call.result && bareprof_hostile_untouched(test, call.address, call.n) &&
		(!call.n || bareprof_hostile_equal(test, call.address, call.from, call.n))) {
		if (call.n)
			bareprof_fill(bareprof_hostile_pointer(test, call.address), BAREPROF_HOSTILE_CANARY, call.n);
		return (intptr_t)call.n;
	}
	bareprof_hostile_canaries(test);
	bareprof_hostile_hex(test, "function ", call.function);
	bareprof_hostile_hex(test, " of ", call.position);
	bareprof_hostile_hex(test, ", address ", call.address);
	bareprof_hostile_hex(test, ", length ", call.length);
	bareprof_hostile_hex(test, ", serial ", call.serial);
	bareprof_hostile_hex(test, ": result ", (uintptr_t)is);
	bareprof_hostile_hex(test, ", expected ", (uintptr_t)call.result);
	bareprof_hostile_print(test, ", or other bytes in the memory\n");
	return -1;
}

void bareprof_hostile_random(struct bareprof_hostile *test)
{
	int good = bareprof_hostile_pull(test);
	uint32_t wrong = 0;
	uint32_t copied = 0;
	uint32_t i;

	bareprof_hostile_expect(test, good, "the profile is pulled for random calls");
	if (!good)
		return;
	if (!test->seed)
		test->seed = 0x9e3779b97f4a7c15;
	for (i = 0; i < test->tries && wrong < SHOWN; i++) {
		intptr_t n = try_one(test);

		wrong += n < 0;
		copied += n > 0;
	}
	bareprof_hostile_hex(test, "random calls: 0x", i);
	bareprof_hostile_hex(test, ", of which data returned: 0x", copied);
	bareprof_hostile_print(test, "\n");
	bareprof_hostile_expect(test, !wrong, "random calls all have the right result, and write nothing else");
	bareprof_hostile_expect(test, copied > test->tries >> 3, "enough of them return data");
}
