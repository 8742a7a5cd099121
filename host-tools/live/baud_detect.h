/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * baud_detect.h - is what comes text at all? A UART that is set to a wrong rate gives
 * bytes that no console writes, and they show which way it is wrong.
 */
#ifndef BAREPROF_HOST_BAUD_DETECT_H
#define BAREPROF_HOST_BAUD_DETECT_H

#include "bytes.h"

/* Starts as all zeros. Counts since the last line that was surely text. */
struct baud_detect {
	size_t total;
	size_t strange; /* control characters, and what is no UTF-8 */
	size_t controls;
	size_t lines;
	size_t runs[8]; /* of equal bits with others on both sides, in one byte, by length */
	unsigned int clean; /* length of this line while nothing strange is in it */
	bool dirty; /* something strange was in it */
	unsigned int open; /* bytes of a UTF-8 character so far, and still to come */
	unsigned int expected;
};

void baud_detect_add(struct baud_detect *detect, struct bytes bytes);

/* baud_detect_is_wrong - does it look like a wrong rate, by @bytes_min bytes or more? */
bool baud_detect_is_wrong(const struct baud_detect *detect, size_t bytes_min);

/*
 * baud_detect_factor - how many times as fast as the sender the receiver samples, as
 * far as can be seen: 2 to 6, 7 for more; 1: it is the sender that is faster.
 */
unsigned int baud_detect_factor(const struct baud_detect *detect);

#endif
