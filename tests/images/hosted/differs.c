/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * differs.c - defines functions for matrix_excuses.sh. The macro DIFFERS is the number of these functions. On a board,
 * the control flow graph of these functions differs from their graph in the hosted program. The functions run when the
 * kernel starts.
 */
static const volatile unsigned int rounds = 5;
static volatile unsigned int hits;

#ifdef __linux__
#define HIT(i) hits++
#else
#define HIT(i)                                                                                                         \
	do {                                                                                                           \
		if ((i) % 2 == rounds % 2)                                                                             \
			hits++;                                                                                        \
	} while (0)
#endif

__attribute__((constructor)) static void first(void)
{
	unsigned int i;

	for (i = 0; i < rounds; i++)
		HIT(i);
}

#if DIFFERS > 1
__attribute__((constructor)) static void second(void)
{
	unsigned int i;

	for (i = 0; i < rounds; i++)
		HIT(i);
}
#endif
