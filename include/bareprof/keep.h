/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keep.h - counts that survive a reset. After a crash, the next boot sends what the previous boot counted.
 *
 * The counts stay in RAM that keeps its contents during a reset, and that neither a boot loader nor start-up code
 * writes to. Beside them are the validity words. They tell whether this RAM contains counts of this build, and of
 * which boot. There are two ways:
 *
 *	- in place: the counters themselves are in such RAM (bareprof-rom.ld). Counts survive every crash, because a
 *	  crash need not run any code for this.
 *	- a copy: if a loader fills the counters at each boot, the handler of a fault makes a snapshot (snapshot.h) in
 *	  such RAM.
 *
 * In place, a boot begins like this, before the first instrumented function:
 *
 *	error = bareprof_image_self(&image);
 *	if (!error && bareprof_kept(&keep, &then, &image))
 *		send(&then, keep.nonce);                    what the previous boot counted
 *	if (!error)
 *		error = bareprof_keep_start(&keep, &image, nonce);  this boot counts, and its counts are kept
 *
 * With a copy, the handler of a fault makes the words valid, and the next boot makes them invalid when it has sent the
 * counts:
 *
 *	error = bareprof_snapshot(&then, &image, memory, size);
 *	if (!error)
 *		error = bareprof_keep(&keep, &then, nonce);
 *	...
 *	if (bareprof_kept(&keep, &then, &image) && send(&then, keep.nonce) == 0)
 *		bareprof_keep_forget(&keep);
 */
#ifndef BAREPROF_KEEP_H
#define BAREPROF_KEEP_H

#include <bareprof/bareprof.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The validity words. The integrator owns them, and places them in RAM that survives a reset. bareprof-rom.ld does this
 * for variables with the attribute section(".bareprof_keep"). After power-on, the words may have any value. Only
 * bareprof writes to them. After bareprof_kept() returned non-zero, the caller may read nonce and generation.
 */
struct bareprof_keep {
	size_t nonce; /* of the boot that counted */
	size_t generation; /* of the counts */
	size_t distance; /* from this struct to the counters; the same at each boot, wherever the image is loaded */
	size_t size; /* bytes of the counters and bitmaps */
	uint32_t build; /* checksum of the build id */
	uint32_t contents; /* checksum of a copy; 0 for counters in place, because they change */
	uint32_t check; /* checksum of all words before this one */
	uint32_t magic; /* a fixed number, or 0 if the words are invalid */
};

/*
 * bareprof_keep - makes the words in *keep valid. The counts of @image are then kept. If *image is a snapshot, its
 * counters must not change any more. Pass the nonce that all dumps of this boot have. The host then never adds up a
 * dump and kept counts of the same boot.
 *
 * Overwrites the words of the previous boot, so call bareprof_kept() first. Time is linear in the size of the build id;
 * for a snapshot, also in the size of its counters. Errors: NO_RECORDS if the image has neither a build id nor records.
 * Its counts could then be taken for those of another build.
 */
BAREPROF_API int bareprof_keep(struct bareprof_keep *keep, const struct bareprof_image *image, size_t nonce);

/*
 * bareprof_kept - returns non-zero if *keep is valid, and the build of @image kept the counts. @image must have been
 * described by bareprof_image_self() or bareprof_image_init(). *then is then an image of the kept counts, which shares
 * its records and names with @image. Dump it with the nonce in *keep. Its counts must not change while they are sent.
 *
 * Returns 0 if the RAM has other contents: after power-on, if another build kept counts or if none were kept, if any
 * bit of the words or of a copy has changed, or if a reset of the counters was interrupted. *then is undefined in this
 * case. If something else has written to counters in place, the function does not notice this.
 */
BAREPROF_API int bareprof_kept(
	const struct bareprof_keep *keep, struct bareprof_image *then, const struct bareprof_image *image);

/*
 * bareprof_keep_start - sets the counters of @image to their start value, and keeps what they count from then on. Call
 * it at boot instead of bareprof_start(), for counters that are kept in place. Sets image->generation to 0.
 *
 * bareprof_keep_reset - does the same for a reset after the boot, instead of bareprof_reset(). The nonce stays the same,
 * and image->generation grows by one.
 *
 * The words are invalid while the counters are set. The counters are also set if the result is an error. If counters in
 * place were reset in another way, and a crash followed, the host would take the new counts for those from before the
 * reset. Errors: those of bareprof_keep().
 */
BAREPROF_API int bareprof_keep_start(struct bareprof_keep *keep, struct bareprof_image *image, size_t nonce);
BAREPROF_API int bareprof_keep_reset(struct bareprof_keep *keep, struct bareprof_image *image);

/* bareprof_keep_forget - makes the words invalid, so that the next boot does not find the counts again. */
BAREPROF_API void bareprof_keep_forget(struct bareprof_keep *keep);

#ifdef __cplusplus
}
#endif

#endif
