/* SPDX-License-Identifier: BSD-2-Clause */
/* ring.h - a queue of bytes from an interrupt handler to a task. */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stdint.h>

#define RING_SIZE 16u /* a power of two */

/* All zero is an empty ring. */
struct ring {
	volatile uint32_t head; /* bytes ever put; written by the putting side */
	volatile uint32_t tail; /* bytes ever taken; written by the taking side */
	uint8_t byte[RING_SIZE];
};

/* False if the ring is full. */
bool ring_put(struct ring *ring, uint8_t byte);
/* The oldest byte, or -1 if the ring is empty. */
int ring_get(struct ring *ring);
uint32_t ring_used(const struct ring *ring);

#endif
