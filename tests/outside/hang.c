/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hang.c - makes a kernel hang at a call of the function HANG: not at the first call, but at call number CALL. The linker
 * option --wrap=HANG lets all calls come here. HOW tells what happens then.
 */
#define LOOP  1 /* run for ever */
#define WAIT  2 /* disable interrupts, and wait for one */
#define RESET 3 /* reset the machine */

#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

typedef __UINTPTR_TYPE__ word;

/* Functions with at most four parameters can be called like this on all targets of the tests. */
word NAME(__wrap_, HANG)(word a, word b, word c, word d);
word NAME(__real_, HANG)(word a, word b, word c, word d);

#if defined(__x86_64__)
#define MASK "cli"
#define IDLE "hlt"
#elif defined(__aarch64__)
#define MASK "msr daifset, #15"
#define IDLE "wfi"
#else
#define MASK "cpsid if"
#define IDLE "wfi"
#endif

static void stop(void)
{
#ifdef __x86_64__
	/* Without a table of interrupts, an exception resets the machine. */
	static const unsigned char no_table[10];

	if (HOW == RESET)
		__asm__ volatile("lidt %0; int3" ::"m"(no_table));
#endif
	if (HOW == WAIT)
		__asm__ volatile(MASK);
	for (;;)
		if (HOW == WAIT)
			__asm__ volatile(IDLE);
}

word NAME(__wrap_, HANG)(word a, word b, word c, word d)
{
	static volatile unsigned int calls;

	calls = calls + 1;
	if (calls == CALL)
		stop();
	return NAME(__real_, HANG)(a, b, c, d);
}
