/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.h - copies the counters quickly, so that they can be dumped later, or slowly,
 * while the program goes on counting:
 *
 *	static uint64_t memory[ROOM / 8];
 *	static struct bareprof_image then;
 *
 *	err = bareprof_snapshot_masked(&then, &image, memory, sizeof(memory));
 *	n = bareprof_write(&dump, &then, buf, size);   or send a capture of &then
 *
 * Three ways to copy them:
 *
 *	bareprof_snapshot()          while code counts
 *	bareprof_snapshot_masked()   at one moment of the calling CPU
 *	bareprof_drain()             while code counts; also resets them
 *
 * A copy that is made while code counts can be torn: the count of a function comes from
 * before a call and the count of a branch in it from after the call. Coverage tools
 * subtract such counts from each other. A branch that was never taken may then get a count
 * of 2^64 minus a few, and `bareprof report` names its function. A difference that is
 * wrong but not negative cannot be found.
 */
#ifndef BAREPROF_SNAPSHOT_H
#define BAREPROF_SNAPSHOT_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of memory that a snapshot of *image needs. */
#define BAREPROF_SNAPSHOT_SIZE(image) ((image)->section[BAREPROF_CNTS].size + (image)->section[BAREPROF_BITS].size)

/*
 * bareprof_snapshot - copies the counters and bitmaps of @from to @buf of @size bytes,
 * aligned as a uint64_t, and makes *to an image that has this copy.
 *
 *	                      *from        *to
 *	counters, bitmaps     live         the copy in @buf
 *	records, names, ...   shared by both
 *
 * Every function that reads an image can read *to. A .profraw of *to is byte for byte the
 * .profraw that @from would have given, and so is the one that the host makes from a
 * capture of *to. Open dumps of @from remain valid, and a later reset of @from does not
 * change *to. The caller owns *to and @buf. *from, its records and its names must stay in
 * place while *to is used.
 *
 * Time is linear in the size of the counters. They are copied live: interrupts, tasks that
 * preempt the caller, and other CPUs may count during the copy. It may then be torn, and
 * the limits that bareprof_read() lists for other CPUs apply to all of these. Errors: NO_SPACE, and
 * nothing was done.
 */
BAREPROF_API int bareprof_snapshot(
	struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size);

/*
 * bareprof_snapshot_masked - does the same as bareprof_snapshot(), with the interrupts of
 * the calling CPU masked during the copy (BAREPROF_MASK(), see platform.h).
 *
 * The copy shows all counters at one moment if nothing else counts during it. So
 *
 *	- stop the other CPUs that count, or let them wait without instrumented code;
 *	- code in an NMI, in FIQ where the hook leaves it enabled, or in an exception that
 *	  the copy itself raises must not be instrumented;
 *	- compile with -fprofile-update=atomic if tasks or interrupt handlers preempt
 *	  instrumented code. Plain increments are sometimes lost then, and at any moment the
 *	  counts of the preempted code may still be in registers, or be in memory in another
 *	  order than that of the source. Both look like torn counts.
 *
 * Interrupts stay masked as long as it takes to copy BAREPROF_SNAPSHOT_SIZE() bytes, and
 * then have the state that they had before. Call this function in a privileged mode.
 * Interrupts may already be masked. Errors: as bareprof_snapshot().
 */
BAREPROF_API int bareprof_snapshot_masked(
	struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size);

/*
 * bareprof_drain - does the same as bareprof_snapshot(), and sets the counters and bitmaps
 * of @from to their start value. Each machine word is copied and set in one atomic step.
 *
 * A drain is a reset of @from: open dumps of @from become stale, and its generation grows
 * by one. *to keeps the old generation, so the host adds up captures of *to and later ones
 * of @from. No other CPU may open a dump of @from or drain it during the call.
 *
 * Counts that are made during the drain, on any number of CPUs:
 *
 *	- Atomic increments (-fprofile-update=atomic): no count is lost or doubled. The sum
 *	  of all drains and of the counters left in @from is the number of all counts, modulo 2^64.
 *	- A counter wider than a machine word may, in a single drain, be between two of its
 *	  values. The sum is still right.
 *	- Bits of a bitmap and byte counters are in *to or in @from, or in both.
 *	- A single drain may be torn, as a snapshot that is not masked. The sum is not.
 *	- A plain increment that is under way writes back the old count plus one, so the old
 *	  count is in *to and in @from.
 *	- A loop that counts in a register adds its count when it ends.
 *	- On Armv6-M, interrupts are masked for each word. An NMI is not masked, and the
 *	  counts it makes at that moment are lost.
 */
BAREPROF_API int bareprof_drain(struct bareprof_image *to, struct bareprof_image *from, void *buf, size_t size);

/*
 * Values (values.h) are neither copied nor drained: *to shares the live values of @from.
 * Hold their lists as long as *to is read, not only during the copy, because a release
 * makes open dumps of both images stale. If drains are to add up, also set the counts of
 * values to zero, after *to was read and before the release:
 *
 *	bareprof_values_hold(&values, 0);
 *	bareprof_drain(&then, &image, memory, sizeof(memory));
 *	n = bareprof_write(&dump, &then, buf, size);
 *	bareprof_values_reset(&values);
 *	bareprof_values_release(&values);
 */

#ifdef __cplusplus
}
#endif

#endif
