/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mip_functions.c - functions whose assembly text differs from that of simple functions. mip_rewrite.sh adds
 * machine-profile code to it.
 */
extern void other(int value);
extern int call(int (*function)(int));
extern int value;
extern volatile int volatile_value;

static int local(int a)
{
	other(a);
	return a + value;
}

int (*resolver(void))(int)
{
	return value ? local : 0;
}

__attribute__((weak)) int weak(int a)
{
	return a + 1;
}

int alias(int a) __attribute__((alias("weak")));

__attribute__((section(".init.text"))) int in_section(int a)
{
	other(a);
	return 3;
}

__attribute__((section(".head.text"))) int in_excluded_section(int a)
{
	other(a);
	return 3;
}

__attribute__((noreturn)) void never_returns(void)
{
	for (;;)
		volatile_value++;
}

/* The first label of a loop can be at the function's entry. */
void loop(int n)
{
	do
		volatile_value = n;
	while (--n);
}

int tail_recursion(const char *text)
{
	return *text ? tail_recursion(text + 1) : value;
}

void computed_goto(int a)
{
	static const void *const labels[] = {&&one, &&two, &&three};

	goto *labels[a];
one:
	other(1);
two:
	other(2);
three:
	other(3);
}

int arguments(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
	return a + b + c + d + e + f + g + h + i + j + weak(a);
}

struct big {
	int words[20];
};

struct big returns_struct(int a)
{
	struct big result = {{a}};

	return result;
}

int variadic(int n, ...)
{
	__builtin_va_list list;
	int sum = 0;

	__builtin_va_start(list, n);
	while (n--)
		sum += __builtin_va_arg(list, int);
	__builtin_va_end(list);
	return sum;
}

int array_on_stack(int n)
{
	char text[n];

	text[0] = 1;
	other((int)(long)text);
	return text[n - 1];
}

int begins_with_assembly(int n)
{
	__asm__ volatile("nop");
	return n + value;
}

__attribute__((noreturn)) void only_assembly(void)
{
	__asm__ volatile("nop");
	__builtin_unreachable();
}

int begins_with_barrier(int n)
{
	__asm__ volatile("" ::: "memory");
	return n + value;
}

int switches_sections(int n)
{
	other(n);
	__asm__ volatile("nop\n.pushsection .alternative,\"a\"\n.long 1\n.popsection\n.subsection 1\nnop\n.previous");
	return n + value;
}

__asm__(".pushsection .mine,\"a\"\n.long 3\n.popsection");
__asm__(".text\n.balign 4\n.globl handmade\n.type handmade,%function\nhandmade:\nnop\n.size handmade,.-handmade\n");

int jump_table(int n)
{
	switch (n) {
	case 0:
		other(3);
		return 5;
	case 1:
		other(4);
		return 7;
	case 2:
		return value;
	case 3:
		other(8);
		return 1;
	case 4:
		return 9;
	case 5:
		other(2);
		/* fall through */
	case 7:
		return value + 3;
	case 9:
		other(0);
	}
	return 0;
}

int with_cold_part(int n)
{
	if (__builtin_expect(n > 10, 0)) {
		other(1);
		other(value);
		__builtin_trap();
	}
	return value + n;
}

__attribute__((cold)) int cold(int n)
{
	other(n);
	return n;
}

__attribute__((hot)) int hot(int n)
{
	return n * value;
}

int unreachable(void)
{
	__builtin_unreachable();
}

int small(void)
{
	return 1;
}

#ifndef __clang__
int with_nested(int n)
{
	int sum = n;

	int nested(int a)
	{
		other(a);
		return a + sum++;
	}

	return call(nested) + nested(n);
}
#endif
