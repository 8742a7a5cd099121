/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - starts and ends a body, which is a static Linux program without a C library, for x86_64, AArch64, Arm and
 * Thumb-2. This file has the few functions that compilers call by themselves, and system calls. No instrumentation
 * applies to this file, so the functions are the same in all builds of a body.
 */
#include "body.h"

#if defined(__x86_64__)
enum {
	SYS_WRITE = 1,
	SYS_EXIT = 231
};
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %rsp\n\tcall body_start\n");

static long system_call(long number, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
enum {
	SYS_WRITE = 64,
	SYS_EXIT = 94
};
__asm__(".globl _start\n_start:\n\tmov x29, #0\n\tbl body_start\n");

static long system_call(long number, long a, long b, long c)
{
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
}
#else
enum {
	SYS_WRITE = 4,
	SYS_EXIT = 248
};
__asm__(".syntax unified\n.arm\n.globl _start\n.type _start, %function\n_start:\n\tblx body_start\n");
#ifdef __thumb__
__asm__(".thumb\n");
#endif

/* In Thumb code, r7 may be the frame pointer, so the compiler does not accept r7 as an operand. */
static long system_call(long number, long a, long b, long c)
{
	register long r0 __asm__("r0") = a, r1 __asm__("r1") = b, r2 __asm__("r2") = c;

	__asm__ volatile("push {r7}\n\tmov r7, %3\n\tsvc #0\n\tpop {r7}"
			 : "+r"(r0)
			 : "r"(r1), "r"(r2), "r"(number)
			 : "memory");
	return r0;
}
#endif

int body_write(int file, const void *data, size_t n)
{
	while (n) {
		long done = system_call(SYS_WRITE, file, (long)data, (long)n);

		if (done <= 0)
			return -1;
		data = (const char *)data + done;
		n -= (size_t)done;
	}
	return 0;
}

void body_exit(int status)
{
	for (;;)
		system_call(SYS_EXIT, status, 0, 0);
}

/* Code that was compiled with -fstack-protector, or with -pg -mfentry, uses these symbols. */
uintptr_t __stack_chk_guard = 0x5aa5;

void __stack_chk_fail(void);
void __stack_chk_fail(void)
{
	body_exit(12);
}

#ifdef __x86_64__
__asm__(".globl __fentry__\n__fentry__:\n\tret\n");
#endif

void body_print(const char *name, unsigned long long number)
{
	char line[64];
	size_t n = 0;
	int shift;

	while (*name)
		line[n++] = *name++;
	line[n++] = ' ';
	for (shift = 60; shift >= 0; shift -= 4)
		line[n++] = "0123456789abcdef"[number >> shift & 15];
	line[n++] = '\n';
	body_write(1, line, n);
}

/* Memory that is never freed. The harness takes it back as a whole. */
static unsigned char memory[24 << 20] __attribute__((aligned(64)));
static size_t used;

void *body_allocate(size_t n)
{
	void *result = memory + used;

	n = (n + 63) & ~(size_t)63;
	if (n > sizeof(memory) - used) {
		body_print("no memory for", n);
		body_exit(3);
	}
	used += n;
	return result;
}

void body_free_all(void)
{
	used = 0;
}

void *memcpy(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	while (n--)
		*t++ = *f++;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (t <= f)
		return memcpy(to, from, n);
	while (n--)
		t[n] = f[n];
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	unsigned char *t = to;

	while (n--)
		*t++ = (unsigned char)byte;
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n; n--, x++, y++) {
		if (*x != *y)
			return *x - *y;
	}
	return 0;
}

#ifdef __arm__
/*
 * For Arm, clang does not call memcpy(), but the functions of the ABI below. The names with 4 and 8 promise an
 * alignment.
 */
#define COPY(name, function)                                                                                           \
	void name(void *to, const void *from, size_t n);                                                               \
	void name(void *to, const void *from, size_t n)                                                                \
	{                                                                                                              \
		function(to, from, n);                                                                                 \
	}
#define SET(name)                                                                                                      \
	void name(void *to, size_t n, int byte);                                                                       \
	void name(void *to, size_t n, int byte)                                                                        \
	{                                                                                                              \
		memset(to, byte, n);                                                                                   \
	}
#define CLEAR(name)                                                                                                    \
	void name(void *to, size_t n);                                                                                 \
	void name(void *to, size_t n)                                                                                  \
	{                                                                                                              \
		memset(to, 0, n);                                                                                      \
	}
COPY(__aeabi_memcpy, memcpy)
COPY(__aeabi_memcpy4, memcpy)
COPY(__aeabi_memcpy8, memcpy)
COPY(__aeabi_memmove, memmove)
COPY(__aeabi_memmove4, memmove)
COPY(__aeabi_memmove8, memmove)
SET(__aeabi_memset)
SET(__aeabi_memset4)
SET(__aeabi_memset8)
CLEAR(__aeabi_memclr)
CLEAR(__aeabi_memclr4)
CLEAR(__aeabi_memclr8)
#endif

uint64_t body_checksum(uint64_t sum, const void *data, size_t n)
{
	const unsigned char *p = data;

	while (n--)
		sum = (sum ^ *p++) * 0x100000001b3;
	return sum;
}

/* The marks between which the instructions are counted. */
__attribute__((noinline)) void body_begin(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) void body_end(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) void body_end_of_slow(void)
{
	__asm__ volatile("");
}

__attribute__((weak)) int body_dump(void)
{
	return 0;
}

/* The linker scripts of machine profiles place their sections after .data, so a variable must be in .data. */
static volatile int failed = 9;

void body_start(void);
void body_start(void)
{
	failed = body_main();
	if (!failed)
		failed = body_dump();
	body_exit(failed);
}
