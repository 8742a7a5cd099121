/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring.c - ring_put() adds bytes and ring_get() takes them out, one of them in an interrupt. No lock is needed,
 * because each of these functions writes only its own counter. The counters do not wrap at the size of the ring. So
 * they are equal if the ring is empty, and differ by the size if the ring is full. The index of a byte is the counter
 * modulo the size.
 */
#include "ring.h"

uint32_t ring_used(const struct ring *ring)
{
	return ring->head - ring->tail;
}

bool ring_put(struct ring *ring, uint8_t byte)
{
	uint32_t head = ring->head;

	if (ring_used(ring) == RING_SIZE)
		return false;
	ring->byte[head & (RING_SIZE - 1)] = byte;
	/* The byte must be in place before ring_get() can see it. */
	__atomic_signal_fence(__ATOMIC_RELEASE);
	ring->head = head + 1;
	return true;
}

int ring_get(struct ring *ring)
{
	uint32_t tail = ring->tail;
	int byte;

	if (ring_used(ring) == 0)
		return -1;
	__atomic_signal_fence(__ATOMIC_ACQUIRE);
	byte = ring->byte[tail & (RING_SIZE - 1)];
	ring->tail = tail + 1;
	return byte;
}
