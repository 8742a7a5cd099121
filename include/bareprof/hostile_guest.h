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
 * Guest addresses at which the hypervisor must never write for this guest. Examples are addresses without
 * memory, memory of the hypervisor, devices, and pages that are read-only for the guest. Ranges may
 * overlap each other.
 */
struct bareprof_forbidden {
	uint64_t address;
	uint64_t size; /* at least 1; address + size is at most 2^64, which is 0 in this type */
	const char *what; /* for messages, for example "the console" */
};

/*
 * The state of the test. The test guest owns this struct, and sets the fields up to
 * exclusive. The functions set the others.
 *
 * The test stores the profile at the start of the memory, once as a .profraw and once as a
 * capture. The last 16 to 64 KiB are the arena, to which the calls write. With windows of
 * more than 16 KiB, the arena is all memory after the profile. So the memory should have
 * twice the size of the .profraw, three times the size of a window, and 64 KiB. Forbidden
 * ranges may be inside the arena. The test does not touch them itself, so they may be
 * read-only, or not mapped.
 */
struct bareprof_hostile {
	bareprof_make_call call;
	void *context; /* the first argument of call and print */
	void (*print)(
		void *context, const char *text); /* prints a part of a line; text contains "\n" where a line ends */
	void *memory; /* aligned as a uint64_t */
	uint64_t address; /* of the memory, as the hypervisor expects addresses; the same range in one piece */
	size_t size; /* of the memory in bytes */
	const struct bareprof_forbidden *forbidden;
	size_t ranges; /* number of forbidden ranges */
	uint32_t tries; /* number of random calls */
	int exclusive; /* non-zero: the hypervisor has no other functions with numbers of this kind, so try those too */
	uint32_t base; /* BAREPROF_HYPERCALL_32, which is the default, or BAREPROF_HYPERCALL_64 */
	uint32_t failed; /* number of cases that failed; begins with 0 */
	uintptr_t result[4]; /* the results of the last call */
	struct bareprof_client client;
	uint8_t *profile;
	uintptr_t profile_size;
	uintptr_t read_max; /* maximum bytes of one READ */
	uintptr_t window; /* the same, or the maximum bytes of one BLOCK, if that is larger */
	uint32_t *begin; /* block i starts at blocks[begin[i]] and ends before blocks[begin[i + 1]] */
	uintptr_t blocks_count;
	uint8_t *blocks;
	size_t arena; /* offset of the arena in the memory */
	uint64_t target; /* address in the arena at which the largest window fits */
	uint64_t seed; /* of the random calls; a test guest may set it to any number other than 0 */
};

/*
 * bareprof_hostile_guest - runs all tests except bareprof_hostile_denied(), with 32-bit
 * functions and, in 64-bit code, also with 64-bit functions. Prints a line for each case,
 * which begins with "ok - " or "not ok - ". Returns the number of cases that failed. A
 * memory that is too small is such a case.
 *
 * Time is linear in the number of random calls. After each call, the test checks the whole arena.
 */
BAREPROF_API uint32_t bareprof_hostile_guest(struct bareprof_hostile *test);

/*
 * The parts of bareprof_hostile_guest(). They use test->base. A guest that wants to do something
 * between the parts, such as a comparison of the hypervisor's memory, calls them itself. It calls
 * bareprof_hostile_bounds() first, and makes a SNAPSHOT before this call.
 *
 * bareprof_hostile_bounds - tries lengths, offsets, addresses, blocks and functions.
 * bareprof_hostile_resets - tries RESET and serials that are stale. Leaves a SNAPSHOT.
 * bareprof_hostile_random - makes random calls. No RESET or SNAPSHOT among them succeeds.
 * Needs a SNAPSHOT.
 *
 * bareprof_hostile_denied - requires that all functions are denied, and write nothing. Call
 * it in a guest that is not privileged, or in user mode. The other functions need not be
 * called before it. If they were, it does not overwrite the profile in the memory.
 */
BAREPROF_API void bareprof_hostile_bounds(struct bareprof_hostile *test);
BAREPROF_API void bareprof_hostile_resets(struct bareprof_hostile *test);
BAREPROF_API void bareprof_hostile_random(struct bareprof_hostile *test);
BAREPROF_API void bareprof_hostile_denied(struct bareprof_hostile *test);

/*
 * bareprof_hostile_expect - prints "ok - " or "not ok - " and @what, and counts a failure
 * if @holds is 0. For further cases of the test guest.
 */
BAREPROF_API void bareprof_hostile_expect(struct bareprof_hostile *test, int holds, const char *what);

#ifdef __cplusplus
}
#endif

#endif
