/* SPDX-License-Identifier: BSD-2-Clause */
/* ring.h - a queue of bytes from an interrupt handler to a task. */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stdint.h>

#define RING_SIZE 16u /* a power of two */

/* A ring that is all zero is empty. */
struct ring {
	volatile uint32_t head; /* number of bytes that were added so far; only ring_put() writes it */
	volatile uint32_t tail; /* number of bytes that were taken so far; only ring_get() writes it */
	uint8_t byte[RING_SIZE];
};

/* Returns false if the ring is full. */
bool ring_put(struct ring *ring, uint8_t byte);
/* Returns the oldest byte, or -1 if the ring is empty. */
int ring_get(struct ring *ring);
uint32_t ring_used(const struct ring *ring);

#endif
