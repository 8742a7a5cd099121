/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unfinished.c - what the library tells of its temporary files (output.h), in a list
 * that threads and a signal handler may use at once: no lock, and whoever takes an
 * entry out of the list has its path.
 */
#include "unfinished.h"
#include "output.h"

#include <stdatomic.h>
#include <unistd.h>

/* More files at once than any command writes; of further ones nothing is removed. */
#define FILES_MAX 64

static _Atomic(const char *) files[FILES_MAX];
static atomic_bool ending;

void output_created(const char *path)
{
	unsigned int i;

	for (i = 0; i < FILES_MAX; i++) {
		const char *none = NULL;

		if (atomic_compare_exchange_strong(&files[i], &none, path))
			return;
	}
}

void output_gone(const char *path)
{
	unsigned int i;

	for (i = 0; i < FILES_MAX; i++) {
		const char *mine = path;

		if (atomic_compare_exchange_strong(&files[i], &mine, NULL))
			return;
	}
	/* The handler has it, and still reads @path perhaps. */
	while (ending)
		pause();
}

void unfinished_remove(void)
{
	unsigned int i;

	ending = true;
	for (i = 0; i < FILES_MAX; i++) {
		const char *path = atomic_exchange(&files[i], NULL);

		if (path)
			unlink(path);
	}
}
