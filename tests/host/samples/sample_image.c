/* SPDX-License-Identifier: BSD-2-Clause */
/* sample_image.c - an image to which tests/host/sample.sh makes samples: inlined and static functions, and assembly. */
volatile int sink;

static inline __attribute__((always_inline)) int innermost(int n)
{
	return sink / (n + 1);
}

static inline __attribute__((always_inline)) int inlined(int n)
{
	int sum = innermost(n);

	for (int i = 0; i < n; i++)
		sum += sink * innermost(i);
	return sum;
}

static __attribute__((noinline)) int leaf(int n)
{
	return n + sink;
}

__attribute__((noinline)) int outer(int n)
{
	return inlined(n) + leaf(n) + (n > 3 ? inlined(n + 1) : 0);
}

int renamed(int n) __attribute__((alias("outer")));

/* A function without a size, a label in no function, and bytes that belong to no symbol. */
#ifdef __arm__
#define FUNCTION "%function"
#define RETURN   "bx lr"
#else
#define FUNCTION "@function"
#define RETURN   "ret"
#endif
__asm__(".text\n"
	".balign 16\n"
	".globl unsized\n"
	".type unsized, " FUNCTION "\n"
	"unsized:\n"
	"	nop\n	nop\n	" RETURN "\n"
	".globl label\n"
	"label:\n"
	"	nop\n	" RETURN "\n"
	".globl sized\n"
	".type sized, " FUNCTION "\n"
	"sized:\n"
	"	nop\n	nop\n	" RETURN "\n"
	".size sized, . - sized\n"
	"	nop\n	nop\n	nop\n	nop\n	nop\n	nop\n	nop\n	nop\n");

void _start(void)
{
	sink = outer(sink);
	for (;;)
		;
}
