/* SPDX-License-Identifier: BSD-2-Clause */
/* test_ring.c - tests that a ring returns bytes in the order in which they were put into it. */
#include "ring.h"
#include "selftest.h"

void test_ring(void)
{
	static struct ring ring;
	uint32_t i;

	/* Starts just below the value at which the ring's counters wrap around. */
	ring.head = UINT32_MAX - 3;
	ring.tail = UINT32_MAX - 3;
	EXPECT(ring_get(&ring) == -1);
	for (i = 0; i < RING_SIZE; i++)
		EXPECT(ring_put(&ring, (uint8_t)(200 + i)));
	EXPECT(!ring_put(&ring, 1));
	EXPECT(ring_used(&ring) == RING_SIZE);
	for (i = 0; i < RING_SIZE; i++)
		EXPECT(ring_get(&ring) == (int)(200 + i));
	EXPECT(ring_get(&ring) == -1);

	/* Keeps the ring half full while bytes go round it. */
	for (i = 0; i < 3 * RING_SIZE; i++) {
		EXPECT(ring_put(&ring, (uint8_t)i));
		if (i >= RING_SIZE / 2)
			EXPECT(ring_get(&ring) == (int)(i - RING_SIZE / 2));
	}
	EXPECT(ring_used(&ring) == RING_SIZE / 2);
}
