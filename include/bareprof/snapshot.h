/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.h - copies the counters quickly. The copy can be dumped later, or slowly, while
 * the program continues to count. An example:
 *
 *	static uint64_t memory[ROOM / 8];
 *	static struct bareprof_image then;
 *
 *	err = bareprof_snapshot_masked(&then, &image, memory, sizeof(memory));
 *	n = bareprof_write(&dump, &then, buf, size);   or send a capture of &then
 *
 * Three functions copy the counters:
 *
 *	bareprof_snapshot()          while code counts
 *	bareprof_snapshot_masked()   at one moment of the calling CPU
 *	bareprof_drain()             while code counts; also resets the counters
 *
 * A copy that is made while code counts can be torn. For example, a function f() is called
 * and takes a branch during the copy. The counter of f() was copied before the call, and
 * the counter of the branch is copied after the call. Coverage tools subtract such counts
 * from each other to get the count of the other branch. If the difference is below 0, the
 * other branch gets a count of 2^64 minus a few, and `bareprof report` names f(). A
 * difference that is wrong but not negative cannot be found.
 */
#ifndef BAREPROF_SNAPSHOT_H
#define BAREPROF_SNAPSHOT_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of bytes that the memory for a snapshot of *image must have. */
#define BAREPROF_SNAPSHOT_SIZE(image)                                                                                  \
	((image)->section[BAREPROF_CNTS].size + (image)->section[BAREPROF_BITS].size +                                 \
		(BAREPROF_SERVES_BLOCKS && (image)->machine                                                            \
				? (image)->section[BAREPROF_NAMES].size + (image)->section[BAREPROF_VTAB].size         \
				: 0))

/*
 * bareprof_snapshot - copies the counters and bitmaps of @from to @buf, which has @size
 * bytes and is aligned as a uint64_t. Makes *to an image whose counters and bitmaps are
 * this copy.
 *
 *	                      *from        *to
 *	counters, bitmaps     live         the copy in @buf
 *	records, names, ...   shared by both
 *
 * Every function that reads an image can read *to. A .profraw of *to is, byte for byte, the
 * .profraw that @from would have had at the moment of the copy. If the host makes a
 * .profraw from a capture of *to, this .profraw has the same bytes too. Open dumps of @from
 * remain valid, and a later reset of @from does not change *to. The caller owns *to
 * and @buf. *from, its records and its names must stay in place while *to is used.
 *
 * Time is linear in the size of the counters. Interrupts, tasks that preempt the caller,
 * and other CPUs may count during the copy. The copy may then be torn, which means that
 * it has the inaccuracies that bareprof_read() lists. Errors: NO_SPACE; after NO_SPACE
 * nothing was copied.
 */
BAREPROF_API int bareprof_snapshot(
	struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size);

/*
 * bareprof_snapshot_masked - does the same as bareprof_snapshot(), with the interrupts of
 * the calling CPU masked during the copy (BAREPROF_MASK(), see platform.h).
 *
 * The copy shows all counters at one moment if no code counts during the copy. To achieve
 * this:
 *
 *	- stop the other CPUs that count, or let them wait in code that is not instrumented;
 *	- do not instrument handlers that can run during the copy: the handlers of NMIs, of
 *	  FIQs if the hook leaves FIQs enabled, and of exceptions that the copy itself
 *	  raises;
 *	- compile with -fprofile-update=atomic if tasks or interrupt handlers preempt
 *	  instrumented code. Without this option, some increments are lost. Besides, the
 *	  preempted code may still have counts in registers, or may have written counts to
 *	  memory in another order than that of the source. The copy then looks like a torn
 *	  copy.
 *
 * Interrupts stay masked as long as it takes to copy BAREPROF_SNAPSHOT_SIZE() bytes. After
 * the copy they have the same state as before the call. (They may already have been masked
 * before the call.) Call this function in a privileged mode. Errors: those of
 * bareprof_snapshot().
 */
BAREPROF_API int bareprof_snapshot_masked(
	struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size);

/*
 * bareprof_drain - does the same as bareprof_snapshot(), and sets the counters and bitmaps
 * of @from to their start value. Each machine word is copied and set in one atomic step.
 *
 * A drain is a reset of @from: open dumps of @from become stale, and its generation grows
 * by one. *to keeps the old generation. So the host adds up captures of *to and later
 * captures of @from. During the call no other CPU may open a dump of @from or drain @from.
 *
 * Other code may count during the drain, on any number of CPUs, with these effects:
 *
 *	- No atomic increment (-fprofile-update=atomic) is lost or counted twice. The
 *	  counters of all drains and the counters still in @from add up to the number of all
 *	  increments, modulo 2^64.
 *	- If a counter is wider than a machine word, a drain may read the two halves of the
 *	  counter at different moments. *to then contains a number that the counter never
 *	  had. The sum over all drains is still right.
 *	- If code sets a bit of a bitmap or a byte counter during the drain, the bit or byte
 *	  is set after the drain in *to, in @from, or in both.
 *	- A single drain may be torn, like a snapshot that is not masked. The sum over all
 *	  drains is not torn.
 *	- A plain increment that the drain interrupts writes back the old count plus one.
 *	  The old count is then in *to and also in @from.
 *	- A loop that counts in a register adds its count to the counter when the loop ends.
 *	  If the loop ends after the drain, this count is in @from, not in *to.
 *	- On Armv6-M, the drain masks interrupts while it copies and sets each word. An NMI
 *	  is not masked. If the handler of an NMI counts while a word is copied and set, its
 *	  increment is lost.
 */
BAREPROF_API int bareprof_drain(struct bareprof_image *to, struct bareprof_image *from, void *buf, size_t size);

/*
 * Snapshots and drains do not copy values (values.h). Instead, *to shares the live values
 * of @from. Hold the lists of values not only during the copy, but as long as *to is read,
 * because a release makes open dumps of both images stale. If you add up several drains,
 * also set the counts of values to 0, after *to was read and before the release:
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
