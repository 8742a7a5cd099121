/* SPDX-License-Identifier: BSD-2-Clause */
/* hosted.h - what the Linux programs of this folder share: they stop at a wrong result, and write files. */
#ifndef TESTS_MIP_HOSTED_H
#define TESTS_MIP_HOSTED_H

#include <stdio.h>
#include <stdlib.h>

static void require(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "failed: %s\n", what);
	exit(1);
}
#define REQUIRE(condition) require((condition), #condition)

static int sink(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) != n;
}

static FILE *create(const char *name)
{
	FILE *file = fopen(name, "wb");

	REQUIRE(file != NULL);
	return file;
}

static void put(const char *name, const void *data, size_t n)
{
	FILE *file = create(name);

	REQUIRE(!sink(file, data, n) && !fclose(file));
}

#endif
