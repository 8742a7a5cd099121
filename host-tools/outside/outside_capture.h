/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outside_capture.h - makes the capture of an image from its memory, as the image itself would make it.
 */
#ifndef BAREPROF_HOST_OUTSIDE_CAPTURE_H
#define BAREPROF_HOST_OUTSIDE_CAPTURE_H

#include "placed.h"

/*
 * outside_capture - appends a capture file with the counters, bitmaps and values of @placed to @out. The target should be
 * stopped. Errors: INVALID_INPUT (the program has no counters, or the memory contradicts itself), SYSTEM.
 */
enum status outside_capture(struct buffer *out, const struct placed *placed, struct error *error);

/*
 * outside_values - reads the lists of values, if the image records values. Appends the number of values of each site to
 * @counts, and the values with their counts to @pairs. If the image records none, appends nothing.
 */
enum status outside_values(
	const struct placed *placed, struct buffer *counts, struct buffer *pairs, struct error *error);

#endif
