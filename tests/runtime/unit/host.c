/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host.c - start-up, output and guarded memory for x86_64 and i386, by system calls of Linux.
 */
#include "host.h"

#define PAGE 4096u

#ifdef __x86_64__
#define SYS_WRITE    1
#define SYS_MMAP     9
#define SYS_MPROTECT 10
#define SYS_FORK     57
#define SYS_EXIT     60
#define SYS_KILL     62
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %rsp\n\tcall run\n\thlt");

static intptr_t call(intptr_t number, intptr_t a, intptr_t b, intptr_t c, intptr_t d)
{
	register intptr_t r10 __asm__("r10") = d;
	register intptr_t r8 __asm__("r8") = -1;
	register intptr_t r9 __asm__("r9") = 0;

	__asm__ volatile("syscall"
			 : "+a"(number)
			 : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return number;
}
#else
#define SYS_EXIT     1
#define SYS_FORK     2
#define SYS_WRITE    4
#define SYS_KILL     37
#define SYS_MPROTECT 125
#define SYS_MMAP     192 /* On i386, the sixth argument of mmap(), the file offset, is in ebp. It is always 0 here. */
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %esp\n\tcall run\n\thlt");

static intptr_t call(intptr_t number, intptr_t a, intptr_t b, intptr_t c, intptr_t d)
{
	__asm__ volatile("push %%ebp\n\txor %%ebp, %%ebp\n\tint $0x80\n\tpop %%ebp"
			 : "+a"(number)
			 : "b"(a), "c"(b), "d"(c), "S"(d), "D"(-1)
			 : "memory");
	return number;
}
#endif

void run(void);

static int failed;

void print(const void *data, size_t n)
{
	call(SYS_WRITE, 1, (intptr_t)data, (intptr_t)n, 0);
}

static void put(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	print(s, n);
}

int check(int good, const char *what, const char *of)
{
	put(good ? "ok - " : "not ok - ");
	put(sizeof(void *) == 8 ? "64-bit " : "32-bit ");
	put(what);
	if (of) {
		put(": ");
		put(of);
	}
	put("\n");
	failed |= !good;
	return good;
}

void note(const char *what, const char *of, uint64_t number)
{
	char digits[24];
	char *p = digits + sizeof(digits) - 1;
	uint32_t n = (uint32_t)number; /* 32 bits, because a 64-bit division would need a library */

	*p = 0;
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	put("    ");
	put(what);
	put(" ");
	put(of);
	put(" ");
	put(p);
	put("\n");
}

uint8_t *guarded(void *at, unsigned int pages)
{
	/* 3 is PROT_READ | PROT_WRITE. 0x22 is MAP_PRIVATE | MAP_ANONYMOUS, and 0x10 is MAP_FIXED. */
	intptr_t p = call(SYS_MMAP, (intptr_t)at, (intptr_t)((pages + 1) * PAGE), 3, at ? 0x32 : 0x22);

	if (p < 0 && p > -4096)
		return NULL;
	call(SYS_MPROTECT, p + (intptr_t)(pages * PAGE), PAGE, 0, 0);
	return (uint8_t *)p;
}

intptr_t beside(void (*work)(uint8_t *memory), uint8_t **memory, unsigned int pages)
{
	/* 3 is PROT_READ | PROT_WRITE, and 0x21 is MAP_SHARED | MAP_ANONYMOUS. */
	intptr_t p = call(SYS_MMAP, 0, (intptr_t)(pages * PAGE), 3, 0x21);
	intptr_t process;

	*memory = NULL;
	if (p < 0 && p > -4096)
		return 0;
	process = call(SYS_FORK, 0, 0, 0, 0);
	while (!process)
		work((uint8_t *)p);
	if (process > 0)
		*memory = (uint8_t *)p;
	return process;
}

void beside_end(intptr_t process)
{
	if (process > 0)
		call(SYS_KILL, process, 9, 0, 0);
}

uint32_t random(void)
{
	static uint32_t state = 1;

	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

int equal(const void *a, const void *b, size_t n)
{
	const uint8_t *p = a;
	const uint8_t *q = b;

	while (n--)
		if (*p++ != *q++)
			return 0;
	return 1;
}

int all(const void *a, uint8_t byte, size_t n)
{
	const uint8_t *p = a;

	while (n--)
		if (*p++ != byte)
			return 0;
	return 1;
}

void *memcpy(void *to, const void *from, size_t n)
{
	uint8_t *volatile d = to;
	const uint8_t *s = from;

	while (n--)
		*d++ = *s++;
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	uint8_t *volatile d = to;

	while (n--)
		*d++ = (uint8_t)byte;
	return to;
}

void run(void)
{
	int status = test();

	call(SYS_EXIT, status ? status : failed, 0, 0, 0);
	for (;;)
		continue;
}
