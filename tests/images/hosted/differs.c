/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * differs.c - for matrix_excuses.sh: DIFFERS functions whose control flow graph on a
 * board differs from that in the hosted program. They run at start.
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
