/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.h - the counters of one moment, to be dumped later or slowly while the
 * program goes on counting:
 *
 *	static uint64_t memory[ROOM / 8];
 *	static struct bareprof_image then;
 *
 *	err = bareprof_snapshot(&then, &image, memory, sizeof(memory));
 *	n = bareprof_write(&dump, &then, buf, size);   or any capture of it
 */
#ifndef BAREPROF_SNAPSHOT_H
#define BAREPROF_SNAPSHOT_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes that a snapshot of *@image takes. */
#define BAREPROF_SNAPSHOT_SIZE(image) ((image)->section[BAREPROF_CNTS].size + (image)->section[BAREPROF_BITS].size)

/*
 * bareprof_snapshot - copy the counters and bitmaps of @from to @buf of @size bytes,
 * aligned as a uint64_t, and make *@to an image of that copy.
 *
 * All that reads an image reads *@to: a .profraw of it is, byte for byte, what one of
 * @from would have been, and so is what the host makes of a capture. Open dumps of
 * @from stay as they are, and a reset of it later does nothing to *@to. Everything but the
 * counters is shared: *@from, records and names have to stay where they are.
 *
 * Linear in the size of the counters. They are copied live: what bareprof_read() says
 * of other CPUs holds here, for the time that the copy takes. Errors: NO_SPACE, and
 * nothing was done.
 */
BAREPROF_API int bareprof_snapshot(
	struct bareprof_image *to, const struct bareprof_image *from, void *buf, size_t size);

/*
 * bareprof_drain - the same, and set what was copied to its start value, each machine
 * word in one atomic step.
 *
 * That is a reset of @from: its dumps become stale, its generation is one higher, and
 * captures of it later and of *@to, which keeps the old generation, add up. No other CPU
 * may open a dump of @from or drain it meanwhile.
 *
 * With atomic increments (-fprofile-update=atomic) no count is lost and none is there
 * twice, however many CPUs count meanwhile: all drains and what is left in @from sum up
 * to all that was counted, modulo 2^64. A count made meanwhile is in the one or the other.
 * A single drain may have a counter that does not fit a machine word between two of its
 * values; the sum is right. Bits of a bitmap and byte counters are in one of them at
 * least. A plain increment that is under way writes the old count back, plus one: the old
 * count is then in both. What a loop counts in a register is added when it ends.
 * On Armv6-M interrupts are masked for each word; an NMI is not, and loses what it counts.
 */
BAREPROF_API int bareprof_drain(struct bareprof_image *to, struct bareprof_image *from, void *buf, size_t size);

/*
 * Values (values.h) are neither copied nor drained: *@to has those of @from, live, which
 * the caller holds while *@to is read and not only for this call; a release makes open
 * dumps of both stale. Where drains are to add up, set the counts of values to zero as
 * well, once *@to has been read and before the release:
 *
 *	bareprof_values_hold(), bareprof_drain(), bareprof_write() and the like,
 *	bareprof_values_reset(), bareprof_values_release()
 */

#ifdef __cplusplus
}
#endif

#endif
