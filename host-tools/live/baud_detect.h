/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * baud_detect.h - recognises a wrong baud rate. A UART that is set to a wrong rate receives bytes that no console
 * writes. From these bytes, the functions estimate whether the rate of the UART is too high or too low.
 */
#ifndef BAREPROF_HOST_BAUD_DETECT_H
#define BAREPROF_HOST_BAUD_DETECT_H

#include "bytes.h"

/* Counts of the bytes that have arrived since the last line that was certainly text. Starts as all zeros. */
struct baud_detect {
	size_t total;
	size_t strange; /* number of control characters, plus the number of bytes that are not UTF-8 */
	size_t controls;
	size_t lines;
	size_t runs[8]; /* numbers of runs of equal bits, by length; only runs that start and end within one byte */
	unsigned int clean; /* number of characters in the current line, without those that @strange counts */
	bool dirty; /* the current line has strange bytes */
	unsigned int open; /* size of the current, incomplete UTF-8 character so far, in bytes */
	unsigned int expected; /* number of bytes that the current UTF-8 character still lacks */
};

/* baud_detect_add - counts bytes that arrived. */
void baud_detect_add(struct baud_detect *detect, struct bytes bytes);

/*
 * baud_detect_is_wrong - returns whether the rate looks wrong. Before @bytes_min bytes were counted,
 * the result is false.
 */
bool baud_detect_is_wrong(const struct baud_detect *detect, size_t bytes_min);

/*
 * baud_detect_factor - returns an estimate of the receiver's rate divided by the sender's rate, rounded to a number
 * from 1 to 7. The result is 1 if the quotient is below 1.7, and also if the receiver is slower than the sender. The
 * result is 7 if the quotient is above 6.
 */
unsigned int baud_detect_factor(const struct baud_detect *detect);

#endif
