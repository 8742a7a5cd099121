/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unfinished.c - a list of temporary files. The library calls output_created() for each temporary file that it
 * creates, and output_gone() for each that it removes. Threads and a signal handler may use the list at the same time.
 * The list needs no lock, because entries are exchanged atomically. The thread or handler that removes an entry owns
 * the path in it.
 */
#include "unfinished.h"
#include "output.h"

#include <stdatomic.h>
#include <unistd.h>

/*
 * The size of the list. No command writes this many files at the same time. If a command did, the files that do not fit
 * into the list would not be removed.
 */
#define FILES_MAX 64

static _Atomic(const char *) files[FILES_MAX];
static atomic_bool ending;

/*
 * Finds the first entry whose value is @from, and changes its value to @to. Returns false if no entry has this
 * value.
 */
static bool replace(const char *from, const char *to)
{
	unsigned int i;

	for (i = 0; i < FILES_MAX; i++) {
		const char *expected = from;

		if (atomic_compare_exchange_strong(&files[i], &expected, to))
			return true;
	}
	return false;
}

void output_created(const char *path)
{
	replace(NULL, path);
}

void output_gone(const char *path)
{
	if (replace(path, NULL))
		return;
	/*
	 * If @ending is set, unfinished_remove() has removed the entry and may still be reading @path. If this function
	 * returned, the caller would free @path. So this function waits until the program ends, which happens soon.
	 */
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
