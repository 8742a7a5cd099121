/* SPDX-License-Identifier: BSD-2-Clause */
/* hooks.c - runs subject() with value lists that bareprof's runtime makes. `hooks FILE` writes the .profraw to FILE. */
#include "image.h"

#include <bareprof/snapshot.h>
#include <stdio.h>
#include <string.h>

BAREPROF_STATE;
static struct bareprof_values values;
static struct bareprof_node nodes[64];

int subject(int n);

static struct bareprof_image image;
static struct bareprof_dump dump;
static uint8_t file[1 << 20];

/*
 * Tests that a snapshot shares the values of the image. After these values are released, no open dump can be read any
 * more.
 */
static int snapshot(size_t n)
{
	static uint64_t memory[512];
	static uint8_t again[sizeof(file)];
	static struct bareprof_image then;
	intptr_t read;

	if (bareprof_snapshot(&then, &image, memory, sizeof(memory)) ||
		bareprof_write(&dump, &then, again, sizeof(again)) != (intptr_t)n || memcmp(again, file, n))
		return 1;
	bareprof_values_reset(&values);
	if (bareprof_read(&dump, 0, again, n) != (intptr_t)n || !memcmp(again, file, n))
		return 2;
	bareprof_values_release(&values);
	read = bareprof_read(&dump, 0, again, n);
	if (read != BAREPROF_E_STALE || bareprof_open(&dump, &then) != BAREPROF_E_VALUE_SITES)
		return 3;
	if (bareprof_values_hold(&values, 0) || bareprof_open(&dump, &then))
		return 4;
	bareprof_values_remove(&values);
	return bareprof_read(&dump, 0, again, n) == BAREPROF_E_STALE ? 0 : 5;
}

int main(int argc, char **argv)
{
	FILE *out = fopen(argv[argc - 1], "wb");
	intptr_t n;

	if (!out || image_of_program(&image))
		return 1;
	if (bareprof_values_start(&values, &image, nodes, sizeof(nodes) / sizeof(nodes[0])))
		return 1;
	subject(1000);
	if (bareprof_values_hold(&values, 0))
		return 3;
	n = bareprof_write(&dump, &image, file, sizeof(file));
	if (n <= 0 || fwrite(file, 1, (size_t)n, out) != (size_t)n || fclose(out))
		return 2;
	printf("%zu bytes, %zu dropped\n", (size_t)n, values.dropped);
	return 10 * snapshot((size_t)n);
}
