/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * system.c - the functions of an operating system that newlib needs: memory, and output
 * for the messages of failed tests. There are no files and no processes.
 */
#include <errno.h>
#include <stddef.h>

#include "board.h"

void *_sbrk(ptrdiff_t n);
int _write(int file, const char *text, int n);

void *_sbrk(ptrdiff_t n)
{
	static char heap[8 * 1024] __attribute__((aligned(8)));
	static ptrdiff_t used;
	char *start = heap + used;

	if (n > (ptrdiff_t)sizeof(heap) - used || n < -used) {
		errno = ENOMEM;
		return (void *)-1;
	}
	used += n;
	return start;
}

int _write(int file, const char *text, int n)
{
	int i;

	(void)file;
	for (i = 0; i < n; i++)
		board_putc(text[i]);
	return n;
}

/* Always fails. All other functions of the operating system are aliases of this function. */
static int absent(void)
{
	errno = ENOSYS;
	return -1;
}

#define ABSENT(name) int name(void) __attribute__((alias("absent")))
ABSENT(_close);
ABSENT(_fini);
ABSENT(_fstat);
ABSENT(_getpid);
ABSENT(_isatty);
ABSENT(_kill);
ABSENT(_lseek);
ABSENT(_read);
ABSENT(getentropy);
ABSENT(posix_memalign);
