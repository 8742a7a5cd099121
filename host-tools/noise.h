/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * noise.h - does what comes look like text at all? At a wrong baud rate it is
 * mostly bytes that no console writes.
 */
#ifndef BAREPROF_HOST_NOISE_H
#define BAREPROF_HOST_NOISE_H

#include "bytes.h"

/* Starts as all zeros. */
struct noise {
	unsigned int total; /* of the stretch so far */
	unsigned int strange;
	unsigned int open; /* bytes of a UTF-8 character so far, and still to come */
	unsigned int expected;
	bool found; /* a stretch was mostly strange */
};

void noise_add(struct noise *noise, struct bytes bytes);

#endif
