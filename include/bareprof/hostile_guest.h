/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostile_guest.h - tests whether a hypervisor serves the calls of hypercall.h correctly. A
 * test guest of the hypervisor links hostile_guest.c (in the drop-in: bareprof_hostile_guest.c) and
 * the client of hypercall_client.h. It makes calls at the limits of the interface, and
 * random calls. For each call it checks the result, and that the call wrote the requested bytes and no
 * other byte of the test's memory. An example:
 *
 *	static const struct bareprof_forbidden forbidden[] = {
 *		{HYPERVISOR, HYPERVISOR_SIZE, "the hypervisor"}, {UART, 4096, "the console"},
 *		{RAM_END, 0 - RAM_END, "the addresses after the RAM"},
 *	};
 *	static uint64_t memory[1 << 17];
 *	static struct bareprof_hostile test = {
 *		.call = bareprof_call_hvc, .print = console_print, .memory = memory, .size = sizeof(memory),
 *		.forbidden = forbidden, .ranges = sizeof(forbidden) / sizeof(forbidden[0]), .tries = 10000,
 *	};
 *
 *	test.address = (uintptr_t)memory;     as the hypervisor expects it: usually physical
 *	failed = bareprof_hostile_guest(&test);
 *
 * The hypervisor must allow this guest to use all functions, and must have memory for a
 * SNAPSHOT, because the test compares the bytes of several reads. No other guest or CPU may call RESET
 * or SNAPSHOT during the test. The test resets the counters of the hypervisor.
 */
#ifndef BAREPROF_HOSTILE_GUEST_H
#define BAREPROF_HOSTILE_GUEST_H

#include <bareprof/hypercall_client.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A forbidden range: guest addresses to which the hypervisor must never write for this guest. Examples are addresses
 * without memory, memory of the hypervisor, devices, and pages that are read-only for the guest. Forbidden ranges may
 * overlap.
 */
struct bareprof_forbidden {
	uint64_t address;
	uint64_t size; /* in bytes, at least 1; the range may end at 2^64 */
	const char *what; /* for messages, for example "the console" */
};

/*
 * The state of the test. The test guest owns this struct, and sets the fields from call to
 * exclusive. The functions below set all other fields.
 *
 * The test stores the profile at the start of the memory, once as a .profraw and once as a
 * capture. The arena, to which the calls write, is the last 16 to 64 KiB of the memory. If a window
 * can have more than 16 KiB, the arena is all memory after the profile. So the memory should
 * have 2 * P + 3 * W + 64 KiB. P is the size of the .profraw, and W is the size of a window. Forbidden
 * ranges may be inside the arena. The test itself does not read or write these ranges, so they may be
 * read-only, or not mapped.
 */
struct bareprof_hostile {
	bareprof_make_call call;
	void *context; /* the first argument of call and print */
	void (*print)(
		void *context, const char *text); /* prints a part of a line; text contains "\n" where a line ends */
	void *memory; /* aligned as a uint64_t */
	uint64_t address; /* of the memory, as the hypervisor expects addresses; there the memory must be contiguous */
	size_t size; /* of the memory in bytes */
	const struct bareprof_forbidden *forbidden;
	size_t ranges; /* number of forbidden ranges */
	uint32_t tries; /* number of random calls */
	int exclusive; /* non-zero if no other hypercalls have such numbers; then the test also calls unused numbers */
	uint32_t base; /* BAREPROF_HYPERCALL_32, which is the default, or BAREPROF_HYPERCALL_64 */
	uint32_t failed; /* number of cases that failed; begins with 0 */
	uintptr_t result[4]; /* the results of the last call */
	struct bareprof_client client;
	uint8_t *profile;
	uintptr_t profile_size;
	uintptr_t read_max; /* maximum bytes of one READ */
	uintptr_t window; /* maximum bytes of one READ or BLOCK */
	uint32_t *begin; /* block i starts at blocks[begin[i]] and ends before blocks[begin[i + 1]] */
	uintptr_t blocks_count;
	uint8_t *blocks;
	size_t arena; /* offset of the arena in the memory */
	uint64_t target; /* address in the arena at which the largest window fits */
	uint64_t seed; /* of the random numbers; a test guest may set it to any number other than 0 */
};

/*
 * bareprof_hostile_guest - runs all tests except bareprof_hostile_denied(). It calls the 32-bit
 * functions of the hypervisor, and in 64-bit code also the 64-bit functions. For each case it prints a
 * line that begins with "ok - " or "not ok - ". Returns the number of failed cases. If the memory is
 * too small, a case fails.
 *
 * Time is linear in the number of random calls. After each call, the test checks the whole arena.
 */
BAREPROF_API uint32_t bareprof_hostile_guest(struct bareprof_hostile *test);

/*
 * bareprof_hostile_guest() calls the first three of these functions. A guest can call them itself, to do something
 * between them, for example to compare the hypervisor's memory. Before the first call, the guest sets test->base and
 * makes a SNAPSHOT. The first call must be bareprof_hostile_bounds().
 *
 * bareprof_hostile_bounds - tries lengths, offsets, addresses, blocks and functions.
 * bareprof_hostile_resets - tries RESET and serials that are stale. Makes a SNAPSHOT at the end.
 * bareprof_hostile_random - makes random calls. None of them is a successful RESET or SNAPSHOT.
 * A SNAPSHOT must exist before.
 *
 * bareprof_hostile_denied - tests that the hypervisor denies all functions, and that the functions
 * write nothing. Call it in a guest that is not privileged, or in user mode. It needs no call of the
 * other functions before it. If they were called before, it does not overwrite the profile in the
 * memory.
 */
BAREPROF_API void bareprof_hostile_bounds(struct bareprof_hostile *test);
BAREPROF_API void bareprof_hostile_resets(struct bareprof_hostile *test);
BAREPROF_API void bareprof_hostile_random(struct bareprof_hostile *test);
BAREPROF_API void bareprof_hostile_denied(struct bareprof_hostile *test);

/*
 * bareprof_hostile_expect - prints "ok - " and @what. If @holds is 0, prints "not ok - " and @what, and increases
 * test->failed. A test guest can use this function for more cases of its own.
 */
BAREPROF_API void bareprof_hostile_expect(struct bareprof_hostile *test, int holds, const char *what);

#ifdef __cplusplus
}
#endif

#endif
