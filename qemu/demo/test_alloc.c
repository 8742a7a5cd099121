/* SPDX-License-Identifier: BSD-2-Clause */
/* test_alloc.c - tests that all memory is one free piece again after everything was freed. */
#include "alloc.h"
#include "selftest.h"

#define PIECES 12u

static struct alloc_state before;

static bool as_before(void)
{
	struct alloc_state now;

	alloc_state(&now);
	return now.free == before.free && now.largest == before.largest && now.pieces == before.pieces &&
	       now.used == before.used;
}

static void refusals(void)
{
	uint8_t *p = alloc_get(24);

	EXPECT(alloc_get(0) == NULL);
	EXPECT(alloc_get(UINT32_MAX) == NULL);
	EXPECT(alloc_get(before.largest) == NULL);
	EXPECT(!alloc_put(NULL));
	EXPECT(!alloc_put(p + 8));
	EXPECT(alloc_put(p));
	EXPECT(!alloc_put(p));
}

/* Tests that a hole is used again if it is large enough, and is skipped otherwise. */
static void holes(void)
{
	uint8_t *a = alloc_get(64);
	uint8_t *b = alloc_get(64);
	uint8_t *c = alloc_get(64);
	uint8_t *d;

	EXPECT(alloc_put(a));
	EXPECT(alloc_get(1) == a);
	d = alloc_get(64);
	EXPECT(d > c);
	EXPECT(alloc_put(d));
	EXPECT(alloc_put(a));
	EXPECT(alloc_put(c));
	EXPECT(alloc_put(b));
}

/* Frees pieces in an order that joins a piece with the piece before it, with the piece after it, and with both. */
static void joining(void)
{
	uint8_t *piece[PIECES];
	uint32_t i;
	uint32_t j;

	for (i = 0; i < PIECES; i++) {
		piece[i] = alloc_get(8 + 20 * i);
		EXPECT(piece[i] != NULL);
		EXPECT(((uintptr_t)piece[i] & 7) == 0);
		for (j = 0; j < 8 + 20 * i; j++)
			piece[i][j] = (uint8_t)i;
	}
	for (i = 0; i < PIECES; i++) {
		j = i * 5;
		while (j >= PIECES)
			j -= PIECES;
		EXPECT(piece[j][0] == j && piece[j][7 + 20 * j] == j);
		EXPECT(alloc_put(piece[j]));
	}
}

void test_alloc(void)
{
	uint8_t *all;

	alloc_state(&before);
	refusals();
	EXPECT(as_before());
	holes();
	EXPECT(as_before());
	joining();
	EXPECT(as_before());
	all = alloc_get(before.largest);
	EXPECT(all != NULL);
	EXPECT(alloc_put(all));
	EXPECT(as_before());
}
